// The host's page: it invites friends to a table of this device, and passes their messages on to Python, which holds
// them to a server's limits.
import { SvelteMap } from 'svelte/reactivity'
import { GUESTS } from './playerNameStorage'
import { openWorkerTalk } from './offline'
import { decodeDescription, encodeDescription } from './peerDescription'
import { peerInviteUrl } from './peerInviteUrl'
import { PeerLink } from './peerLink'
import { Partner } from './peerPartner'
import { exchangeNotes } from './peerRendezvous'
import {
  isHandoverChange,
  deleteGuestsOfTable,
  readStoredGuests,
  isGivenAway,
  isSamePage,
  storeGuest,
  newPartnerRecord,
  randomText,
  markHeldHere,
  type PartnerRecord,
} from './peerStorage'

export { isGivenAway, markHeldHere }

// As `PeerSession` in src/landfall/offline/peer_sessions.py would: what is longer, or comes faster than Python reads, ends the
// channel before it fills this page's memory.
const MAX_MESSAGE_CHARS = 16_384
const MAX_PENDING = 400
const NO_PATH_MS = 12_000
const REDIAL_MS = [1000, 2000, 4000, 8000, 15_000]
const ABSENT_MS = 6000 // until a friend who does not return is shown as absent
const WEEK = 7 * 24 * 3600 * 1000

/** An invitation: for one friend, until this page is closed. */
export class Invitation {
  /** `waiting` for the friend's code; `connecting`; `open`; `nopath`: the two devices do not reach each other. */
  state: 'waiting' | 'connecting' | 'open' | 'nopath' = $state('waiting')

  private constructor(
    readonly address: string,
    readonly ufrag: string,
    private readonly link: PeerLink,
  ) {}

  static async create(table: string): Promise<Invitation> {
    const link = await PeerLink.create()
    const offer = await link.createOffer()
    const made = new Invitation(peerInviteUrl(`/join/${table}`, encodeDescription(offer)), offer.ufrag, link)
    const id = randomText(12)
    void acquireGuestLock(id)
    createPartner(id, newPartnerRecord(table)).attachLink(link)
    const attached = link.onopen
    link.onopen = () => {
      attached()
      made.state = 'open'
      invitations.delete(made.ufrag)
    }
    invitations.set(made.ufrag, made)
    // a server may bring the answer
    const isWaiting = (): boolean => made.state === 'waiting' && link.state === 'new'
    void exchangeNotes(
      encodeDescription(offer),
      'host',
      async () => undefined,
      (code) => void acceptFriendCode(code),
      isWaiting,
    )
    return made
  }

  async connectWithCode(code: string): Promise<void> {
    this.state = 'connecting'
    await this.link.acceptAnswer(decodeDescription(code)!)
    setTimeout(() => this.state === 'connecting' && (this.state = 'nopath'), NO_PATH_MS)
  }
}

const invitations = new SvelteMap<string, Invitation>()
const partners = new Map<string, Partner>()
const awaited = new Set<string>() // friends whom another page of this device may have
const called = new Set<Partner>() // friends who are being called
window.addEventListener('storage', (event) => {
  if (isHandoverChange(event)) disconnectFriends()
  if (event.key === GUESTS) forgetGuestsNoLongerStored()
})

/** The friends who were here and are not found again, by id: their names. */
export const absent = new SvelteMap<string, string>()

/** Use a friend's code; false if it answers no invitation of this page. */
export async function acceptFriendCode(code: string): Promise<boolean> {
  const invitation = invitations.get(decodeDescription(code)?.to ?? '')
  if (!invitation || invitation.state !== 'waiting') return false
  await invitation.connectWithCode(code).catch(() => (invitation.state = 'nopath'))
  return true
}

function createPartner(id: string, record: PartnerRecord): Partner {
  const partner = new Partner(
    record,
    (link) => {
      absent.delete(id)
      void relayBetweenFriendAndPython(record, id, link).then(() => {
        if (!partner.link) void redialUntilAnswered(id, partner, REDIAL_MS[2]!)
      })
    },
    (changed) => {
      if (partners.get(id) !== partner) return
      if (partner.link) changed.at = Date.now()
      storeGuest(id, changed)
      for (const [other, before] of partners)
        if (other !== id && isSamePage(before.record, changed)) forgetPartner(other)
    },
  )
  partners.set(id, partner)
  return partner
}

/** A friend was invited again, or plays at another device: what was kept of them before leads nowhere. */
function forgetPartner(id: string): void {
  partners.get(id)?.stopWaiting(true)
  partners.delete(id)
  absent.delete(id)
}

/** Another page of this device has invited a friend again, or let them go. */
function forgetGuestsNoLongerStored(): void {
  const kept = readStoredGuests()
  for (const [id, { record }] of partners) if (record.at && !(id in kept)) forgetPartner(id)
}

