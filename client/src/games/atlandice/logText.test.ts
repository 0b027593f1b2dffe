// @vitest-environment happy-dom
// The log describes the deal, a round and a visit in one line each.
import { expect, test } from 'vitest'
import { setCatalogue } from '../../lib/i18n.svelte'
import list from '../../messages/list/en.json'
import shell from '../../messages/shell/en.json'
import { groupEventsBySentence } from '../../table/logTurns'
import { joinsPreviousSentence, logLine } from './logText'
import own from './messages/en.json'
import type { GameEvent, Scene } from './sceneTypes'

setCatalogue('en', { ...shell, ...list, ...own })
setCatalogue('en/atlandice', {
  'from.library': 'from the library',
  'from.jeweller': 'from the jeweller',
  'to.inn': 'to the inn',
  'one.books': 'a book',
  'one.tools': 'a tool',
  'term.library': 'library',
  'event.roll': '{seat:seat} rolls {face}.',
  'event.take': '{seat:seat} takes {resource:one} {sector:from}.',
})
const DIE = { kind: 'die', seat: 1, sector: 'library' } as unknown as GameEvent
const take = (resource: string): GameEvent =>
  ({ kind: 'take', seat: 1, resource, sector: 'library', reason: 'visit' }) as unknown as GameEvent
const SUBMARINE = { kind: 'submarine', seat: 1, from: 'library', to: 'inn' } as unknown as GameEvent
const ROLL = { kind: 'roll', seat: 1, face: 5, tile: 'library_a' } as unknown as GameEvent
const EMPTIED = { kind: 'emptied', sector: 'library', tile: 'library_a' } as unknown as GameEvent
const TILE = { kind: 'reveal', sector: 'inn', tile: 'inn_a', hands: 1 } as unknown as GameEvent
const ROUND = { kind: 'round', seat: 1, round: 2 } as unknown as GameEvent
const GATE = { kind: 'gate', face: 2, sector: 'library' } as unknown as GameEvent

const linesOf = (events: GameEvent[], you = 0): (string | null)[] => {
  const people = ['Ana', 'Coral'].map((name, seat) => ({ name, reader: seat === you }))
  const scene = { events, people, names: ['Ana', 'Coral'] } as unknown as Scene
  const lines = groupEventsBySentence(
    events as never,
    events.map((_, n) => n),
    joinsPreviousSentence as never,
  )
  return lines.map((numbers) =>
    logLine(
      scene,
      events[numbers.at(-1)!]!,
      numbers.slice(0, -1).map((n) => events[n]!),
    ),
  )
}

test('a die, its pieces and its effect are one sentence', () => {
  expect(linesOf([DIE, take('books'), take('books')])).toStrictEqual([
    '**Coral** takes the 2 from the library, and two books.',
  ])
  expect(linesOf([DIE, take('books'), take('tools'), SUBMARINE])).toStrictEqual([
    '**Coral** takes the 2 from the library, and a book and a tool; the submarine goes to the inn.',
  ])
  expect(linesOf([DIE, SUBMARINE])).toStrictEqual([
    '**Coral** takes the 2 from the library; the submarine goes to the inn.',
  ])
  expect(linesOf([DIE, take('books')], 1)).toStrictEqual(['You take the 2 from the library, and a book.'])
})

test('a scoring in between begins a new line; the next visit, too', () => {
  expect(linesOf([DIE, take('books'), EMPTIED, ROLL, take('tools'), DIE])).toStrictEqual([
    '**Coral** takes the 2 from the library, and a book.',
    null,
    'Coral rolls 5. Coral takes a tool from the library.',
    null,
  ])
})

test('the deal is one line; a single tile keeps its own', () => {
  expect(linesOf([TILE, TILE, TILE, TILE, TILE])).toStrictEqual([own['atlandice.visit.deal']])
  expect(linesOf([EMPTIED, TILE])).toStrictEqual([null, null])
})

test('a round is begun by its first player, with its dice', () => {
  expect(linesOf([ROUND, GATE, GATE])[0]).toBe('**Coral** begins round 2. Dice: library **2**.')
  expect(linesOf([ROUND], 1)).toStrictEqual(['You begin round 2.'])
})
