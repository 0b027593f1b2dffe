// @vitest-environment happy-dom
// Who holds a table, and who is called for it: a friend's page and a host's, over links that are only noted.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FRIEND, GUESTS, isFriendTable } from './playerNameStorage'
import type { ResponseListener, Talk, WorkerResponse, WorkerTask } from './offlineMessages'
import { decodeDescription, encodeDescription, type Description } from './peerDescription'
import type { PartnerRecord } from './peerStorage'

const DEVICE = 'ab'.repeat(32)
const ANOTHER = 'cd'.repeat(32)
const TABLE = 'here-x'
const GIVEN = 'landfall.given.'

/** A link that opens when a test says so. */
class FakeLink {
  static all: FakeLink[] = []
  state: 'new' | 'open' | 'closed' = 'new'
  device = ''
  way: 'dials' | 'listens' | 'offers' | 'answers' = 'offers'
  sent: string[] = []
  onopen = (): void => {}
  onclose = (): void => {}
  onmessage: (text: string) => void = () => {}
  onnote: (note: object) => void = () => {}
  onpath = (): void => {}

  static create(): Promise<FakeLink> {
    const link = new FakeLink()
    FakeLink.all.push(link)
    return Promise.resolve(link)
  }
  createOffer(): Promise<Description> {
    return Promise.resolve(described(`offer${FakeLink.all.length}`))
  }
  answerOffer(offer: { fingerprint: string; ufrag: string }): Promise<Description> {
    ;[this.way, this.device] = ['answers', offer.fingerprint]
    return Promise.resolve({ ...described(`answer${FakeLink.all.length}`), to: offer.ufrag })
  }
  async acceptAnswer(answer: Description): Promise<void> {
    this.device = answer.fingerprint
  }
  async waitForDialer(dialer: { fingerprint: string; ufrag: string }): Promise<Description> {
    const found = await this.answerOffer(dialer)
    this.way = 'listens'
    return found
  }
  async dialListener(_: unknown, listener: Description): Promise<void> {
    ;[this.way, this.device] = ['dials', listener.fingerprint]
  }
  send(text: string): void {
    this.sent.push(text)
  }
  sendNote(): void {}
  open(): void {
    if (this.state !== 'new') return
    this.state = 'open'
    this.onopen()
  }
  close(): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.onclose()
  }
}
const linksThat = (way: FakeLink['way']): FakeLink[] => FakeLink.all.filter((one) => one.way === way)

const described = (ufrag: string, fingerprint = DEVICE): Description => ({
  ufrag,
  pwd: 'p'.repeat(24),
  fingerprint,
  setup: 'actpass',
  candidates: [{ kind: 'host', address: '192.168.1.7', port: 40000 }],
  to: '',
})
const recordOf = (table: string, more: Partial<PartnerRecord> = {}): PartnerRecord => ({
  table,
  own: { ufrag: 'ownownow', pwd: 'o'.repeat(24) },
  device: DEVICE,
  listeners: [encodeDescription(described('listener'))],
  dialer: { ufrag: 'theirs01', pwd: 't'.repeat(24), fingerprint: DEVICE },
  at: Date.now(),
  ...more,
})

const requestOffline = vi.fn<(method: string, path: string, body?: unknown) => Promise<Response>>()
const said: WorkerTask[] = []
vi.mock('./peerLink', async (original) => ({ ...(await original<typeof import('./peerLink')>()), PeerLink: FakeLink }))
vi.mock('./peerRendezvous', () => ({ exchangeNotes: async () => {} }))
vi.mock('./peerStorage', async (original) => ({
  ...(await original<typeof import('./peerStorage')>()),
  ownFingerprint: async () => ANOTHER,
}))
vi.mock('./offline', () => ({
  STATIC_SITE: false,
  requestOffline: (...given: Parameters<typeof requestOffline>) => requestOffline(...given),
  openWorkerTalk: (listener: ResponseListener): Promise<Talk> => {
    void listener
    return Promise.resolve({ say: (task) => void said.push(task), end: () => {} })
  },
}))

const answerOf = (body: unknown): Response =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
const fileOf = (table: string): string => JSON.stringify({ landfall: 1, table })
/** Some time passes. */
const pass = async (ms = 100): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms))
/** What another page of this browser has written. */
function writeElsewhere(key: string, value: unknown): void {
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  localStorage.clear()
  FakeLink.all = []
  said.length = 0
  requestOffline.mockReset()
  requestOffline.mockImplementation(async (_, __, body) =>
    answerOf(JSON.parse((body as { file?: string }).file ?? 'null')),
  )
})
afterEach(() => vi.useRealTimers())

