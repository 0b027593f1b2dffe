// The count at the end: what each player has, what the last crossing takes of it, and what each score is made of.
import { sumOfPieces, paymentToPieces } from './payment'
import { tileFaceName, countCards, type AtlantisView, type Crossing, type Tile } from './view'

export interface Row {
  seat: number
  place: number
  /** Tiles, those kept first. */
  tiles: { tile: Tile; given: boolean }[]
  /** Cards in hand that stay, and those given. */
  cards: number
  cardsGiven: number
  /** Before the last crossing. */
  worth: number
  cost: number
  /** What is missing to pay for it. */
  lacks: number
  score: number
  ashore: number
  crossing: Crossing
}

export function finalScoringRows(view: AtlantisView): Row[] {
  return (view.ranking ?? []).flatMap((rank) =>
    rank.seats.map((seat): Row => {
      const one = view.seats[seat]!
      const crossing = view.crossing?.[seat] ?? { figures: [], bill: view.bills?.[seat] ?? 0, gives: null }
      const short = crossing.bill > 0 && !crossing.gives
      const left = paymentToPieces(crossing.gives)
      const tiles = one.tiles.map((tile) => {
        const given = short || (left[tileFaceName(tile)] ?? 0) > 0
        if (given && !short) left[tileFaceName(tile)]! -= 1
        return { tile, given }
      })
      const worth = one.worth + one.cards
      const cardsGiven = short ? one.cards : countCards(crossing.gives?.cards ?? {})
      return {
        seat,
        place: rank.place,
        tiles: tiles.sort((a, b) => Number(a.given) - Number(b.given)),
        cards: one.cards - cardsGiven,
        cardsGiven,
        worth,
        cost: crossing.gives ? sumOfPieces(paymentToPieces(crossing.gives)) : crossing.bill,
        lacks: short ? crossing.bill - worth : 0,
        score: view.scores?.[seat] ?? 0,
        ashore: one.mainland,
        crossing,
      }
    }),
  )
}

/** What a row counts: each tile, then the cards. */
export const countScoredItems = (row: Row): number => row.tiles.length + Number(row.cards + row.cardsGiven > 0)

/** The sum after so many things. */
export const sumOfFirstItems = (row: Row, n: number): number =>
  row.tiles.slice(0, n).reduce((sum, { tile }) => sum + tile.value, 0) +
  (n > row.tiles.length ? row.cards + row.cardsGiven : 0)

/** What a score is made of: everything that was held, and what the last crossing took of it. */
export const scorePartsOf = (row: Row): Record<'tiles' | 'cards' | 'crossing', number> => ({
  tiles: row.tiles.reduce((sum, { tile }) => sum + tile.value, 0),
  cards: row.cards + row.cardsGiven,
  crossing: 0 - row.cost,
})
