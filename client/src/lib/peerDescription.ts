// What two pages must know of each other to connect: credentials, a fingerprint, addresses. Of the browser's SDP only
// these travel, in some 120 characters; the rest is the same everywhere.

/** A way to reach a page, as browsers find it. */
export interface Candidate {
  kind: 'host' | 'srflx' | 'relay'
  address: string
  port: number
}
export interface Credentials {
  ufrag: string
  pwd: string
  fingerprint: string // of the page's certificate, SHA-256 in hex
}
export interface Description extends Credentials {
  setup: 'actpass' | 'active' | 'passive'
  candidates: Candidate[]
  /** Of an answer: whose offer it answers, by its `ufrag`. */
  to: string
}

const SETUPS = ['actpass', 'active', 'passive'] as const
const KINDS = ['host', 'srflx', 'relay'] as const
const PREFERENCE = { host: 126, srflx: 100, relay: 0 }
const MAX_CANDIDATES = 8
const TOKEN = /^[A-Za-z0-9+/]{4,40}$/ // as in RFC 8839: nothing else may stand in a line of SDP
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\.local$/
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const IPV6 = /^[0-9a-f:]{2,39}$/i
const HEX = /^[0-9a-f]{64}$/

const fromHex = (hex: string): number[] => (hex.match(/../g) ?? []).map((two) => parseInt(two, 16))
const toHex = (bytes: Iterable<number>): string => [...bytes].map((one) => one.toString(16).padStart(2, '0')).join('')

/** Read what the browser says of itself. */
export function parseSdp(sdp: string, to = ''): Description {
  const sdpAttribute = (name: string): string => new RegExp(`^a=${name}:(.*?)\\s*$`, 'm').exec(sdp)?.[1] ?? ''
  const candidates: Candidate[] = []
  for (const [, address, port, kind] of sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (\w+)/gim))
    if (KINDS.includes(kind as Candidate['kind']) && isAddress(address!))
      candidates.push({ kind: kind as Candidate['kind'], address: address!, port: Number(port) })
  return {
    ufrag: sdpAttribute('ice-ufrag'),
    pwd: sdpAttribute('ice-pwd'),
    fingerprint: sdpAttribute('fingerprint')
      .replace(/^sha-256 /i, '')
      .replaceAll(':', '')
      .toLowerCase(),
    setup: SETUPS.find((one) => one === sdpAttribute('setup')) ?? 'actpass',
    candidates: candidates.slice(0, MAX_CANDIDATES),
    to,
  }
}

/** The SDP of a page with one data transport. */
export function toSdp(page: Credentials & Partial<Description>): string {
  const fingerprint = page.fingerprint.toUpperCase().match(/../g)!.join(':')
  const lines = [
    'v=0',
    'o=- 1 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    ...(page.candidates ?? []).map(
      ({ kind, address, port }, i) =>
        `a=candidate:${i + 1} 1 udp ${PREFERENCE[kind] * 2 ** 24 + (65535 - i) * 256 + 255} ${address} ${port} typ ${kind}` +
        (kind === 'host' ? '' : ' raddr 0.0.0.0 rport 9'),
    ),
    `a=ice-ufrag:${page.ufrag}`,
    `a=ice-pwd:${page.pwd}`,
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${page.setup ?? 'actpass'}`,
    'a=mid:0',
    'a=sctp-port:5000',
    'a=max-message-size:262144',
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

const isAddress = (text: string): boolean => UUID.test(text) || IPV4.test(text) || IPV6.test(text)

/** Whether a description may be trusted to be one: it comes from somebody else. */
export function hasValidCredentials(page: Credentials): boolean {
  return TOKEN.test(page.ufrag) && TOKEN.test(page.pwd) && HEX.test(page.fingerprint)
}

/** A short text for a link or a code. */
export function encodeDescription(page: Description): string {
  const text = (value: string): number[] => [value.length, ...[...value].map((one) => one.charCodeAt(0))]
  const bytes = [SETUPS.indexOf(page.setup), ...text(page.to), ...text(page.ufrag), ...text(page.pwd)]
  bytes.push(...fromHex(page.fingerprint), page.candidates.length)
  for (const { kind, address, port } of page.candidates) {
    const name = UUID.exec(address)
    const form = name ? 0 : IPV4.test(address) ? 1 : 2
    bytes.push(KINDS.indexOf(kind) * 4 + form, port >> 8, port & 255)
    if (name) bytes.push(...fromHex(name.slice(1).join('')))
    else if (form === 1) bytes.push(...address.split('.').map(Number))
    else bytes.push(...text(address))
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Read such a text; undefined if it is none. A link around it is ignored. */
export function decodeDescription(code: string): Description | undefined {
  try {
    const plain = code
      .trim()
      .replace(/^.*[#/]/s, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/')
    const bytes = [...atob(plain)].map((one) => one.charCodeAt(0))
    let at = 0
    const takeBytes = (n: number): number[] => {
      if (at + n > bytes.length) throw new Error('too short')
      return bytes.slice(at, (at += n))
    }
    const takeByte = (): number => takeBytes(1)[0]!
    const text = (): string => String.fromCharCode(...takeBytes(takeByte()))
    const setup = SETUPS[takeByte()]!
    const [to, ufrag, pwd] = [text(), text(), text()]
    const fingerprint = toHex(takeBytes(32))
    const candidates = Array.from({ length: takeByte() }, (): Candidate => {
      const head = takeByte()
      const [high, low] = takeBytes(2) as [number, number]
      const kind = KINDS[head >> 2]!
      const address =
        (head & 3) === 0
          ? `${toHex(takeBytes(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}.local`
          : (head & 3) === 1
            ? takeBytes(4).join('.')
            : text()
      return { kind, address, port: high * 256 + low }
    })
    const found = { setup, to, ufrag, pwd, fingerprint, candidates }
    const fine =
      at === bytes.length &&
      hasValidCredentials(found) &&
      setup &&
      (to === '' || TOKEN.test(to)) &&
      candidates.length <= MAX_CANDIDATES &&
      candidates.every((one) => one.kind && isAddress(one.address))
    return fine ? found : undefined
  } catch {
    return undefined
  }
}