/** Another device holds the table now, or held it: the friends of before are not this page's. */
export function forgetFriendsOfTable(table: string): void {
  for (const [id, { record }] of partners) if ([record.table, record.latest].includes(table)) forgetPartner(id)
  deleteGuestsOfTable(table)
}

/** Disconnect all friends. Their pages return at once; who holds a table may have changed. */
export function disconnectFriends(): void {
  for (const [id, partner] of partners) {
    if (isTableElsewhere(partner.record)) absent.delete(id)
    else if (partner.record.at && !partner.link) void redialUntilAnswered(id, partner, 0)
    partner.link?.close()
  }
}

/** Whether a friend's table was given to another device, where they play now. */
const isTableElsewhere = ({ table, latest }: PartnerRecord): boolean => isGivenAway(latest ?? table)

/** A friend is not here: call them until they answer; after a while, show that they are missing. */
async function redialUntilAnswered(id: string, partner: Partner, pause: number): Promise<void> {
  const isStillMissing = (): boolean =>
    partners.get(id) === partner && !partner.link && !isTableElsewhere(partner.record)
  setTimeout(() => isStillMissing() && absent.set(id, partner.record.name ?? ''), ABSENT_MS)
  if (!pause && called.has(partner)) return
  called.add(partner)
  await new Promise((done) => setTimeout(done, pause))
  for (let i = 0; isStillMissing() && !(await partner.dialOtherPage().catch(() => false)); i++)
    await new Promise((done) => setTimeout(done, REDIAL_MS[Math.min(i, REDIAL_MS.length - 1)]))
  called.delete(partner)
}

/** A link by which a friend who is not found returns to their seat: nothing has to come back. */
export async function createReturnLink(id: string): Promise<string | undefined> {
  const partner = partners.get(id)
  const code = await partner?.latestStandbyCode()
  return code && peerInviteUrl(`/join/${partner!.record.table}`, code)
}

/** The table that a friend's message opens or asks for. */
function tableOfMessage(text: string): string {
  try {
    const { table, path } = JSON.parse(text) as { table?: unknown; path?: unknown }
    return /^(?:\/api\/tables\/)?(here-[\w-]{1,60})/.exec(String(table ?? path))?.[1] ?? ''
  } catch {
    return '' // Python counts what is no message
  }
}

/** Pass messages on between a friend's page and Python, until the channel is closed. */
async function relayBetweenFriendAndPython(record: PartnerRecord, guest: string, link: PeerLink): Promise<void> {
  const { table } = record
  let pending = 0
  const talking = openWorkerTalk((response) => {
    if ('received' in response) pending--
    else if ('text' in response) link.send(response.text)
    else link.close()
  }).then((found) => {
    found.say({ do: 'peer', table, guest })
    return found
  })
  link.onmessage = (piece) => {
    if (piece.length > MAX_MESSAGE_CHARS || piece[0] !== '.') return link.close()
    const text = piece.slice(1)
    const wanted = tableOfMessage(text)
    if (isGivenAway(wanted)) return // another device answers for that table
    if (++pending > MAX_PENDING) return link.close()
    if (wanted && wanted !== record.latest) {
      record.latest = wanted
      if (partners.get(guest)?.record === record) storeGuest(guest, record)
    }
    void talking.then((found) => found.say({ do: 'receive', text }))
  }
  const closed = new Promise<void>((done) => (link.onclose = done))
  const found = await talking.catch(() => link.close())
  await closed
  found?.say({ do: 'part' })
  setTimeout(() => found?.end(), 1000)
}

/** Until no other page of this device is there for that friend: this one is from then on, as long as it is open. */
const acquireGuestLock = (id: string): Promise<void> =>
  new Promise((done) => {
    if (!navigator.locks) return done() // a page that came without TLS
    const held = navigator.locks.request(`landfall.guest.${id}`, () => {
      done()
      return new Promise(() => {}) // until the page is closed
    })
    held.catch(() => done())
  })

/** This page was reloaded: call the friends who were here before, until they answer. */
export function redialStoredFriends(): void {
  for (const [id, kept] of Object.entries(readStoredGuests())) {
    if (awaited.has(id) || partners.has(id) || isTableElsewhere(kept)) continue
    awaited.add(id)
    void acquireGuestLock(id).then(() => {
      const record = readStoredGuests()[id] // as it is now
      if (record && Date.now() - (record.at ?? 0) < WEEK) void redialUntilAnswered(id, createPartner(id, record), 0)
    })
  }
}

// A code that was opened as a link, in another page of this device: src/pages/Answer.svelte.
const codes = new BroadcastChannel('landfall-codes')
codes.onmessage = async ({ data }: MessageEvent<{ code?: string }>) => {
  if (data.code && (await acceptFriendCode(data.code))) codes.postMessage({ used: data.code })
}
