// Atlantis's view as the server sends it, and the symbols of its kinds.
import type { Choice, View } from '../../lib/scene.svelte'

export const KINDS = ['blue', 'grey', 'white', 'yellow', 'brown', 'green', 'pink'] as const
export type Kind = (typeof KINDS)[number]
/** What each kind shows: the symbol `kind-…` and the colours `k-…` of the sheet. */
export const SYMBOL: Record<Kind, string> = {
  blue: 'ring',
  grey: 'helmet',
  white: 'statue',
  yellow: 'crown',
  brown: 'amphora',
  green: 'olive',
  pink: 'flag',
}

export interface Tile {
  kind: Kind
  value: number
}
export type Cards = Partial<Record<Kind, number>>
export interface Spot {
  at: number
  back: string
  tile: Tile | null
  below: number
  water: boolean
  bridge: boolean
  figure: { seat: number; figure: string } | null
}
export interface Gap {
  at: number
  to: number
  price: number
  bridge: boolean
}
export interface Seat {
  seat: number
  colour: string
  cards: number
  hand: Cards | null
  known: Cards
  tiles: Tile[]
  worth: number
  bridge: boolean
  figures: Record<string, string>
  atlantis: number
  mainland: number
}
export interface Move {
  figure: string
  from: string
  at: string
  bill: number
  paid: number
}
/** What is given for a bill. */
export interface Payment {
  tiles: Tile[]
  cards: Cards
  sum: number
}
export interface Crossing {
  figures: { figure: string; from: string; bill: number }[]
  bill: number
  gives: Payment | null
}
export type AtlantisView = View & {
  turn: number
  path: Spot[]
  gaps: Gap[]
  move: Move | null
  seats: Seat[]
  deck: number
  discard: Cards
  played: Cards
  bought: number
  may_not_pay: Cards | null
  scores?: number[]
  bills?: number[]
  crossing?: Crossing[]
  ranking?: { place: number; seats: number[]; decided_by: string | null }[]
}
/** Where a card would lead, as the preview tells it. */
export interface Route {
  card: Kind
  to: string
  occupied: boolean
  bill: number
  takes: (Tile & { at: number }) | null
  pay?: Payment | null
  rule?: string | null
  then?: Route[]
}

export const MOVES = ['move', 'move_pay', 'hop']
export const SHORES = ['atlantis', 'mainland']

/** A number for a place: Atlantis 0, the path 1 to 53, the mainland 54. */
export function nth(place: string): number {
  return place === 'atlantis' ? 0 : place === 'mainland' ? 54 : Number(place)
}
export function placeAt(n: number): string {
  return n <= 0 ? 'atlantis' : n >= 54 ? 'mainland' : String(n)
}

export function total(cards: Cards): number {
  let n = 0
  for (const kind of KINDS) n += cards[kind] ?? 0
  return n
}

export const faceOf = (tile: Tile): string => `${tile.kind}${tile.value}`
export function readFace(face: string): Tile {
  return { kind: face.slice(0, -1) as Kind, value: Number(face.slice(-1)) }
}
export const isTile = (piece: string): boolean => /\d$/.test(piece)

/** How many tiles lie from one place up to another, that one included. */
export function tilesAhead(view: AtlantisView, from: string, to: string): number {
  let n = 0
  for (const spot of view.path) if (spot.tile && spot.at > nth(from) && spot.at <= nth(to)) n += 1
  return n
}

/** The gaps with a price between two places. */
export function paidGaps(view: AtlantisView, from: string, to: string): Gap[] {
  return view.gaps.filter((gap) => gap.price > 0 && gap.at > nth(from) && gap.to < nth(to))
}

export function gapAt(view: AtlantisView, at: number): Gap | undefined {
  return view.gaps.find((gap) => gap.at <= at && at <= gap.to)
}

/** A choice that is not asked about again: what it costs was chosen on purpose. */
export function sure(choice: Choice): Choice {
  return { ...choice, loses: [] }
}
