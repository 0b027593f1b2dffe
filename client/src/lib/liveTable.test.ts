// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveTable } from './liveTable.svelte'
import { settings } from './settings.svelte'
import { FakeSocket } from './socket.fake'
import type { GameEvent, TableInfo, Welcome } from './wire'

const table: TableInfo = {
  t: 'table',
  n: 2,
  id: 'tab',
  game: 'survive',
  rules: 1,
  players: 2,
  options: {},
  status: 'playing',
  chairs: [
    { name: 'Ana', who: 'a', colour: 'red', here: true },
    { bot: 'sprat', colour: 'blue' },
  ],
  owner: 'a',
  clock: { mode: 'none' },
}
const start = { game: 'survive', players: 2, actor: 0, phase: 'one', ask: 'ask.one' }
const offers = (...actions: number[]): { verb: string; keys: string[]; rows: unknown[][] }[] => [
  { verb: 'walk', keys: ['action', 'text'], rows: actions.map((action) => [action, `go ${action}`]) },
]
const welcome: Welcome = {
  t: 'welcome',
  n: 2,
  version: 2,
  table,
  you: 'a',
  seats: [0],
  seat: 0,
  view: start,
  choices: offers(1, 2),
  first: 3,
}

let live: LiveTable
const sent = (): string[] => FakeSocket.last.sent.map((command) => command.t)

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.install()
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network in tests')))
  settings.speed = 'none'
  settings.confirm = true
  live = new LiveTable('tab')
  FakeSocket.last.acceptConnection()
  FakeSocket.last.receiveFromServer(welcome)
})
afterEach(() => {
  live.closeConnection()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('coming to a table shows it as it is and asks for its log', () => {
  expect(live.view).toStrictEqual(start)
  expect(live.choices.map((choice) => choice.action)).toStrictEqual([1, 2])
  expect(sent()).toStrictEqual(['events'])
  FakeSocket.last.receiveFromServer({ t: 'events', first: 0, events: [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }] })
  expect(live.events.map((event) => event.kind)).toStrictEqual(['a', 'b', 'c'])
  expect(live.seen).toBe(3)
})

test('a choice goes out once; the update shows what became of it', () => {
  live.choose(live.choices[0]!)
  live.choose({ verb: 'walk', action: 2, text: 'go 2' })
  expect(sent()).toStrictEqual(['events', 'play'])
  expect(live.choices).toStrictEqual([])
  const id = (FakeSocket.last.sent[1] as { id: string }).id
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 3,
    version: 3,
    patch: { phase: ['two'] },
    choices: offers(4),
    first: 3,
    events: [{ kind: 'd' }],
  })
  FakeSocket.last.receiveFromServer({ t: 'ack', id, n: 3, version: 3 })
  expect(live.view?.phase).toBe('two')
  expect(live.choices.map((choice) => choice.action)).toStrictEqual([4])
  expect(live.played).toBe(1)
  expect(live.events.at(-1)?.kind).toBe('d')
})

test('there is nothing to take back where nothing of ours has happened', () => {
  expect(live.played).toBe(null)
  FakeSocket.last.receiveFromServer({
    t: 'events',
    first: 0,
    events: [{ kind: 'a' }, { kind: 'b', seat: 1 }, { kind: 'c' }],
  })
  expect(live.played).toBe(0)
})

test('a removed player sees it on the chair', () => {
  expect(live.isRemovedByOwner).toBe(false)
  FakeSocket.last.receiveFromServer({ ...table, chairs: [{ ...table.chairs[0], away: 'removed' }, table.chairs[1]!] })
  expect(live.isRemovedByOwner).toBe(true)
})

test('a placement may be undone once it was acknowledged; an undo is no placement', () => {
  const acknowledge = (): void => {
    const { id } = FakeSocket.last.sent.at(-1) as { id: string }
    FakeSocket.last.receiveFromServer({ t: 'ack', id, n: 3, version: 3 })
  }
  live.undo()
  acknowledge()
  expect(live.placed).toBe(false)
  live.choose(live.choices[0]!)
  acknowledge()
  expect(live.placed).toBe(true)
})

test('a late answer to one choice leaves the next one under way', () => {
  live.choose(live.choices[0]!)
  const id = (FakeSocket.last.sent.at(-1) as { id: string }).id
  FakeSocket.last.receiveFromServer({ t: 'update', n: 3, version: 3, choices: offers(4, 5), first: 3 })
  live.choose(live.choices[0]!)
  FakeSocket.last.receiveFromServer({ t: 'ack', id, n: 3, version: 3 })
  expect(live.sent?.action).toBe(4)
  live.choose({ verb: 'walk', action: 5, text: 'go 5' })
  expect(sent()).toStrictEqual(['events', 'play', 'play'])
})

