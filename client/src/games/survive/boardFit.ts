// How large the whole board can be in a stage whose corners are taken: it fits around their rectangles.
import type { Rectangle as Box } from '../../lib/windowLayout'
import * as board from './board.generated'
import { HALF, ISLES, ROWS, WHOLE, type Point } from './boardGeometry'

/** The board's scale, and where its centre is in the window. */
export interface Fit extends Point {
  scale: number
}

const LEAST = 0.1
const MOST = 1.5
const EXACT = 0.002
const TRIES = 9 // positions along each axis
const HIGH = Math.max(...board.CORNERS.map(([, y]) => y)) // half a space's height
const LABEL = { wide: 33, high: 9 } // of a coordinate beside a row
const ISLE = { left: 66, right: 72, top: 44, bottom: 46 }

/** What must not be covered, in world units: rows of spaces, the names beside them, isles. */
const PARTS: Box[] = [
  ...ROWS.flatMap((row) => {
    const [first, last] = [row[0]!, row.at(-1)!]
    const spaces = { left: first.x - HALF, right: last.x + HALF, top: first.y - HIGH, bottom: first.y + HIGH }
    const names = {
      left: spaces.left - LABEL.wide,
      right: spaces.right + LABEL.wide,
      top: first.y - LABEL.high,
      bottom: first.y + LABEL.high,
    }
    return first.isle ? [spaces] : [spaces, names]
  }),
  ...ISLES.map(({ x, y }) => ({
    left: x - ISLE.left,
    right: x + ISLE.right,
    top: y - ISLE.top,
    bottom: y + ISLE.bottom,
  })),
]

function isOverlapping(part: Box, at: Fit, kept: Box): boolean {
  return (
    at.x + part.left * at.scale < kept.right &&
    at.x + part.right * at.scale > kept.left &&
    at.y + part.top * at.scale < kept.bottom &&
    at.y + part.bottom * at.scale > kept.top
  )
}

/** From the middle of a range to its ends. */
const valuesFromMiddle = (low: number, high: number): number[] =>
  Array.from({ length: TRIES }, (_, i) => {
    const share = ((i + 1) >> 1) / (TRIES - 1) // of the range: 0, then one step to either side, two, ...
    return (low + high) / 2 + (i % 2 ? -1 : 1) * share * (high - low)
  })

/** A position of the board at a scale, as near to the stage's middle as the rectangles allow; null: there is none. */
function positionAmongRectangles(scale: number, stage: Box, kept: Box[]): Fit | null {
  const [west, east] = [stage.left - WHOLE.x * scale, stage.right - (WHOLE.x + WHOLE.width) * scale]
  const [north, south] = [stage.top - WHOLE.y * scale, stage.bottom - (WHOLE.y + WHOLE.height) * scale]
  if (west > east || north > south) return null
  for (const y of valuesFromMiddle(north, south))
    for (const x of valuesFromMiddle(west, east)) {
      const at = { scale, x, y }
      if (!kept.some((one) => PARTS.some((part) => isOverlapping(part, at, one)))) return at
    }
  return null
}

/** The largest board in a stage that covers none of these rectangles. */
export function fitBoardAround(stage: Box, kept: Box[]): Fit {
  const largest = positionAmongRectangles(MOST, stage, kept)
  if (largest) return largest
  let best: Fit = { scale: LEAST, x: (stage.left + stage.right) / 2, y: (stage.top + stage.bottom) / 2 }
  for (let [low, high] = [LEAST, MOST]; high - low > EXACT;) {
    const scale = (low + high) / 2
    const found = positionAmongRectangles(scale, stage, kept)
    if (found) [best, low] = [found, scale]
    else high = scale
  }
  return best
}
