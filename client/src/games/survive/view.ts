// Survive's view as the server sends it, and the colours its pieces are drawn in.
import { COLOURS_BY_LETTER } from './board.generated'
import type { View } from './messages.generated'
import type { Scene } from './sceneTypes'

export type {
  CreatureName as Kind,
  SeatView as SurviveSeat,
  TerrainName as Terrain,
  View as SurviveView,
} from './messages.generated'
type SurviveView = View

export const LETTERS: Record<string, string> = COLOURS_BY_LETTER
const COLOURS = Object.values(LETTERS)

/** The colour of an explorer, by its name. */
export const colourOfPiece = (piece: string): string => LETTERS[piece[0]!] ?? 'red'

export function seatOfPiece(view: SurviveView, piece: string): number {
  return view.seats.findIndex((seat) => seat.colours.includes(colourOfPiece(piece)))
}

/** The displayed colour for each of the game's colours: chairs may have chosen others. */
export function displayColourByColour(scene: Scene): Record<string, string> {
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