test('a costly choice is asked once', () => {
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 3,
    version: 3,
    choices: [{ verb: 'walk', keys: ['action', 'text', 'loses'], rows: [[9, 'go', ['r1']]] }],
    first: 3,
  })
  live.choose(live.choices[0]!)
  expect(live.doubt?.action).toBe(9)
  expect(sent()).not.toContain('play')
  live.choose(live.doubt!)
  expect(sent()).toContain('play')
  expect(live.doubt).toBe(null)
})

test('a refusal gives the choices back and says why', () => {
  live.choose(live.choices[0]!)
  const id = (FakeSocket.last.sent.at(-1) as { id: string }).id
  FakeSocket.last.receiveFromServer({ t: 'refused', code: 'illegal', key: 'table.illegal', rule: 'SV.M9', id })
  expect(live.choices.length).toBe(2)
  expect(live.notice).toMatchObject({ rule: 'SV.M9', key: 'why.SV.M9' })
})

test('what was taken back leaves the log and the board', async () => {
  FakeSocket.last.receiveFromServer({ t: 'events', first: 0, events: [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }] })
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 3,
    version: 3,
    patch: { phase: ['two'] },
    first: 3,
    events: [{ kind: 'd' }],
  })
  live.undo()
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 4,
    version: 4,
    patch: { phase: ['one'] },
    choices: offers(1, 2),
    first: 3,
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(live.view?.phase).toBe('one')
  expect(live.events.map((event) => event.kind)).toStrictEqual(['a', 'b', 'c'])
  expect(live.seen).toBe(3)
})

test('a cut in the middle of a choice: it is neither lost nor doubled', () => {
  live.choose(live.choices[0]!)
  const play = FakeSocket.last.sent.at(-1)
  FakeSocket.last.breakConnection()
  vi.advanceTimersByTime(300)
  FakeSocket.last.acceptConnection()
  expect(FakeSocket.last.url).toContain('after=2')
  expect(FakeSocket.last.sent).toStrictEqual([play])
  FakeSocket.last.receiveFromServer({
    ...welcome,
    n: 3,
    version: 3,
    view: { ...start, phase: 'two' },
    choices: offers(4),
    first: 3,
    events: [{ kind: 'd' }],
  })
  FakeSocket.last.receiveFromServer({ t: 'ack', id: (play as { id: string }).id, n: 3, version: 3 })
  expect(live.view?.phase).toBe('two')
  expect(live.choices.map((choice) => choice.action)).toStrictEqual([4])
  expect(live.sent).toBe(null)
  expect(live.connection.hasUnacknowledged).toBe(false)
})

test('chat is counted until it is read, and is bounded', () => {
  for (let n = 1; n <= 230; n++)
    FakeSocket.last.receiveFromServer({ t: 'chat', n, at: 0, name: 'Iva', text: `${n}`, who: 'b' })
  FakeSocket.last.receiveFromServer({ t: 'chat', n: 230, at: 0, name: 'Iva', text: 'again', who: 'b' })
  expect(live.chat.length).toBe(200)
  expect(live.unread).toBe(230)
})

test('at a quiet table nothing that is said counts; else it counts for who said it', () => {
  const line = { t: 'chat' as const, at: 0, name: 'Iva', who: 'b', seat: 1 }
  settings.quiet = true
  FakeSocket.last.receiveFromServer({ ...line, n: 1, text: ':played:' })
  expect([live.unread, live.spoke]).toStrictEqual([0, []])
  settings.quiet = false
  FakeSocket.last.receiveFromServer({ ...line, n: 2, text: ':played:' })
  FakeSocket.last.receiveFromServer({ ...line, n: 3, text: 'from the shore', seat: null })
  expect([live.unread, live.spoke]).toStrictEqual([2, [1]])
  live.markChatRead()
  expect([live.unread, live.spoke]).toStrictEqual([0, []])
})

test('pending animations end within a bound when others wait for us', async () => {
  settings.speed = 'normal'
  live.table = { ...live.table!, chairs: live.table!.chairs.map((chair) => ({ ...chair, who: 'x', away: null })) }
  live.animationStepsOf = () => [{ ms: 400 }]
  const events = Array<GameEvent>(20).fill({ kind: 'd' })
  FakeSocket.last.receiveFromServer({ t: 'update', n: 3, version: 3, patch: { actor: [1] }, first: 3, events })
  await vi.advanceTimersByTimeAsync(400)
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 4,
    version: 4,
    patch: { actor: [0] },
    choices: offers(4),
    first: 23,
  })
  expect(live.seen).toBeLessThan(10)
  expect(live.choices).toStrictEqual([])
  await vi.advanceTimersByTimeAsync(1700)
  expect(live.seen).toBe(23)
  expect(live.choices.map((choice) => choice.action)).toStrictEqual([4])
})

