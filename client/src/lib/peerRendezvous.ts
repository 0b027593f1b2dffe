// Notes between two pages by a Landfall server, if whoever hosts the pages names one. It holds them for a minute, and
// can read none: their key is a secret of the two pages.

/** `together.json`: STUN and TURN servers, and a server for notes. None by default. */
interface Configuration {
  iceServers?: RTCIceServer[]
  rendezvous?: string
}
let found: Promise<Configuration> | undefined
export const fetchPeerConfiguration = (): Promise<Configuration> =>
  (found ??= fetch(`${import.meta.env.BASE_URL}together.json`)
    .then((answer) => answer.json() as Promise<Configuration>)
    .catch(() => ({})))

const LEAVE_MS = 20_000 // a note is forgotten after a minute
const SOON_MS = 1000 // between two looks into the box, at first
const LATER_MS = 5000
const SOON_LOOKS = 60

export type Side = 'host' | 'friend'

/** Exchange notes with the other page while `isWaiting`: leave `note`, and hand on each that comes. */
export async function exchangeNotes(
  secret: string,
  side: Side,
  note: () => Promise<string | undefined>,
  received: (note: string) => void,
  isWaiting: () => boolean,
): Promise<void> {
  const server = (await fetchPeerConfiguration()).rendezvous
  if (!server || !globalThis.crypto.subtle) return // pages without TLS have no cryptography
  const key = await crypto.subtle.importKey('raw', await sha256(`key ${secret}`), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
  const mailboxUrl = async (of: Side): Promise<string> =>
    `${server.replace(/\/+$/, '')}/api/rendezvous/${toHex(await sha256(`${of} ${secret}`)).slice(0, 32)}`
  const [own, other] = [await mailboxUrl(side), await mailboxUrl(side === 'host' ? 'friend' : 'host')]
  let left = -LEAVE_MS
  for (let looks = 0; isWaiting(); looks++) {
    if (performance.now() - left > LEAVE_MS) {
      const text = await note()
      if (text) await fetch(other, postRequestOptions(await encrypt(key, text))).catch(() => undefined)
      left = performance.now()
    }
    const answer = await fetch(own, { credentials: 'omit' }).catch(() => undefined)
    const came = answer?.ok && ((await answer.json().catch(() => null)) as unknown)
    if (typeof came === 'string' && isWaiting()) await decrypt(key, came).then(received, () => {})
    await new Promise((done) => setTimeout(done, looks < SOON_LOOKS ? SOON_MS : LATER_MS))
  }
}

const postRequestOptions = (note: string): RequestInit => ({
  method: 'POST',
  credentials: 'omit',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ note }),
})

const sha256 = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
const toHex = (bytes: Uint8Array): string => [...bytes].map((one) => one.toString(16).padStart(2, '0')).join('')

async function encrypt(key: CryptoKey, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const made = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...iv, ...new Uint8Array(made)))
}

async function decrypt(key: CryptoKey, note: string): Promise<string> {
  const bytes = Uint8Array.from(atob(note), (one) => one.charCodeAt(0))
  const made = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(12))
  return new TextDecoder().decode(made)
}
