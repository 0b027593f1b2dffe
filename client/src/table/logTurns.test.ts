import { expect, test } from 'vitest'
import type { GameEvent } from '../lib/scene.svelte'
import { groupEventsBySentence, groupEventsIntoTurns } from './logTurns'

const of = (...events: [string, number?][]): GameEvent[] =>
  events.map(([kind, seat]) => (seat === undefined ? { kind } : { kind, seat }))
const none = (): boolean => false
const named = (events: GameEvent[], found: number[][]): string[] =>
  found.map((turn) => turn.map((n) => events[n]!.kind).join(' '))

test('the last turn comes first, and is read in the order things happened', () => {
  const events = of(
    ['turn', 0],
    ['moved'],
    ['sunk', 0],
    ['defended', 1],
    ['rolled', 0],
    ['turn', 1],
    ['moved'],
    ['sunk', 1],
  )
  expect(
    named(
      events,
      groupEventsIntoTurns(events, 8, 60, (event) => event.kind === 'turn'),
    ),
  ).toStrictEqual(['moved sunk', 'moved sunk defended rolled'])
})

test('before there are turns, and in games without, a turn is what one seat does', () => {
  const events = of(['placed', 0], ['placed', 1], ['put', 1], ['round'], ['die', 1], ['take', 1], ['die', 0])
  expect(named(events, groupEventsIntoTurns(events, 7, 60, none))).toStrictEqual([
    'die',
    'die take',
    'round',
    'placed put',
    'placed',
  ])
})

test('only what was seen, and no more turns than are wanted', () => {
  const events = of(['turn', 0], ['a'], ['turn', 1], ['b'], ['turn', 0], ['c'])
  expect(named(events, groupEventsIntoTurns(events, 4, 60, none))).toStrictEqual(['turn b', 'turn a'])
  expect(groupEventsIntoTurns(events, 6, 1, none).length).toBe(1)
})

test('events that a game tells together are one sentence', () => {
  const events = of(['rolled', 0], ['moved'], ['moved'], ['sunk', 0], ['kept', 0])
  const joins = (before: GameEvent, event: GameEvent): boolean => before.kind === event.kind || event.kind === 'kept'
  expect(groupEventsBySentence(events, [0, 1, 2, 3, 4], joins)).toStrictEqual([[0], [1, 2], [3, 4]])
  expect(groupEventsBySentence(events, [0, 1, 2])).toStrictEqual([[0], [1], [2]])
})