test('a hint that comes too late is dropped', () => {
  live.requestHint()
  expect(live.pondering).toBe(true)
  FakeSocket.last.receiveFromServer({
    t: 'hint',
    version: 1,
    action: 1,
    text: 'go 1',
    bot: 'greedy',
    why: [],
    others: [],
    alike: false,
  })
  expect(live.hint).toBe(null)
  live.requestHint()
  FakeSocket.last.receiveFromServer({
    t: 'hint',
    version: 2,
    action: 2,
    text: 'go 2',
    bot: 'greedy',
    why: [],
    others: [],
    alike: false,
  })
  expect(live.hint?.action).toBe(2)
})

test('other ideas come in turn, each with its own reason, and the first again', () => {
  FakeSocket.last.receiveFromServer({ t: 'update', n: 3, version: 3, patch: {}, choices: offers(1, 2, 3), first: 3 })
  const why = (n: number) => [{ key: `hint.${n}`, args: {} }]
  const others = [2, 3].map((n) => ({ action: n, text: `go ${n}`, why: why(n) }))
  const hint = {
    t: 'hint' as const,
    version: 3,
    action: 1,
    text: 'go 1',
    bot: 'greedy',
    why: why(1),
    others,
    alike: true,
  }
  FakeSocket.last.receiveFromServer(hint)
  const seen = [0, 1, 2, 3].map((n) => (live.showSuggestion(n), [live.hint?.action, live.why[0]?.key]))
  expect(seen).toStrictEqual([
    [1, 'hint.1'],
    [2, 'hint.2'],
    [3, 'hint.3'],
    [1, 'hint.1'],
  ])
  expect(live.thought).toBeGreaterThanOrEqual(live.ideas.length)
  expect(live.alike).toBe(true)
})

test('other eyes begin the log again', () => {
  FakeSocket.last.receiveFromServer({ t: 'events', first: 0, events: [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }] })
  FakeSocket.last.receiveFromServer({ ...welcome, seat: 1, seats: [0, 1], choices: [] })
  expect(live.seat).toBe(1)
  expect(sent().filter((t) => t === 'events').length).toBe(2)
})

test('a lobby request that came too late shows no error', () => {
  FakeSocket.last.receiveFromServer({ t: 'refused', code: 'begun', key: 'table.begun' })
  expect(live.notice).toBe(null)
  FakeSocket.last.receiveFromServer({ ...table, status: 'gathering' })
  FakeSocket.last.receiveFromServer({ t: 'refused', code: 'taken', key: 'table.taken' })
  expect(live.notice?.key).toBe('table.taken')
})

test('a start that was refused is no start', () => {
  FakeSocket.last.receiveFromServer({ ...table, status: 'gathering' })
  live.starting = true
  FakeSocket.last.receiveFromServer({ t: 'refused', code: 'taken', key: 'table.taken' })
  expect(live.starting).toBe(false)
  live.starting = true
  FakeSocket.last.receiveFromServer(table)
  expect(live.starting).toBe(false)
})

test('a secret that may no longer be read is replaced and stored nowhere', () => {
  FakeSocket.last.receiveFromServer({
    t: 'events',
    first: 0,
    events: [{ kind: 'a' }, { kind: 'placed', value: 4 }, { kind: 'c' }] as GameEvent[],
  })
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 3,
    version: 3,
    first: 3,
    events: [{ kind: 'd' }],
    again: [{ n: 1, kind: 'placed' }],
  })
  expect(live.events).toStrictEqual([{ kind: 'a' }, { kind: 'placed' }, { kind: 'c' }, { kind: 'd' }])
})

test('after a welcome that does not go on from what we know, the log is asked for again', () => {
  FakeSocket.last.receiveFromServer({ t: 'events', first: 0, events: [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }] })
  FakeSocket.last.receiveFromServer(welcome)
  expect(live.events.every((event) => event.kind === '')).toBe(true)
  expect(sent().filter((one) => one === 'events').length).toBe(2)
})

test('at a hot seat that hides nothing the seat goes with the turn: no curtain, nothing lost, nothing to undo', async () => {
  FakeSocket.last.receiveFromServer({ ...welcome, seats: [0, 1] })
  live.choose(live.choices[0]!)
  const id = (FakeSocket.last.sent.at(-1) as { id: string }).id
  const events: GameEvent[] = [{ kind: 'walked', seat: 0 }]
  FakeSocket.last.receiveFromServer({
    ...{ t: 'update', n: 3, version: 3, seat: 1, first: 3, events },
    patch: { actor: [1] },
    choices: offers(5),
  })
  FakeSocket.last.receiveFromServer({ t: 'ack', id, n: 3, version: 3 })
  await vi.advanceTimersByTimeAsync(10)
  expect(live.curtain).toBe(false)
  expect(live.seat).toBe(1)
  expect(live.mine).toBe(true)
  expect(live.events.at(-1)).toStrictEqual(events[0])
  expect(live.played).toBe(0)
})

