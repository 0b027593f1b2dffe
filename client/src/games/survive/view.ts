// Survive's view as the server sends it, and the colours its pieces are drawn in.
import type { Scene, View } from '../../lib/scene.svelte'

export type Terrain = 'beach' | 'forest' | 'mountain'
export type Kind = 'serpent' | 'shark' | 'whale' | 'dolphin' | 'squid'

export interface SurviveSeat {
  colours: string[]
  hand: string[]
  in_play: number
  saved: number
  turns: number
  ships_to_put: number
  bounty?: number
}

export type SurviveView = View & {
  step: string
  turn: number
  points: number
  tiles: Record<string, Terrain>
  /** Where each explorer is: a space, an isle, or `lost`. */
  explorers: Record<string, string>
  /** Who is aboard, by the ship's space. */
  aboard: Record<string, string[]>
  ships: [number, string][]
  creatures: [number, Kind, string][]
  /** Whom a dolphin guards, by its number. */
  wards: Record<string, string>
  acted: string[]
  seats: SurviveSeat[]
  supply: Record<string, number>
  dice: string[]
  sunk: string | null
  values?: Record<string, number>
  hand?: { tile: string; terrain: Terrain }[]
  to_place?: Record<string, number[]>
  attack?: { id: number; creature: Kind; at: string }
  /** In replays with open eyes: what each seat saw besides. */
  own?: Record<string, { values?: Record<string, number> }>
  scores?: number[]
  ranking?: { place: number; seats: number[]; keys: Record<string, number>; decided_by: string | null }[]
  hands?: { tile: string; terrain: Terrain }[][]
}

export const LETTERS: Record<string, string> = { r: 'red', y: 'yellow', g: 'green', b: 'blue', o: 'orange', w: 'white' }
const COLOURS = Object.values(LETTERS)

/** The game's colour of an explorer's name. */
export const colourOf = (piece: string): string => LETTERS[piece[0]!] ?? 'red'

export function seatOf(view: SurviveView, piece: string): number {
  return view.seats.findIndex((seat) => seat.colours.includes(colourOf(piece)))
}

/** The colour to draw for each of the game's colours: chairs may have chosen others. */
export function paints(scene: Scene): Record<string, string> {
  const view = scene.view as SurviveView
  const found: Record<string, string> = {}
  const used = new Set<string>()
  view.seats.forEach((seat, i) => {
    const colour = scene.people[i]?.colour || seat.colours[0]!
    found[seat.colours[0]!] = colour
    used.add(colour)
  })
  for (const seat of view.seats)
    for (const second of seat.colours.slice(1)) {
      const colour = used.has(second) ? COLOURS.find((one) => !used.has(one))! : second
      found[second] = colour
      used.add(colour)
    }
  return found
}
