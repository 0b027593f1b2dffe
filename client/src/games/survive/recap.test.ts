// @vitest-environment happy-dom
// What others' turns mean for the reader, in twenty positions: who steers my ship, whether it is full, what can reach me.
import { beforeAll, expect, test } from 'vitest'
import list from '../../messages/list/en.json'
import gameTexts from '../../../../src/landfall/games/survive/content/texts/en.json'
import { setCatalogue } from '../../lib/i18n.svelte'
import own from './messages/en.json'
import { recap } from './recap'
import type { GameEvent, Scene } from './sceneTypes'

beforeAll(() => {
  setCatalogue('en', { ...list, ...own })
  setCatalogue('en/survive', gameTexts)
})

type Position = {
  /** Where explorers are; those of a ship are aboard. r is the reader's. */
  explorers: Record<string, string>
  ships?: Record<string, string[]>
  creatures?: [number, string, string][]
  tiles?: Record<string, string>
}
function sceneOf({ explorers, ships = {}, creatures = [], tiles = {} }: Position, events: GameEvent[]): Scene {
  const aboard = Object.fromEntries(Object.entries(ships).map(([at, crew]) => [at, crew]))
  const everybody = { ...explorers }
  for (const [at, crew] of Object.entries(ships)) for (const piece of crew) everybody[piece] = at
  return {
    game: 'survive',
    seat: 0,
    events,
    names: ['Ana', 'Coral', 'Skipper', 'Pearl'],
    people: [{ reader: true }, {}, {}, {}],
    view: {
      seats: ['red', 'yellow', 'green', 'blue'].map((colour) => ({ colours: [colour] })),
      tiles,
      explorers: everybody,
      aboard,
      ships: Object.keys(ships).map((at, i) => [i, at]),
      creatures,
    },
  } as unknown as Scene
}
const boards = (piece: string, to: string): GameEvent => ({ kind: 'moved', piece, how: 'embark', from: 'E5', to })
const swims = (creature: string, to: string): GameEvent =>
  ({ kind: 'creature_moved', creature, id: 1, seat: 1, from: 'A1', to, path: ['A1', to] }) as GameEvent

const plain = (text: string): string => text.replace(/\*\*|\[\[?|\]\]?|\{[^}]*\}/g, '')

// Each: what happened, how it is now, and what the reader is told; null: nothing happened to them.
const POSITIONS: [string, GameEvent[], Position, RegExp | null][] = [
  [
    'one rival joins me',
    [boards('y1', 'C3')],
    { explorers: {}, ships: { C3: ['r1', 'y1'] } },
    /You and Coral may both steer/,
  ],
  [
    'two rivals join me: the second time it is full, and I am outnumbered only by one colour',
    [boards('y1', 'C3')],
    { explorers: {}, ships: { C3: ['r1', 'y1', 'y2'] } },
    /Now Coral steers it\. It is full\./,
  ],
  [
    'two different rivals join me',
    [boards('g1', 'C3')],
    { explorers: {}, ships: { C3: ['r1', 'y1', 'g1'] } },
    /You and Coral and Skipper may both|You and Coral.*Skipper may/,
  ],
  [
    'one rival joins two of mine',
    [boards('y1', 'C3')],
    { explorers: {}, ships: { C3: ['r1', 'r2', 'y1'] } },
    /You still steer it\. It is full\./,
  ],
  [
    'a rival boards a ship without me',
    [boards('y1', 'C3')],
    { explorers: { r1: 'E6' }, ships: { C3: ['y1', 'g1'] } },
    null,
  ],
  ['a rival boards an empty ship', [boards('y1', 'C3')], { explorers: { r1: 'E6' }, ships: { C3: ['y1'] } }, null],
  [
    'the ship sailed on with me',
    [
      boards('y1', 'C3'),
      { kind: 'ship_moved', id: 0, how: 'sail', from: 'C3', to: 'B3', path: ['C3', 'B3'], crew: ['r1', 'y1'] },
    ],
    { explorers: {}, ships: { B3: ['r1', 'y1'] } },
    /You and Coral may both steer/,
  ],
  [
    'the ship was wrecked after that: the wreck is told, not who steers',
    [boards('y1', 'C3'), { kind: 'wrecked', at: 'C3', by: 'whale', crew: ['r1', 'y1'] }],
    { explorers: { r1: 'C3', y1: 'C3' } },
    null,
  ],
  [
    'a rival hopped aboard and off again',
    [boards('y1', 'C3')],
    { explorers: { y1: 'B2' }, ships: { C3: ['r1'] } },
    null,
  ],
  [
    'a rival walks',
    [{ kind: 'moved', piece: 'y1', how: 'walk', from: 'E5', to: 'E6' }],
    { explorers: { r1: 'E6', y1: 'E6' } },
    null,
  ],
  [
    'a shark is two spaces from my swimmer',
    [swims('shark', 'C3')],
    { explorers: { r1: 'C5' }, creatures: [[1, 'shark', 'C3']] },
    /A shark is 2 spaces from your swimmer/,
  ],
  [
    'a shark is one space from my swimmer',
    [swims('shark', 'C4')],
    { explorers: { r1: 'C5' }, creatures: [[1, 'shark', 'C4']] },
    /A shark is 1 space from your swimmer/,
  ],
  [
    'a shark is three spaces away',
    [swims('shark', 'C2')],
    { explorers: { r1: 'C5' }, creatures: [[1, 'shark', 'C2']] },
    null,
  ],
  [
    'land lies between the shark and my swimmer',
    [swims('shark', 'C3')],
    {
      explorers: { r1: 'C5' },
      creatures: [[1, 'shark', 'C3']],
      tiles: { C4: 'beach', B4: 'beach', D4: 'beach', B3: 'beach', D5: 'beach', D3: 'beach' },
    },
    null,
  ],
  [
    'a shark is beside my ship, which it cannot harm',
    [swims('shark', 'C3')],
    { explorers: {}, ships: { C4: ['r1'] }, creatures: [[1, 'shark', 'C3']] },
    null,
  ],
  [
    'a whale is three spaces from my ship',
    [swims('whale', 'C2')],
    { explorers: {}, ships: { C5: ['r1'] }, creatures: [[1, 'whale', 'C2']] },
    /A whale is 3 spaces from the ship with your explorer/,
  ],
  [
    'a whale is beside my swimmer, whom it does not harm',
    [swims('whale', 'C4')],
    { explorers: { r1: 'C5' }, creatures: [[1, 'whale', 'C4']] },
    null,
  ],
  [
    'a sea serpent is beside my ship',
    [swims('serpent', 'C4')],
    { explorers: {}, ships: { C5: ['r1'] }, creatures: [[1, 'serpent', 'C4']] },
    /A sea serpent is 1 space from your explorer/,
  ],
  [
    'a sea serpent is beside my explorer on land',
    [swims('serpent', 'C4')],
    { explorers: { r1: 'C5' }, tiles: { C5: 'beach' }, creatures: [[1, 'serpent', 'C4']] },
    null,
  ],
  [
    'the creature that came up went on, out of my reach',
    [{ kind: 'arrived', creature: 'shark', id: 1, at: 'C4' } as GameEvent],
    { explorers: { r1: 'C5' }, creatures: [[1, 'shark', 'J8']] },
    null,
  ],
]

test.each(POSITIONS)('%s', (_, events, position, told) => {
  const part = recap.part(sceneOf(position, events), 0)!
  const touched = part.touches?.includes(0) ?? false
  expect(touched).toBe(told !== null)
  if (told) expect(plain(part.sentence!())).toMatch(told)
})
test('there are twenty of them', () => expect(POSITIONS).toHaveLength(20))
