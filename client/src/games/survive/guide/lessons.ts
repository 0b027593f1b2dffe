// The rules of Survive, each met when it matters. A lesson is one short sentence, the rule it comes from, and what it
// points at.
import { offered, part } from '../../../lib/scene.svelte'
import type { Choice, GameEvent, Scene } from '../scene'
import type { SurviveView } from '../view'

export interface Lesson {
  id: string
  rule: string
  /** A symbol of the sheet, and the half width of the box it is drawn in. */
  symbol: string
  box: string
  /** Does not wait until another has been read. */
  urgent?: boolean
  due(live: Scene, view: SurviveView, event: GameEvent | null): boolean
  /** Spaces or isles to light up. */
  points?(live: Scene, view: SurviveView): string[]
}

const CREATURE = '-42 -40 84 62'
const PERSON = '-24 -44 48 52'
const ROUND = '-17 -17 34 34'
const own = (live: Scene, view: SurviveView): string[] => {
  const colours = live.seat === null ? [] : (view.seats[live.seat]?.colours ?? [])
  return Object.keys(view.explorers).filter((piece) => colours.some((colour) => colour[0] === piece[0]))
}
const placed = (live: Scene, view: SurviveView): number =>
  view.phase === 'placing' && live.mine ? own(live, view).length : -1
const may = (live: Scene, verb: Choice['verb']): boolean => live.choices.some((choice) => choice.verb === verb)
const places = (live: Scene, verb: Choice['verb'], key: 'from' | 'to'): string[] =>
  [...new Set(offered(live.choices, verb).map((choice) => part<Choice, 'from' | 'to'>(choice, key) ?? ''))].slice(0, 4)
const left = (view: SurviveView, terrain: string): number =>
  Object.values(view.tiles).filter((one) => one === terrain).length
const mine = (live: Scene, view: SurviveView, event: GameEvent | null): boolean => {
  const piece = event && part(event, 'piece')
  const colours = live.seat === null ? [] : (view.seats[live.seat]?.colours ?? [])
  return !!piece && colours.some((colour) => colour[0] === piece[0])
}
const turned =
  (back: string) =>
  (_live: Scene, _view: SurviveView, event: GameEvent | null): boolean =>
    event?.kind === 'revealed' && event.back === back

/** In the order in which they come before each other when two are due at once. */
export const LESSONS: Lesson[] = [
  {
    id: 'defence',
    urgent: true,
    rule: 'SV.D1',
    symbol: 'back-defence',
    box: '-28 -28 56 56',
    due: (live, view) => view.phase === 'defending' && live.mine,
  },
  {
    id: 'goal',
    rule: 'SV.G1',
    symbol: 'ui-isle',
    box: ROUND,
    due: (live, view) => placed(live, view) === 0,
    points: () => ['@NW', '@NE', '@SW', '@SE'],
  },
  { id: 'values', rule: 'SV.U5', symbol: 'value', box: ROUND, due: (live, view) => placed(live, view) === 1 },
  { id: 'terrain', rule: 'SV.R1', symbol: 'tile-beach', box: CREATURE, due: (live, view) => placed(live, view) === 2 },
  { id: 'rest', rule: 'SV.U3', symbol: 'explorer-red', box: PERSON, due: (live, view) => placed(live, view) >= 3 },
  {
    id: 'ships',
    rule: 'SV.U4',
    symbol: 'ship',
    box: CREATURE,
    due: (live, view) => view.phase === 'ships' && live.mine,
  },
  {
    id: 'land',
    rule: 'SV.M8',
    symbol: 'ui-isle',
    box: ROUND,
    due: (live) => may(live, 'land'),
    points: (live) => places(live, 'land', 'from'),
  },
  {
    id: 'move',
    rule: 'SV.T3',
    symbol: 'target-safe',
    box: ROUND,
    due: (live, view) => view.phase === 'moving' && live.mine && view.points === 3,
  },
  {
    id: 'embark',
    rule: 'SV.M2',
    symbol: 'target-board',
    box: ROUND,
    due: (live, view) => view.phase === 'moving' && view.points < 3 && may(live, 'embark'),
    points: (live) => places(live, 'embark', 'to'),
  },
  {
    id: 'sail',
    rule: 'SV.S3',
    symbol: 'pennant',
    box: '-8 -24 40 34',
    due: (live, view) =>
      live.choices.some((choice) => choice.verb === 'sail' && (view.aboard[choice.from] ?? []).length > 0),
  },
  {
    id: 'climb',
    rule: 'SV.M7',
    symbol: 'swimmer-red',
    box: PERSON,
    due: (live) => may(live, 'board'),
    points: (live) => places(live, 'board', 'to'),
  },
  {
    id: 'swim',
    rule: 'SV.M9',
    symbol: 'target-swim',
    box: ROUND,
    due: (live) => may(live, 'swim'),
    points: (live) => places(live, 'swim', 'from'),
  },
  {
    id: 'sink',
    rule: 'SV.T5',
    symbol: 'target-sink',
    box: ROUND,
    due: (live, view) => view.phase === 'removing' && live.mine,
  },
  { id: 'hand', rule: 'SV.T2', symbol: 'ui-hand', box: ROUND, due: (live, view) => view.phase === 'hand' && live.mine },
  {
    id: 'creature',
    rule: 'SV.K1',
    symbol: 'dice-face',
    box: '-30 -30 60 66',
    due: (live, view) => view.phase === 'creature' && live.mine,
  },
  {
    id: 'lost',
    rule: 'SV.M12',
    symbol: 'skull',
    box: ROUND,
    due: (live, view, event) => event?.kind === 'removed' && mine(live, view, event),
  },
  {
    id: 'kept',
    rule: 'SV.R8',
    symbol: 'ui-hand',
    box: ROUND,
    due: (live, _view, event) => event?.kind === 'kept' && event.seat === live.seat,
  },
  { id: 'shark', rule: 'SV.R3', symbol: 'shark', box: CREATURE, due: turned('shark') },
  { id: 'whale', rule: 'SV.R4', symbol: 'whale', box: CREATURE, due: turned('whale') },
  { id: 'boat', rule: 'SV.R5', symbol: 'ship', box: CREATURE, due: turned('ship') },
  { id: 'whirlpool', rule: 'SV.R6', symbol: 'whirl', box: '-40 -40 80 80', due: turned('whirlpool') },
  { id: 'serpent', rule: 'SV.K3', symbol: 'serpent', box: CREATURE, due: (_live, view) => view.dice[0] === 'serpent' },
  {
    id: 'volcano',
    rule: 'SV.R7',
    symbol: 'back-volcano',
    box: '-30 -30 60 60',
    due: (_live, view) => view.step !== 'setup' && left(view, 'beach') === 0 && left(view, 'forest') < 8,
  },
]
