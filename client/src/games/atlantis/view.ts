// Atlantis's view as the server sends it, and the symbols of its kinds.
import { KIND_SYMBOLS, POSITIONS } from './board.generated'
import type { Cards, Event, Figure, Gap, Kind, Tile, View } from './messages.generated'
import type { Choice } from './sceneTypes'

export type { Cards, Crossing, Figure, Gap, Kind, Move, Payment, Route, Tile } from './messages.generated'
export type { Position as Spot, SeatView as Seat, View as AtlantisView } from './messages.generated'
type AtlantisView = View

export const FIGURES: readonly Figure[] = ['A', 'B', 'C']
/** What each kind shows: the symbol `kind-…` and the colours `k-…` of the sheet. */
export const SYMBOL: Record<Kind, string> = KIND_SYMBOLS
export const KINDS = Object.keys(SYMBOL) as Kind[]

export const MOVES = ['move', 'move_pay', 'hop'] as const

/** A number for a place: Atlantis 0, the path's positions from 1, then the mainland. */
export function placeNumber(place: string): number {
  return place === 'atlantis' ? 0 : place === 'mainland' ? POSITIONS + 1 : Number(place)
}
export function placeName(n: number): string {
  return n <= 0 ? 'atlantis' : n > POSITIONS ? 'mainland' : String(n)
}

export function countCards(cards: Cards): number {
  let n = 0
  for (const kind of KINDS) n += cards[kind] ?? 0
  return n
}

export const tileFaceName = (tile: Tile): string => `${tile.kind}${tile.value}`
export function parseTileFace(face: string): Tile {
  return { kind: face.slice(0, -1) as Kind, value: Number(face.slice(-1)) }
}
export const isTileFace = (piece: string): boolean => /\d$/.test(piece)

/** Tiles with their faces, equal ones numbered. */
export function numberEqualTiles(tiles: Tile[]): { tile: Tile; face: string; n: number }[] {
  const seen: Record<string, number> = {}
  return tiles.map((tile) => {
    const face = tileFaceName(tile)
    return { tile, face, n: (seen[face] = (seen[face] ?? 0) + 1) }
  })
}

/** Tiles in the order they were taken, as far as the events show; earlier ones come first. */
export function orderTilesAsTaken(tiles: Tile[], events: Event[], seat: number): Tile[] {
  const taken: string[] = []
  for (const event of events) {
    if (event.kind !== 'took' && event.kind !== 'paid_tile' && event.kind !== 'bought') continue
    if (event.seat !== seat) continue
    const face = `${event.tile}${event.value}`
    if (event.kind === 'took') taken.push(face)
    else if (taken.includes(face)) taken.splice(taken.indexOf(face), 1)
  }
  const left = tiles.map(tileFaceName)
  const late = taken.filter((face) => {
    const at = left.indexOf(face)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return [...left, ...late].map(parseTileFace)
}

/** The number of tiles from one place up to and including another. */
export function countTilesBetween(view: AtlantisView, from: string, to: string): number {
  let n = 0
  for (const spot of view.path) if (spot.tile && spot.at > placeNumber(from) && spot.at <= placeNumber(to)) n += 1
  return n
}

/** The gaps with a price between two places. */
export function pricedGapsBetween(view: AtlantisView, from: string, to: string): Gap[] {
  return view.gaps.filter((gap) => gap.price > 0 && gap.at > placeNumber(from) && gap.to < placeNumber(to))
}

export function gapAt(view: AtlantisView, at: number): Gap | undefined {
  return view.gaps.find((gap) => gap.at <= at && at <= gap.to)
}

/** The choice without a confirmation: its cost was chosen on purpose. */
export function withoutConfirmation(choice: Choice): Choice {
  return { ...choice, loses: [] }
}
