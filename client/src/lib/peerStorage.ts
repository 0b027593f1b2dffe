// What a page must keep so that a reload finds the other page again: the other's standing descriptions and credentials,
// its own credentials and certificate, and, as a friend, the key of its seat.
import type { Credentials } from './peerDescription'
import { FRIEND, GUESTS } from './playerNameStorage'

/** Another page, as it is kept between two loads of this one. */
export interface PartnerRecord {
  /** Of whom is invited, or the host's: the table of the invitation. */
  table: string
  /** The table that a friend asked for last: it, or a rematch. */
  latest?: string
  own: Pick<Credentials, 'ufrag' | 'pwd'>
  /** The other device, by the fingerprint of its certificate: from the first connection on it must be this one. */
  device?: string
  /** Descriptions under which the other page waits for this one, the next to try first. */
  listeners: string[]
  /** The credentials by which the other page will call this one. */
  dialer?: Credentials
  /** A friend's name. */
  name?: string
  /** When it was last connected. */
  at?: number
  /** A friend's proof of their seat. */
  key?: string
}

// Tables that moved between devices, by a file: under `GIVEN` and the table's id stands where it is now, at another device
// or here; under `HANDED` the key of this device's own seat, if it ever gave the table away.
const HANDED = 'landfall.handed.'
const GIVEN = 'landfall.given.'
const [ELSEWHERE, HERE] = ['1', 'here']
const MAX_GUESTS = 24
const YEAR = 365 * 24 * 3600 * 1000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Random letters, six bits each. */
export const randomText = (length: number): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((one) => LETTERS[one & 63]).join('')

export const newPartnerRecord = (table: string): PartnerRecord => ({
  table,
  own: { ufrag: randomText(8), pwd: randomText(24) },
  listeners: [],
})

function parseJsonOrUndefined<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** The friends of this device's tables, by a random id. */
export const readStoredGuests = (): Record<string, PartnerRecord> =>
  parseJsonOrUndefined(localStorage.getItem(GUESTS)) ?? {}

/** Keep a friend's record. An older one of the same friend goes: they were invited again. */
export function storeGuest(id: string, record: PartnerRecord): void {
  const others = Object.entries(readStoredGuests()).filter(([one, other]) => one !== id && !isSamePage(other, record))
  localStorage.setItem(GUESTS, JSON.stringify(Object.fromEntries([...others, [id, record]].slice(-MAX_GUESTS))))
}

/** Another device holds the table now: its friends are not this page's any more. */
export function deleteGuestsOfTable(table: string): void {
  const others = Object.entries(readStoredGuests()).filter(([, one]) => ![one.table, one.latest].includes(table))
  localStorage.setItem(GUESTS, JSON.stringify(Object.fromEntries(others)))
}

/** The key of this device's own seat at a table that it gave to another one, if it ever did. */
export const readHandoverKey = (table: string): string | undefined => localStorage.getItem(HANDED + table) ?? undefined

export function getOrCreateHandoverKey(table: string): string {
  const key = readHandoverKey(table) ?? randomText(32)
  localStorage.setItem(HANDED + table, key)
  return key
}

/** Whether another device holds a table that was this one's. It is not played here then. */
export const isGivenAway = (table: string): boolean => localStorage.getItem(GIVEN + table) === ELSEWHERE

/** Whether this device holds a table that was at another one: whoever had it before does not say otherwise. */
export const isTakenOver = (table: string): boolean => localStorage.getItem(GIVEN + table) === HERE

/** Another device holds the table from now on. Other pages of this one learn it by the same event. */
export function markGivenAway(table: string): void {
  localStorage.setItem(GIVEN + table, ELSEWHERE)
  localStorage[GUESTS] ??= '{}' // by which a page knows that it has to ask
  dispatchEvent(new StorageEvent('storage'))
}

/** Whether a change of the storage is that a table was given away or taken back, by another page. */
export const isHandoverChange = ({ key }: StorageEvent): boolean => key?.startsWith(GIVEN) ?? false

/** The table is this device's, or is so again. */
export const markHeldHere = (table: string): void => localStorage.setItem(GIVEN + table, HERE)

/** Whether two records are of the same friend's page. */
export const isSamePage = (a: PartnerRecord, b: PartnerRecord): boolean =>
  a.dialer !== undefined && a.dialer.ufrag === b.dialer?.ufrag

/** The host of a table at which this device is a friend. */
export const readHostRecord = (table: string): PartnerRecord | undefined =>
  parseJsonOrUndefined(localStorage.getItem(FRIEND + table))

export function storeHostRecord(table: string, record: PartnerRecord): void {
  if (!isTakenOver(table)) localStorage.setItem(FRIEND + table, JSON.stringify(record))
}

let certificate: Promise<RTCCertificate> | undefined
/** This device's certificate, kept so that others know it again. A browser that cannot keep it makes a new one. */
export function ownCertificate(): Promise<RTCCertificate> {
  return (certificate ??= loadOrCreateCertificate().catch(newCertificate))
}

const newCertificate = (): Promise<RTCCertificate> =>
  RTCPeerConnection.generateCertificate({ name: 'ECDSA', namedCurve: 'P-256', expires: YEAR } as EcKeyGenParams)

function requestToPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function loadOrCreateCertificate(): Promise<RTCCertificate> {
  const opening = indexedDB.open('landfall-peers', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('certificates')
  const db = await requestToPromise(opening)
  const certificateStore = (): IDBObjectStore => db.transaction('certificates', 'readwrite').objectStore('certificates')
  try {
    const kept = (await requestToPromise(certificateStore().get('own'))) as RTCCertificate | undefined
    if (kept && kept.expires > Date.now() + YEAR / 4) return kept
    const made = await newCertificate()
    await requestToPromise(certificateStore().put(made, 'own'))
    return made
  } finally {
    db.close()
  }
}

/** The fingerprint by which others know this device. */
export async function ownFingerprint(): Promise<string> {
  return (await ownCertificate()).getFingerprints()[0]!.value!.replaceAll(':', '').toLowerCase()
}