// --- others' actions ------------------------------------------------------------------------------------------------

/** A bot's turn of so many actions has come; each is an event of its own. */
function botPlays(count: number, first = 3, choices = offers(4)): void {
  settings.speed = 'normal'
  live.people = live.people.map((person, seat) => ({ ...person, bot: seat === 1 ? 'sprat' : null }))
  live.animationStepsOf = (view, event) => [{ view: { ...view, phase: event.kind }, ms: 400 }]
  live.rules = {
    turn: (event) => (event.kind === 'turn' ? event.seat! : null),
    part: (n) => (live.events[n]!.kind === 'turn' ? null : { picture: 'move' }),
  }
  const events: GameEvent[] = [{ kind: 'turn', seat: 1 }]
  for (let i = 0; i < count; i++) events.push({ kind: `act${i}` })
  FakeSocket.last.receiveFromServer({ t: 'update', n: 3, version: 3, patch: { actor: [1] }, first: 3, events: [] })
  events.forEach((event, i) =>
    FakeSocket.last.receiveFromServer({
      t: 'update',
      n: 4 + i,
      version: 4 + i,
      patch: {},
      first: first + i,
      events: [event],
    }),
  )
  const last = first + events.length
  FakeSocket.last.receiveFromServer({ t: 'update', n: 50, version: 50, patch: { actor: [0] }, choices, first: last })
}

test("a bot's plain actions are one picture, though they came one by one; then it is our turn", async () => {
  botPlays(12)
  expect(live.choices).toStrictEqual([])
  await vi.advanceTimersByTimeAsync(45)
  expect(live.view?.phase).toBe('act0')
  expect(live.othersActions.length).toBe(12)
  await vi.advanceTimersByTimeAsync(90)
  expect(live.view?.phase).toBe('act1')
  await vi.advanceTimersByTimeAsync(10 * 90)
  expect(live.choices).toStrictEqual([])
  await vi.advanceTimersByTimeAsync(150)
  expect(live.choices.map((choice) => choice.action)).toStrictEqual([4])
  expect(live.showing).toBe(null)
})

test('paused, an action stays; it is shown again; and all is skipped', async () => {
  botPlays(3)
  await vi.advanceTimersByTimeAsync(345)
  live.togglePause()
  await vi.advanceTimersByTimeAsync(5000)
  expect(live.view?.phase).toBe('act0')
  live.repeatLastAction() // ends it and shows it once more
  await vi.advanceTimersByTimeAsync(45)
  expect(live.showing).toBe(4)
  await vi.advanceTimersByTimeAsync(90)
  expect(live.showing).toBe(5)
  live.skipToTurn()
  await vi.advanceTimersByTimeAsync(1)
  expect(live.choices.length).toBe(1)
  expect(live.seen).toBe(7)
})

test('shown again, the board goes through the actions one by one and back to our choices', async () => {
  botPlays(2)
  await vi.advanceTimersByTimeAsync(1900)
  expect(live.choices.length).toBe(1)
  const now = live.view
  live.replayActions(live.othersActions)
  expect(live.choices).toStrictEqual([])
  await vi.advanceTimersByTimeAsync(550)
  expect(live.view?.phase).toBe('act0')
  expect(live.seen).toBe(6)
  await vi.advanceTimersByTimeAsync(700)
  expect(live.view).toBe(now)
  expect(live.choices.length).toBe(1)
})

test('a move of a person is not delayed by what bots did before', async () => {
  botPlays(5, 3, [])
  live.people = [...live.people, { ...live.people[1]!, bot: null, name: 'Bo' }]
  FakeSocket.last.receiveFromServer({ t: 'update', n: 51, version: 51, patch: { actor: [2] }, first: 9 })
  FakeSocket.last.receiveFromServer({
    t: 'update',
    n: 52,
    version: 52,
    patch: { actor: [0] },
    first: 9,
    events: [{ kind: 'theirs' }],
  })
  await vi.advanceTimersByTimeAsync(750) // what is shown already ends
  expect(live.seen).toBe(10)
})

test('what can be shown again is forgotten with what was known', async () => {
  botPlays(2)
  await vi.advanceTimersByTimeAsync(1900)
  expect(live.canRepeatActions(live.othersActions)).toBe(true)
  FakeSocket.last.receiveFromServer({ t: 'update', n: 60, version: 60, first: 6, again: [{ n: 4, kind: 'act0' }] })
  expect(live.canRepeatActions(live.othersActions)).toBe(false)
})
