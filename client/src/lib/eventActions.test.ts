import { describe, expect, test } from 'vitest'
import {
  groupEventsIntoActions,
  othersActionsSinceLastTurn,
  groupActionsBySeat,
  indicesToFold,
  actionDurationMs,
  eventTimingInAction,
  type Action,
  type ActionRules,
  type Speed,
} from './eventActions'
import type { GameEvent } from './scene.svelte'

type TestEvent = GameEvent & { piece?: string; hurts?: number[]; reveals?: boolean }
const turn = (seat: number): TestEvent => ({ kind: 'turn', seat })
const move = (piece: string): TestEvent => ({ kind: 'move', piece })
const strike = (...hurts: number[]): TestEvent => ({ kind: 'strike', hurts })
const quiet: TestEvent = { kind: 'quiet' }

function rules(events: TestEvent[]): ActionRules {
  return {
    turn: (event) => (event.kind === 'turn' ? event.seat! : null),
    part: (n) => {
      const { kind, piece, hurts = [] } = events[n]!
      if (kind === 'move') return { picture: 'move', group: piece }
      if (kind === 'strike') return { picture: 'strike', group: 'strike', weight: 'strike', touches: hurts }
      if (kind === 'reveal') return { picture: 'reveal', weight: 'reveal' }
      return kind === 'hit' ? { picture: '', touches: hurts } : null
    },
  }
}
const group = (events: TestEvent[]): Action[] => groupEventsIntoActions(events, 0, events.length, rules(events))
const since = (events: TestEvent[], seat: number): Action[] =>
  othersActionsSinceLastTurn(events, events.length, seat, rules(events))
const spans = (actions: Action[]): number[][] => actions.map((one) => [one.seat, one.first, one.last])

describe('grouping', () => {
  test('moves of one piece in a row are one action, and all of them are described', () => {
    const [first, second] = group([turn(0), move('a'), move('a'), move('b')])
    expect(first).toMatchObject({ seat: 0, first: 1, last: 2, leads: [1, 2], described: [1, 2], count: 2 })
    expect(second).toMatchObject({ first: 3, count: 1 })
  })
  test('different parts of one group are shown one after the other', () => {
    const events: TestEvent[] = [turn(0), { kind: 'move', piece: 'strike' }, strike(1), strike(2)]
    expect(group(events)[0]).toMatchObject({ first: 1, last: 3, leads: [1, 2, 3], picture: 'strike' })
  })
  test('what has no picture of its own joins the action before it', () => {
    expect(spans(group([turn(0), quiet, move('a'), quiet, { kind: 'hit', hurts: [2] }, move('b')]))).toStrictEqual([
      [0, 2, 4],
      [0, 5, 5],
    ])
  })
  test('what accompanies an action is described, but not drawn', () => {
    expect(group([turn(0), move('a'), quiet, { kind: 'hit', hurts: [2] }])[0]).toMatchObject({
      leads: [1],
      described: [1, 3],
    })
  })
  test('another seat begins another action, also with the same piece', () => {
    expect(spans(group([turn(0), move('a'), turn(1), move('a')]))).toStrictEqual([
      [0, 1, 1],
      [1, 3, 3],
    ])
  })
  test('the affected seats are known, the acting one is none of them', () => {
    const [action] = group([turn(1), strike(0, 1), strike(2), { kind: 'hit', hurts: [2, 3] }])
    expect([...action!.touches]).toStrictEqual([
      [0, [1]],
      [2, [2, 3]],
      [3, [3]],
    ])
    expect(action!.weight).toBe('strike')
  })
  test('events that were not received yet are passed over', () => {
    expect(spans(group([turn(0), { kind: '' }, move('a')]))).toStrictEqual([[0, 2, 2]])
  })
})

describe('since my turn', () => {
  const round = [turn(0), move('a'), turn(1), move('b'), turn(2), move('c'), quiet]
  test('while others play, what they did so far', () => {
    expect(spans(since(round, 0))).toStrictEqual([
      [1, 3, 3],
      [2, 5, 6],
    ])
  })
  test('in my turn, what they did before it, and the same after my first choices', () => {
    expect(spans(since([...round, turn(0)], 0))).toStrictEqual(spans(since(round, 0)))
    expect(spans(since([...round, turn(0), move('a'), move('d')], 0))).toStrictEqual(spans(since(round, 0)))
  })
  test('a turn that begins several times is one', () => {
    expect(spans(since([...round, turn(0), move('a'), turn(0), move('d')], 0))).toStrictEqual(spans(since(round, 0)))
  })
  test('in my very first turn, everything', () => {
    expect(spans(since([turn(1), move('b'), turn(0)], 0))).toStrictEqual([[1, 1, 1]])
  })
  test('rows are by player, in order', () => {
    expect(
      groupActionsBySeat(since([...round, turn(1), move('e')], 0)).map((row) => row.map((one) => one.first)),
    ).toStrictEqual([[3, 8], [5]])
  })
})

