// Keyboard navigation between spaces: arrows, and Q W A S Z X around a key for the six directions.
import { neighbourInDirection, BY_NAME, ISLES, ROWS, SPACES, type Direction } from './boardGeometry'

const KEYS: Record<string, Direction> = {
  q: 'NW',
  w: 'NE',
  a: 'W',
  s: 'E',
  z: 'SW',
  x: 'SE',
  ArrowLeft: 'W',
  ArrowRight: 'E',
}

/** The place a key leads to; undefined for other keys, or if there is none. */
export function placeAfterKey(place: string, key: string): string | undefined {
  if (key === 'ArrowUp' || key === 'ArrowDown') return spaceAboveOrBelow(place, key === 'ArrowUp' ? -1 : 1)
  const direction = KEYS[key.length === 1 ? key.toLowerCase() : key]
  if (!direction) return undefined
  const eastward = direction === 'E' || direction === 'NE' || direction === 'SE'
  if (place.startsWith('@')) {
    if (eastward !== place.endsWith('W')) return undefined
    return SPACES.find((space) => space.isle === place && (direction[0] !== 'S' || space.row > 6 || space.row === 2))
      ?.name
  }
  const space = BY_NAME.get(place)!
  const found = neighbourInDirection(space, direction)
  if (found) return found.name
  return space.isle && eastward === space.isle.endsWith('E') ? space.isle : undefined
}

/** The space straight above or below, as nearly as rows allow. */
function spaceAboveOrBelow(place: string, by: number): string | undefined {
  const isle = ISLES.find((one) => one.name === place)
  const from = isle ?? BY_NAME.get(place)!
  const row = ROWS[from.row + by]
  if (!row) return undefined
  // rows are offset by half a space: lean left going up and right going down, so that up and down return
  return row.reduce((best, one) =>
    Math.abs(one.x - from.x - by * 5) < Math.abs(best.x - from.x - by * 5) ? one : best,
  ).name
}