/** A page that is a friend's at a table, connected to the host. */
async function befriend(table = TABLE): Promise<{ received: WorkerResponse[]; link: FakeLink }> {
  localStorage.setItem(FRIEND + table, JSON.stringify(recordOf(table, { key: 'k' })))
  const { openHostTalk } = await import('./peerHostClient')
  const received: WorkerResponse[] = []
  const talking = openHostTalk(table, (response) => void received.push(response))
  await pass()
  const link = linksThat('dials').at(-1)!
  link.open()
  await pass(2000)
  await talking
  return { received, link }
}

test('who takes a table over is no friend at it any more, though the former host calls', async () => {
  const { received, link } = await befriend()
  const standbys = linksThat('listens')
  expect(standbys.length).toBe(4)
  const { takeOverTable } = await import('./peerHandover')
  await takeOverTable(fileOf(TABLE), false)
  expect(isFriendTable(TABLE)).toBe(false)
  standbys[0]!.open()
  await pass()
  expect(isFriendTable(TABLE)).toBe(false)
  expect(link.state).toBe('closed')
  expect(standbys.map((one) => one.state)).toStrictEqual(Array(4).fill('closed'))
  expect(received).toStrictEqual([{ n: 1, shut: 1006 }])
})

test('a page knows that another page of its device has taken the table over', async () => {
  const { received, link } = await befriend()
  localStorage.removeItem(FRIEND + TABLE)
  writeElsewhere(GIVEN + TABLE, 'here')
  linksThat('listens')[0]!.open()
  await pass()
  expect(isFriendTable(TABLE)).toBe(false)
  expect(link.state).toBe('closed')
  expect(received).toStrictEqual([{ n: 1, shut: 1006 }])
})

test.each(['here', '1'])('the former host does not say where a rematch is that was moved: %s', async (holder) => {
  const { takeOverTable } = await import('./peerHandover')
  await takeOverTable(fileOf('here-b'), false)
  if (holder === '1') (await import('./peerStorage')).markGivenAway('here-b')
  const { link } = await befriend('here-a')
  link.onmessage(`.${JSON.stringify({ n: 1, text: '{"t":"table","table":{"successor":"here-b"}}' })}`)
  await pass()
  expect(isFriendTable('here-b')).toBe(false)
  link.onmessage(`.${JSON.stringify({ n: 1, text: '{"t":"table","table":{"successor":"here-c"}}' })}`)
  expect(isFriendTable('here-c')).toBe(true)
})

test('who took a table over and accepts an invitation to it is a friend there again', async () => {
  const { takeOverTable } = await import('./peerHandover')
  await takeOverTable(fileOf(TABLE), false)
  const { acceptInvitation } = await import('./peerHostClient')
  const offer = decodeDescription(encodeDescription(described('invites')))!
  await acceptInvitation(
    TABLE,
    offer,
    true,
    () => {},
    () => {},
  )
  linksThat('answers').at(-1)!.open()
  await pass()
  expect(isFriendTable(TABLE)).toBe(true)
})

test('a page takes the credentials over that another page of its device has learned', async () => {
  const { link } = await befriend()
  const dialer = { ufrag: 'theirs02', pwd: 'u'.repeat(24), fingerprint: DEVICE }
  writeElsewhere(FRIEND + TABLE, recordOf(TABLE, { key: 'k', dialer }))
  link.onnote({ name: 'Ana' })
  await pass()
  expect(JSON.parse(localStorage.getItem(FRIEND + TABLE)!)).toMatchObject({ name: 'Ana', dialer })
  const before = linksThat('listens')
  link.onnote({ dialer, listeners: [] })
  expect(before.map((one) => one.state)).toStrictEqual(Array(4).fill('closed'))
})

// --- the host's page --------------------------------------------------------------------------------------------------

const keptGuests = (): string[] => Object.keys(JSON.parse(localStorage.getItem(GUESTS) ?? '{}') as object)

/** A page of a host, with the friends of before. */
async function host(guests: Record<string, PartnerRecord>): Promise<typeof import('./peerHost.svelte')> {
  localStorage.setItem(GUESTS, JSON.stringify(guests))
  const page = await import('./peerHost.svelte')
  page.redialStoredFriends()
  await pass()
  return page
}