describe('a folded row', () => {
  const row = group([turn(1), ...'abcdefgh'.split('').map(move)])
  const seen = (most: number, heavy: string): string => {
    const letters = row.map((_, i) => 'abcdefgh'[i]!)
    const folded = indicesToFold(row, most, (action) => (heavy.includes(letters[row.indexOf(action)]!) ? 1 : 0))
    return letters
      .map((letter, i) => (!folded.includes(i) ? letter : i === folded.at(-1) ? `+${folded.length}` : ''))
      .join('')
  }
  test('folds at its end', () => {
    expect(seen(6, '')).toBe('abcde+3')
  })
  test('shows what is important in its place, and what is folded in its own', () => {
    expect(seen(6, 'h')).toBe('abcd+3h')
    expect(seen(6, 'afgh')).toBe('ab+3fgh')
    expect(seen(6, 'abcdefgh')).toBe('abcde+3')
  })
  test('folds nothing important while something else could be', () => {
    expect(seen(6, 'bdfh')).toBe('abdf+3h')
    expect(seen(6, 'abcdgh')).toBe('abcd+3h')
  })
  test('is whole if there is room', () => {
    expect(seen(8, '')).toBe('abcdefgh')
    expect(seen(Infinity, '')).toBe('abcdefgh')
  })
})

describe('the pace', () => {
  const all = { reader: 0, speed: 'normal' as Speed, spent: 0, later: [] as Action[] }
  const total = (action: Action, speed: Speed, spent = 0, later: Action[] = []): number => {
    let sum = 0
    for (let n = action.first; n <= action.last; n++) {
      const { ring, move, rest, overlap } = eventTimingInAction(action, n, { ...all, speed, spent, later })
      sum += ring + move - overlap + rest
    }
    return sum
  }
  const [one, three, hurt, other] = group([turn(1), move('a'), move('b'), move('b'), strike(0), move('c'), strike(2)])
    .filter((action) => action.picture === 'move' || action.picture === 'strike')
    .filter((_, i) => i !== 3) as [Action, Action, Action, Action]

  test('a plain action moves for 300 ms, and the next one begins after 90', () => {
    expect(eventTimingInAction(one, one.first, all)).toMatchObject({ ring: 0, move: 300, rest: 0, overlap: 210 })
  })
  test('grouped moves share the time of one', () => {
    expect(total(three, 'normal')).toBe(240)
  })
  test('slow, fast and still', () => {
    expect(total(one, 'slow')).toBeCloseTo(144)
    expect(total(one, 'fast')).toBeCloseTo(45)
    expect(eventTimingInAction(one, one.first, { ...all, speed: 'none' })).toMatchObject({
      ring: 0,
      move: 0,
      rest: 350,
    })
  })
  test('a strike on the reader takes longest and is whole, one on another is short', () => {
    expect(actionDurationMs(hurt, 0, 'normal')).toBe(1900)
    expect(eventTimingInAction(hurt, hurt.first, all)).toMatchObject({
      ring: 120,
      rest: 300,
      overlap: 0,
      touches: true,
    })
    expect(actionDurationMs(other, 0, 'normal')).toBe(700)
    expect(eventTimingInAction(other, other.first, all).touches).toBe(false)
    expect(actionDurationMs(group([turn(1), { kind: 'reveal' }])[0]!, 0, 'normal')).toBe(1800)
  })
  const shownMs = (events: TestEvent[], speed: Speed): number => {
    const actions = group(events)
    let spent = 0
    actions.forEach((action, i) => (spent += total(action, speed, spent, actions.slice(i + 1))))
    return spent
  }
  test('one opponent never takes more than 2.6 s', () => {
    const many = [turn(1), ...Array.from({ length: 60 }, (_, i) => move(`p${i}`)), ...Array(5).fill({ kind: 'reveal' })]
    expect(shownMs(many, 'normal')).toBeLessThanOrEqual(2601)
    expect(shownMs(many, 'normal')).toBeGreaterThan(2400)
    expect(shownMs(many, 'fast')).toBeLessThanOrEqual(1301)
  })
  test('what strikes the reader is paid for besides, whatever else happened', () => {
    const quietTurn = [turn(1), ...Array.from({ length: 60 }, (_, i) => move(`p${i}`)), { kind: 'reveal' }]
    const struck = shownMs([...quietTurn, strike(0)], 'normal')
    expect(struck).toBeGreaterThan(1900)
    expect(struck).toBeLessThanOrEqual(4001)
    const [last] = group([turn(1), strike(0)])
    expect(total(last!, 'normal', 2600)).toBe(1900)
  })
  test('three opponents who move, sink and strike each other are shown in about eight seconds', () => {
    const round = ['a', 'b', 'c'].map((name) => [
      turn(1),
      move(name),
      move(`${name}2`),
      move(`${name}3`),
      { kind: 'reveal' },
      strike(2),
    ])
    const sum = round.reduce((ms, events) => ms + shownMs(events as TestEvent[], 'normal'), 0)
    expect(sum).toBeLessThanOrEqual(8000)
  })
})
