// @vitest-environment happy-dom
// What others did is forgotten when it is taken back.
import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { GameUi } from '../../games/gameUi'
import type { ActionRules } from '../../lib/eventActions'
import type { LiveTable } from '../../lib/liveTable.svelte'
import type { GameEvent } from '../../lib/scene.svelte'
import { Recap } from './recap.svelte'

const turn = (seat: number): GameEvent => ({ kind: 'turn', seat }) as GameEvent
const move = (piece: string): GameEvent => ({ kind: 'moved', piece }) as GameEvent
const rules: ActionRules = {
  part: () => ({ picture: 'walk' }),
  turn: (event) => (event.kind === 'turn' ? (event as { seat: number }).seat : null),
}

/** A table of which a recap reads; `more` replaces or adds fields, getters included. */
const fakeTable = (more: object): LiveTable =>
  Object.defineProperties(
    {
      id: 't',
      seat: 0,
      view: {},
      rules,
      choices: [{}],
      showing: null,
      repeating: 0,
      forgetViewsBefore: () => undefined,
    },
    Object.getOwnPropertyDescriptors(more),
  ) as unknown as LiveTable
const UI = { recap: { whose: () => 0 } } as unknown as GameUi

test('actions that were taken back are not shown, and those after them are', () => {
  let events = $state.raw<GameEvent[]>([])
  const live = fakeTable({
    get events() {
      return events
    },
  })
  let recap: Recap | undefined
  const stop = $effect.root(() => {
    recap = new Recap(live, () => UI)
  })
  const become = (all: GameEvent[]): number[][] => {
    events = all
    flushSync()
    return recap!.actions.map((action) => [action.first, action.last])
  }
  const past = [turn(0), turn(1), move('a')]
  const one = become([...past, move('b'), turn(0)])
  expect(one).toStrictEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  expect(recap!.available).toBe(true)
  events = past
  expect(recap!.actions).toStrictEqual([])
  expect(recap!.available).toBe(false)
  expect(become([...past, turn(0)])).toStrictEqual([
    [1, 1],
    [2, 2],
  ])
  const struck = become([...past.slice(0, 2), move('c'), turn(0)])
  become(past.slice(0, 1))
  live.rules!.part = () => ({ picture: 'strike' }) // as many events, of another kind
  expect(become([...past.slice(0, 2), move('d'), turn(0)])).toStrictEqual(struck)
  expect(recap!.actions.map((action) => action.picture)).toStrictEqual(['strike', 'strike'])
  stop()
})

test('another history of as many events is shown, and the panel stays as it was', () => {
  let events = $state.raw<GameEvent[]>([])
  let era = 1
  const live = fakeTable({
    rules: { ...rules, part: () => ({ picture: 'walk' }) },
    get era() {
      return era
    },
    get events() {
      return events
    },
  })
  let recap: Recap | undefined
  const stop = $effect.root(() => {
    recap = new Recap(live, () => UI)
  })
  const become = (piece: string): string[] => {
    events = [turn(0), turn(1), move(piece), turn(0)]
    flushSync()
    return recap!.actions.map((action) => action.picture)
  }
  expect(become('a')).toStrictEqual(['walk', 'walk'])
  recap!.open = false
  live.rules!.part = () => ({ picture: 'strike' })
  expect(become('b')).toStrictEqual(['walk', 'walk']) // the same ones, as far as anybody said
  era = 2
  expect(become('c')).toStrictEqual(['strike', 'strike'])
  expect(recap!.open).toBe(false)
  stop()
})

test('where it is crowded out it is shown by hand, for these actions', () => {
  let events = $state.raw<GameEvent[]>([turn(0), turn(1), move('a'), turn(0)])
  let crowded = $state(true)
  const live = fakeTable({
    get events() {
      return events
    },
  })
  let recap: Recap | undefined
  const stop = $effect.root(() => {
    recap = new Recap(
      live,
      () => UI,
      () => crowded,
    )
  })
  flushSync()
  recap!.open = true
  flushSync()
  expect([recap!.shown, live.recapOpen]).toStrictEqual([false, false])
  recap!.toggle()
  flushSync()
  expect([recap!.shown, live.recapOpen]).toStrictEqual([true, true])
  events = [turn(0), turn(1), move('a'), turn(0), turn(1), move('b'), turn(0)]
  flushSync()
  recap!.open = true
  expect(recap!.shown).toBe(false)
  crowded = false
  expect(recap!.shown).toBe(true)
  recap!.toggle()
  expect([recap!.shown, recap!.open]).toStrictEqual([false, false])
  stop()
})
