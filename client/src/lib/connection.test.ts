// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connection } from './connection.svelte'
import { FakeSocket } from './socket.fake'
import type { ServerMessage } from './wire'

let received: ServerMessage[] = []
let connection: Connection

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.install()
  received = []
  connection = new Connection('tab', (news) => received.push(news))
  FakeSocket.last.acceptConnection()
})
afterEach(() => {
  connection.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const play = { t: 'play', version: 3, id: 'p1', action: 7 } as const

test('messages are received', () => {
  FakeSocket.last.receiveFromServer({ t: 'pong', n: 4 })
  expect(received).toStrictEqual([{ t: 'pong', n: 4 }])
  expect(connection.state).toBe('open')
})

test('a lost connection comes back and asks for what it missed', () => {
  FakeSocket.last.receiveFromServer({ t: 'update', n: 12, version: 12 })
  FakeSocket.last.breakConnection()
  expect(connection.state).toBe('lost')
  vi.advanceTimersByTime(310)
  expect(FakeSocket.all.length).toBe(2)
  expect(FakeSocket.last.url).toContain('?after=12')
  FakeSocket.last.acceptConnection()
  expect(connection.state).toBe('open')
})

test('a choice without an answer is sent again with the same id, and no more once it was acknowledged', () => {
  connection.sendCommand(play)
  FakeSocket.last.breakConnection()
  vi.advanceTimersByTime(310)
  FakeSocket.last.acceptConnection()
  expect(FakeSocket.last.sent).toStrictEqual([play])
  expect(connection.hasUnacknowledged).toBe(true)
  FakeSocket.last.receiveFromServer({ t: 'ack', id: 'p1', n: 4, version: 4 })
  expect(connection.hasUnacknowledged).toBe(false)
  FakeSocket.last.breakConnection()
  vi.advanceTimersByTime(810)
  FakeSocket.last.acceptConnection()
  expect(FakeSocket.last.sent).toStrictEqual([])
})

test('a choice whose answer may have been dropped is sent again after a complete welcome', () => {
  const welcome = { t: 'welcome', n: 3, version: 3 } as ServerMessage
  FakeSocket.last.receiveFromServer(welcome)
  connection.sendCommand(play)
  expect(FakeSocket.last.sent).toStrictEqual([play])
  FakeSocket.last.receiveFromServer(welcome)
  expect(FakeSocket.last.sent).toStrictEqual([play, play])
  FakeSocket.last.receiveFromServer({ t: 'ack', id: 'p1', n: 4, version: 4 })
  FakeSocket.last.receiveFromServer(welcome)
  expect(FakeSocket.last.sent).toStrictEqual([play, play])
})

test('a choice made while there is no connection is sent when there is one; a refused one is done with', () => {
  FakeSocket.last.breakConnection()
  expect(connection.sendCommand(play)).toBe(false)
  vi.advanceTimersByTime(310)
  FakeSocket.last.acceptConnection()
  expect(FakeSocket.last.sent).toStrictEqual([play])
  FakeSocket.last.receiveFromServer({ t: 'refused', code: 'stale', key: 'table.stale', id: 'p1' })
  expect(connection.hasUnacknowledged).toBe(false)
})

test('it waits longer from try to try, more or less by chance, and starts again when it is served', () => {
  const tries = (): number => FakeSocket.all.length
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const unseen = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  for (const wait of [200, 500, 1000, 2000, 4000, 8000, 8000, 12_000, 4000, 30_000]) {
    chance.mockReturnValue(wait === 12_000 ? 1 : wait === 4000 && tries() > 6 ? 0 : 0.5)
    unseen.mockReturnValue(wait === 30_000)
    const before = tries()
    FakeSocket.last.breakConnection()
    vi.advanceTimersByTime(wait - 10)
    expect(tries()).toBe(before)
    vi.advanceTimersByTime(20)
    expect(tries()).toBe(before + 1)
  }
  chance.mockReturnValue(0.5)
  const welcome = { t: 'welcome', n: 3, version: 3 } as ServerMessage
  const board = { t: 'lobby', fresh: true, tables: {} } as ServerMessage
  for (const message of [welcome, board]) {
    FakeSocket.last.acceptConnection()
    FakeSocket.last.receiveFromServer(message)
    const before = tries()
    FakeSocket.last.breakConnection()
    vi.advanceTimersByTime(210)
    expect(tries()).toBe(before + 1)
  }
  vi.restoreAllMocks()
})

/** A server whose database is away: it accepts a socket, refuses and closes it. */
function refuseAll(from: number): void {
  for (const socket of FakeSocket.all.slice(from)) {
    socket.acceptConnection()
    socket.receiveFromServer({ t: 'refused', code: 'store', key: 'table.store' })
    socket.receiveFromServer({ t: 'lobby', waiting: [] })
    socket.breakConnection(1013, 'store')
  }
}

test('a hundred pages ask ever less of a server whose database is away, and not all at once', () => {
  connection.close()
  FakeSocket.all = []
  const pages = Array.from({ length: 100 }, (_, n) => new Connection(`table${n}`, () => {}))
  const openings: number[] = [] // by second
  let known = 0
  for (let second = 0; second < 60; second++) {
    for (let tenth = 0; tenth < 10; tenth++) {
      refuseAll(known)
      openings[second] = (openings[second] ?? 0) + FakeSocket.all.length - known
      known = FakeSocket.all.length
      vi.advanceTimersByTime(100)
    }
  }
  const calm = openings.slice(20)
  expect(FakeSocket.all.length / 100).toBeLessThan(14) // a page, in a minute
  expect(Math.max(...calm)).toBeLessThan(30)
  expect(Math.min(...calm)).toBeGreaterThan(1)
  for (const page of pages) page.close()
})

test('a server that restarts says when to come back', () => {
  FakeSocket.last.breakConnection(1012, '730')
  vi.advanceTimersByTime(729)
  expect(FakeSocket.all.length).toBe(1)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all.length).toBe(2)
  FakeSocket.last.breakConnection(1012, 'soon') // no number: as usual
  vi.advanceTimersByTime(99)
  expect(FakeSocket.all.length).toBe(2)
  vi.advanceTimersByTime(210)
  expect(FakeSocket.all.length).toBe(3)
})

test('offline cuts at once, online comes back at once', () => {
  const old = FakeSocket.last
  dispatchEvent(new Event('offline'))
  expect(connection.state).toBe('lost')
  expect(old.readyState).toBe(3)
  dispatchEvent(new Event('online'))
  expect(FakeSocket.last).not.toBe(old)
  old.receiveFromServer({ t: 'pong', n: 99 })
  expect(received).toStrictEqual([]) // the old socket is ignored
})

test('silence is a lost connection', () => {
  vi.advanceTimersByTime(31_000)
  expect(connection.state).toBe('lost')
  expect(FakeSocket.all[0]!.sent.some((command) => command.t === 'ping')).toBe(true)
})

test('a table that is not there ends it', () => {
  let code = 0
  const other = new Connection(
    'none',
    () => {},
    (found) => (code = found),
  )
  FakeSocket.last.acceptConnection()
  FakeSocket.last.breakConnection(4404)
  expect(code).toBe(4404)
  expect(other.state).toBe('closed')
  const before = FakeSocket.all.length
  vi.advanceTimersByTime(20_000)
  expect(FakeSocket.all.length).toBe(before)
})

test('who was turned away for too many connections waits longer than who was cut off', () => {
  FakeSocket.last.breakConnection()
  vi.advanceTimersByTime(400)
  expect(FakeSocket.all.length).toBe(2)
  FakeSocket.last.acceptConnection()
  FakeSocket.last.breakConnection(1008)
  vi.advanceTimersByTime(9900)
  expect(FakeSocket.all.length).toBe(2)
  vi.advanceTimersByTime(200)
  expect(FakeSocket.all.length).toBe(3)
})
