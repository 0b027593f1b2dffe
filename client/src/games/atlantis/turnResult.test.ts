// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { setCatalogue } from '../../lib/i18n.svelte'
import list from '../../messages/list/en.json'
import shell from '../../messages/shell/en.json'
import { behindText } from '../../table/endingText'
import { sumOfFirstItems, finalScoringRows, countScoredItems, scorePartsOf } from './finalScoringRows'
import own from './messages/en.json'
import { sumOfPieces, cyclePaymentPiece } from './payment'
import type { GameEvent } from './sceneTypes'
import { turnResultOf, hopsOfCards } from './turnResult'
import type { AtlantisView, Payment, Route, Seat, Spot, Tile } from './view'

const route = (card: Route['card'], to: string, more: Partial<Route> = {}): Route => ({
  card,
  to,
  occupied: false,
  bill: 0,
  takes: null,
  ...more,
})
const path = (tiles: (Tile | null)[]): Spot[] =>
  tiles.map((tile, i) => ({ at: i + 1, back: 'A', tile, below: 0, water: !tile, bridge: false, figure: null }))
const crown = (value: number): Tile => ({ kind: 'yellow', value })

test('cards lead on from occupied tiles, as far as they fit', () => {
  const routes = [route('blue', '3', { occupied: true, then: [route('pink', '7')] }), route('pink', '5')]
  expect(hopsOfCards(routes, '1', ['blue', 'pink']).map((hop) => [hop.from, hop.to])).toStrictEqual([
    ['1', '3'],
    ['3', '7'],
  ])
  expect(hopsOfCards(routes, '1', ['pink', 'blue']).map((hop) => hop.to)).toStrictEqual(['5'])
  expect(hopsOfCards([route('pink', '5', { rule: 'AT.G4' })], '1', ['pink'])).toStrictEqual([])
})

test('a move is described by its cards, its way, its price and the tile taken', () => {
  const view = { path: path([crown(1), crown(2), null, crown(4)]) } as AtlantisView
  const events: GameEvent[] = [
    { kind: 'turn', seat: 1 },
    { kind: 'moved', seat: 1, figure: 'A', card: 'grey', from: 'atlantis', to: '1' },
    { kind: 'took_nothing', seat: 1 },
    { kind: 'turn', seat: 0 },
    { kind: 'hopped', seat: 0, figure: 'A', card: 'blue', from: 'atlantis', to: '2' },
    { kind: 'moved', seat: 0, figure: 'A', card: 'pink', from: '2', to: '4' },
  ]
  expect(turnResultOf(events, 0, view)).toBeNull()
  events.push(
    { kind: 'paid_tile', seat: 0, tile: 'grey', value: 3, paid: 3, bill: 4 },
    { kind: 'paid_card', seat: 0, card: 'grey', paid: 4, bill: 4 },
    { kind: 'took', seat: 0, tile: 'green', value: 6, at: 3 },
    { kind: 'gap', at: 3 },
  )
  const result = { tile: { kind: 'green', value: 6 }, cards: ['blue', 'pink'], ahead: 4, ashore: false, paid: 4 }
  expect(turnResultOf(events, 0, view)).toStrictEqual(result)
  expect(turnResultOf(events, 1, view)).toBeNull()
  events.push({ kind: 'turn', seat: 1 })
  expect(turnResultOf(events, 0, view)).toBeNull()
})

test('a piece that is added makes others superfluous', () => {
  expect(cyclePaymentPiece({ pink3: 1, blue: 1 }, 'green5', 1, 4)).toStrictEqual({ green5: 1 })
  expect(cyclePaymentPiece({ green5: 1 }, 'green5', 1, 4)).toStrictEqual({})
  expect(cyclePaymentPiece({ blue: 1 }, 'blue', 3, 2)).toStrictEqual({ blue: 2 })
  expect(sumOfPieces({ pink3: 2, blue: 1 })).toBe(7)
})

const seat = (n: number, tiles: Tile[], cards: number, mainland: number): Seat =>
  ({ seat: n, tiles, cards, worth: tiles.reduce((sum, tile) => sum + tile.value, 0), mainland }) as Seat
const gives = (tiles: Tile[], cards: Payment['cards'], sum: number): Payment => ({ tiles, cards, sum })
const over = {
  seats: [
    seat(0, [crown(7), crown(3)], 4, 3),
    seat(1, [crown(6), crown(5), crown(6)], 3, 2),
    seat(2, [crown(2)], 1, 0),
  ],
  scores: [14, 13, -5],
  ranking: [0, 1, 2].map((n) => ({ place: n + 1, seats: [n], keys: {} })),
  crossing: [
    { figures: [], bill: 0, gives: null },
    { figures: [{ figure: 'B', from: '9', bill: 7 }], bill: 7, gives: gives([crown(6)], { blue: 1 }, 7) },
    { figures: [{ figure: 'A', from: 'atlantis', bill: 8 }], bill: 8, gives: null },
  ],
} as unknown as AtlantisView

test('the count keeps what is left, then what was given for the last crossing', () => {
  const [first, second, third] = finalScoringRows(over)
  expect(first!.tiles.every((one) => !one.given)).toBe(true)
  expect(second!.tiles.map((one) => [one.tile.value, one.given])).toStrictEqual([
    [5, false],
    [6, false],
    [6, true],
  ])
  expect([second!.cards, second!.cardsGiven, second!.cost, second!.lacks]).toStrictEqual([2, 1, 7, 0])
  expect(third!.tiles.every((one) => one.given)).toBe(true)
  expect([third!.cards, third!.cardsGiven, third!.cost, third!.lacks]).toStrictEqual([0, 1, 8, 5])
  expect(countScoredItems(first!)).toBe(3)
  expect([0, 1, 2, 3].map((n) => sumOfFirstItems(first!, n))).toStrictEqual([0, 7, 10, 14])
  expect(sumOfFirstItems(second!, countScoredItems(second!)) - second!.cost).toBe(second!.score)
  const kept = (n: number): number =>
    finalScoringRows(over)[n]!.tiles.reduce((sum, one) => sum + (one.given ? 0 : one.tile.value), 0)
  expect(kept(1) + second!.cards).toBe(second!.score)
})

test('what the second lacks is said with what makes up for it', () => {
  setCatalogue('en', { ...shell, ...list, ...own })
  const [first, second, third] = finalScoringRows(over)
  const behind = (row: typeof first): string =>
    behindText((part) => `atlantis.end.by.${part}`, scorePartsOf(first!), scorePartsOf(row!))
  expect(behind(second)).toBe('1 point behind the winner (last crossing −7, cards in hand −1, tiles +7).')
  expect(behind(third)).toBe('19 points behind the winner (tiles −8, last crossing −8, cards in hand −3).')
})
