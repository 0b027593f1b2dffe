// Where a player's row or chip is on the page. It stands apart from films, which are loaded later.
import type { Point } from './film'

/** The middle of a player's row or chip that is visible. */
export function findSeatAnchor(seat: number): Point | null {
  for (const row of document.querySelectorAll(`[data-seat="${seat}"]`)) {
    const { x, y, width, height } = row.getBoundingClientRect()
    if (width && height) return { x: x + width / 2, y: y + height / 2 }
  }
  return null
}
