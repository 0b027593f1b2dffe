// A friend's page: it reaches a table on the host's device by a data channel, in the messages that a page sends to its
// own worker. Nothing is downloaded for that.
import { FRIEND, ownName } from './deviceNames'
import type { ResponseListener, Talk, WorkerResponse, WorkerTask } from './offlineMessages'
import { decodeDescription, encodeDescription, type Description } from './peerDescription'
import { Assembler, PeerLink } from './peerLink'
import { Partner } from './peerPartner'
import { exchangeNotes } from './peerRendezvous'
import {
  changesGiven,
  markGivenAway,
  handoverKey,
  hostOf,
  isGiven,
  isTakenOver,
  keepHost,
  newRecord,
  randomText,
} from './peerStorage'

const LOST = 1006
const CALL_MS = 12_000
const PAUSE_MS = 200
const ANSWER_MS = 20_000 // for a request

class Host {
  readonly partner: Partner
  private readonly listeners = new Map<number, ResponseListener>()
  private count = 0

  constructor(readonly table: string) {
    const record = hostOf(table) ?? { ...newRecord(table), key: handoverKey(table) ?? randomText(32) }
    this.partner = new Partner(
      record,
      (link, before) => this.opened(link, before),
      (changed) => this.isLeft || keepHost(table, changed),
      ownName(),
    )
    // another page of this browser has reached the host, or another device that holds the table now
    window.addEventListener('storage', ({ key }) => {
      const kept = key === FRIEND + table ? hostOf(table) : undefined
      if (!kept) return
      const { device, listeners, dialer } = kept
      // what waits for a call by other credentials waits in vain
      if (JSON.stringify(dialer) !== JSON.stringify(record.dialer)) this.partner.end(false)
      Object.assign(record, { device, listeners, dialer })
    })
  }

  /** Whether this device has taken the table over, or is at another host's. */
  private get isLeft(): boolean {
    return hosts.get(this.table) !== this
  }

  private opened(link: PeerLink, before: PeerLink | undefined): void {
    const whole = new Assembler()
    link.onmessage = (piece) => {
      const text = whole.add(piece)
      if (text !== undefined) this.receive(JSON.parse(text) as WorkerResponse)
    }
    link.onclose = () => this.partner.link || this.lost()
    if (before && before !== link) {
      this.lost()
      before.close()
    }
    link.send(JSON.stringify({ do: 'hello', n: 0, key: this.partner.record.key, name: ownName() }))
  }

  private receive(response: WorkerResponse): void {
    // a rematch is at the same device
    const next = 'text' in response && /"successor":"(here-[\w-]+)"/.exec(response.text)?.[1]
    if (next && !hosts.has(next) && !hostOf(next) && !isGiven(next) && !isTakenOver(next)) {
      hosts.set(next, this)
      keepHost(next, this.partner.record)
    }
    this.listeners.get(response.n)?.(response)
  }

  private lost(): void {
    const all = [...this.listeners]
    this.listeners.clear()
    for (const [n, listener] of all) listener({ n, shut: LOST })
  }

  /** Talk with the host's device. If there is no connection it is called, or calls us when its page is back. */
  async talk(listener: ResponseListener): Promise<Talk> {
    const till = Date.now() + CALL_MS
    while (!this.partner.link) {
      if (this.isLeft || Date.now() > till) throw new Error('the host is away')
      // as another page of this browser may have learned it meanwhile
      this.partner.record.listeners = hostOf(this.table)?.listeners ?? []
      if (!(await this.partner.dial())) await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
    const [n, link] = [++this.count, this.partner.link!]
    this.listeners.set(n, listener)
    return {
      say: (task: WorkerTask) => link.send(JSON.stringify({ n, ...task })),
      end: () => this.listeners.delete(n),
    }
  }
}

const hosts = new Map<string, Host>()
window.addEventListener('storage', (event) => {
  if (changesGiven(event)) for (const table of hosts.keys()) if (isTakenOver(table)) leaveTable(table)
})

/** This device holds a table that was another one's, whose calls are not answered any more. */
export function leaveTable(table: string): void {
  const host = hosts.get(table)
  for (const [one, its] of hosts) if (its === host) hosts.delete(one)
  host?.partner.end(true)
}

function hostFor(table: string): Host {
  let found = hosts.get(table)
  // a rematch has the record of the first table
  const first = hostOf(table)?.table ?? table
  found ??= hosts.get(first) ?? new Host(first)
  hosts.set(first, found).set(table, found)
  return found
}

/** Talk with the device that holds a table. */
export const talkToHost = (table: string, listener: ResponseListener): Promise<Talk> => hostFor(table).talk(listener)

/** Send a request to the device that holds a table. */
export async function requestFriend(table: string, method: string, path: string): Promise<Response> {
  return new Promise((done, fail) => {
    let talk: Talk | undefined
    const end = (): void => {
      clearTimeout(timer)
      talk?.end()
    }
    const timer = setTimeout(() => {
      end()
      fail(new Error('no answer'))
    }, ANSWER_MS)
    talkToHost(table, (response) => {
      end()
      if (!('answer' in response)) return fail(new Error('the host is away'))
      const [status, kind, said] = response.answer
      done(new Response(status === 204 ? null : said, { status, headers: { 'content-type': kind } }))
    }).then(
      (found) => {
        talk = found
        talk.say({ do: 'ask', method, path })
      },
      (error: unknown) => {
        end()
        fail(error)
      },
    )
  })
}

/** The device that holds a table where this browser has a seat, by its fingerprint; empty: it was this one. */
function knownDevice(table: string): string | undefined {
  const invited = hostOf(table)
  const record = invited && hostOf(invited.table)
  return record?.device || record?.dialer?.fingerprint || (handoverKey(table) && '')
}

/** Whether an invitation comes from another device than the one that holds the table as far as this browser knows. Who
 * accepts it all the same gives that device the key of their seat. */
export const isOtherDevice = (table: string, offer: Description): boolean =>
  (knownDevice(table) ?? offer.fingerprint) !== offer.fingerprint

/** Accept an invitation; `moved`: though it comes from another device. Returns the code that the host needs; `opened` is
 * called when the host has used it. */
export async function acceptInvitation(
  table: string,
  offer: Description,
  moved: boolean,
  found: () => void,
  opened: () => void,
): Promise<string> {
  if (isTakenOver(table)) markGivenAway(table) // by an invitation instead of a file
  const host = hostFor(table)
  const link = await PeerLink.create()
  host.partner.attach(link, moved)
  const attached = link.onopen
  link.onopen = () => {
    attached()
    opened()
  }
  link.onpath = found
  const code = encodeDescription(await link.answer(offer))
  void exchangeNotes(
    encodeDescription(offer),
    'friend',
    async () => code,
    () => {},
    () => link.state === 'new',
  )
  return code
}

/** Whether a code leads back to a table where this browser had a seat: the host's page waits for this one under it. */
export function acceptReturnCode(table: string, code: string): boolean {
  const record = hostOf(table)
  const found = decodeDescription(code)
  if (!record || !found?.to || found.to !== record.own.ufrag || isOtherDevice(table, found)) return false
  hostFor(table).partner.learn(code)
  return true
}