test('a page of the host lets a friend go whom another page has invited again', async () => {
  const page = await host({ one: recordOf(TABLE) })
  const [standby, calls] = [linksThat('listens')[0]!, linksThat('dials')]
  expect(calls.length).toBe(1)
  writeElsewhere(GUESTS, { two: recordOf(TABLE) })
  expect(standby.state).toBe('closed')
  calls[0]!.open()
  await pass(60_000)
  expect(keptGuests()).toStrictEqual(['two'])
  expect(page.absent.size).toBe(0)
})

test('an invitation that nobody has used yet is not let go', async () => {
  const page = await host({})
  const invitation = await page.Invitation.create(TABLE)
  writeElsewhere(GUESTS, { two: recordOf(TABLE) })
  linksThat('offers')[0]!.open()
  expect(invitation.state).toBe('open')
  await pass()
  expect(keptGuests().length).toBe(2)
})

test('friends who play at the device that took the table over are not called, and not missed', async () => {
  const { markGivenAway, markHeldHere } = await import('./peerStorage')
  const dialer = { ufrag: 'theirs02', pwd: 'u'.repeat(24), fingerprint: DEVICE }
  const page = await host({
    one: recordOf('here-a', { latest: TABLE, name: 'Ana' }),
    two: recordOf('here-b', { dialer }),
  })
  await pass(10_000)
  expect([...page.absent.keys()]).toStrictEqual(['one', 'two'])
  markGivenAway(TABLE)
  page.disconnectFriends()
  expect([...page.absent.keys()]).toStrictEqual(['two'])
  await pass(30_000)
  const before = linksThat('dials').length
  await pass(60_000)
  const calls = linksThat('dials').length - before
  expect([...page.absent.keys()]).toStrictEqual(['two'])
  markHeldHere(TABLE)
  page.disconnectFriends()
  await pass(10_000)
  expect([...page.absent.keys()]).toStrictEqual(['two', 'one'])
  const again = linksThat('dials').length
  await pass(60_000)
  expect(linksThat('dials').length - again).toBeGreaterThan(1.5 * calls)
})

test('a page that is loaded while the table is elsewhere calls nobody there until it is taken back', async () => {
  const { markHeldHere } = await import('./peerStorage')
  localStorage.setItem(GIVEN + TABLE, '1')
  const page = await host({ one: recordOf(TABLE, { name: 'Ana' }) })
  await pass(10_000)
  expect(page.absent.size).toBe(0)
  expect(FakeLink.all).toStrictEqual([])
  markHeldHere(TABLE)
  page.redialStoredFriends()
  await pass(10_000)
  expect([...page.absent]).toStrictEqual([['one', 'Ana']])
})

test('messages for a table that was given away are dropped, however many', async () => {
  await host({ one: recordOf(TABLE) })
  const link = linksThat('dials')[0]!
  link.open()
  localStorage.setItem(GIVEN + TABLE, '1')
  for (let n = 0; n < 1000; n++) link.onmessage(`.${JSON.stringify({ n, do: 'open', table: TABLE })}`)
  await pass()
  expect(link.state).toBe('open')
  expect(said.filter((task) => task.do === 'receive')).toStrictEqual([])
  for (let n = 0; n < 1000; n++) link.onmessage(`.${JSON.stringify({ n, do: 'open', table: 'here-y' })}`)
  expect(link.state).toBe('closed')
})

test('friends are called though the browser grants no locks', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new Error('no locks')) } })
  await host({ one: recordOf(TABLE) })
  vi.unstubAllGlobals()
  expect(linksThat('dials').length).toBe(1)
})

test('a table whose file cannot be made is not given away', async () => {
  const page = await host({ one: recordOf(TABLE) })
  linksThat('dials')[0]!.open()
  requestOffline.mockRejectedValue(new Error('the worker is lost'))
  const values: boolean[] = []
  const { isGivenAway } = page
  addEventListener('storage', () => values.push(isGivenAway(TABLE)))
  const { handOverTableAsFile } = await import('./peerHandover')
  await expect(handOverTableAsFile(TABLE)).rejects.toThrow('the worker is lost')
  expect(isGivenAway(TABLE)).toBe(false)
  expect(values).toStrictEqual([true, false])
})
