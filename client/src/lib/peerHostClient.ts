// A friend's page: it reaches a table on the host's device by a data channel, in the messages that a page sends to its
// own worker. Nothing is downloaded for that.
import { FRIEND, readPlayerName } from './playerNameStorage'
import type { ResponseListener, Talk, WorkerResponse, WorkerTask } from './offlineMessages'
import { decodeDescription, encodeDescription, type Description } from './peerDescription'
import { Assembler, PeerLink } from './peerLink'
import { Partner } from './peerPartner'
import { exchangeNotes } from './peerRendezvous'
import {
  isHandoverChange,
  markGivenAway,
  readHandoverKey,
  readHostRecord,
  isGivenAway,
  isTakenOver,
  storeHostRecord,
  newPartnerRecord,
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
    const record = readHostRecord(table) ?? { ...newPartnerRecord(table), key: readHandoverKey(table) ?? randomText(32) }
    this.partner = new Partner(
      record,
      (link, before) => this.handleLinkOpened(link, before),
      (changed) => this.isNoLongerHost || storeHostRecord(table, changed),
      readPlayerName(),
    )
    // another page of this browser has reached the host, or another device that holds the table now
    window.addEventListener('storage', ({ key }) => {
      const kept = key === FRIEND + table ? readHostRecord(table) : undefined
      if (!kept) return
      const { device, listeners, dialer } = kept
      // what waits for a call by other credentials waits in vain
      if (JSON.stringify(dialer) !== JSON.stringify(record.dialer)) this.partner.stopWaiting(false)
      Object.assign(record, { device, listeners, dialer })
    })
  }

  /** Whether this device has taken the table over, or is at another host's. */
  private get isNoLongerHost(): boolean {
    return hosts.get(this.table) !== this
  }

  private handleLinkOpened(link: PeerLink, before: PeerLink | undefined): void {
    const whole = new Assembler()
    link.onmessage = (piece) => {
      const text = whole.addPiece(piece)
      if (text !== undefined) this.dispatchResponse(JSON.parse(text) as WorkerResponse)
    }
    link.onclose = () => this.partner.link || this.closeAllTalks()
    if (before && before !== link) {
      this.closeAllTalks()
      before.close()
    }
    link.send(JSON.stringify({ do: 'hello', n: 0, key: this.partner.record.key, name: readPlayerName() }))
  }

  private dispatchResponse(response: WorkerResponse): void {
    // a rematch is at the same device
    const next = 'text' in response && /"successor":"(here-[\w-]+)"/.exec(response.text)?.[1]
    if (next && !hosts.has(next) && !readHostRecord(next) && !isGivenAway(next) && !isTakenOver(next)) {
      hosts.set(next, this)
      storeHostRecord(next, this.partner.record)
    }
    this.listeners.get(response.n)?.(response)
  }

  private closeAllTalks(): void {
    const all = [...this.listeners]
    this.listeners.clear()
    for (const [n, listener] of all) listener({ n, shut: LOST })
  }

  /** Talk with the host's device. If there is no connection it is called, or calls us when its page is back. */
  async openTalk(listener: ResponseListener): Promise<Talk> {
    const till = Date.now() + CALL_MS
    while (!this.partner.link) {
      if (this.isNoLongerHost || Date.now() > till) throw new Error('the host is away')
      // as another page of this browser may have learned it meanwhile
      this.partner.record.listeners = readHostRecord(this.table)?.listeners ?? []
      if (!(await this.partner.dialOtherPage())) await new Promise((done) => setTimeout(done, PAUSE_MS))
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
  if (isHandoverChange(event)) for (const table of hosts.keys()) if (isTakenOver(table)) disconnectFromHost(table)
})

/** This device holds a table that was another one's, whose calls are not answered any more. */
export function disconnectFromHost(table: string): void {
  const host = hosts.get(table)
  for (const [one, its] of hosts) if (its === host) hosts.delete(one)
  host?.partner.stopWaiting(true)
}

function getOrCreateHost(table: string): Host {
  let found = hosts.get(table)
  // a rematch has the record of the first table
  const first = readHostRecord(table)?.table ?? table
  found ??= hosts.get(first) ?? new Host(first)
  hosts.set(first, found).set(table, found)
  return found
}

/** Talk with the device that holds a table. */
export const openHostTalk = (table: string, listener: ResponseListener): Promise<Talk> => getOrCreateHost(table).openTalk(listener)

/** Send a request to the device that holds a table. */
export async function requestFromHost(table: string, method: string, path: string): Promise<Response> {
  return new Promise((done, fail) => {
    let talk: Talk | undefined
    const endRequest = (): void => {
      clearTimeout(timer)
      talk?.end()
    }
    const timer = setTimeout(() => {
      endRequest()
      fail(new Error('no answer'))
    }, ANSWER_MS)
    openHostTalk(table, (response) => {
      endRequest()
      if (!('answer' in response)) return fail(new Error('the host is away'))
      const [status, kind, said] = response.answer
      done(new Response(status === 204 ? null : said, { status, headers: { 'content-type': kind } }))
    }).then(
      (found) => {
        talk = found
        talk.say({ do: 'ask', method, path })
      },
      (error: unknown) => {
        endRequest()
        fail(error)
      },
    )
  })
}

/** The device that holds a table where this browser has a seat, by its fingerprint; empty: it was this one. */
function knownHostFingerprint(table: string): string | undefined {
  const invited = readHostRecord(table)
  const record = invited && readHostRecord(invited.table)
  return record?.device || record?.dialer?.fingerprint || (readHandoverKey(table) && '')
}

/** Whether an invitation comes from another device than the one that holds the table as far as this browser knows. Who
 * accepts it all the same gives that device the key of their seat. */
export const isOfferFromOtherDevice = (table: string, offer: Description): boolean =>
  (knownHostFingerprint(table) ?? offer.fingerprint) !== offer.fingerprint

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
  const host = getOrCreateHost(table)
  const link = await PeerLink.create()
  host.partner.attachLink(link, moved)
  const attached = link.onopen
  link.onopen = () => {
    attached()
    opened()
  }
  link.onpath = found
  const code = encodeDescription(await link.answerOffer(offer))
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
  const record = readHostRecord(table)
  const found = decodeDescription(code)
  if (!record || !found?.to || found.to !== record.own.ufrag || isOfferFromOtherDevice(table, found)) return false
  getOrCreateHost(table).partner.addListenerCode(code)
  return true
}
