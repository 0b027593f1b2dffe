// The board's geometry: 133 spaces named row by row, seen from above and a little from the south.
import * as board from './board.generated'
import type { Terrain } from './view'

/** Half a space's width and the distance of rows, in the board's own units. */
export const HALF = board.SPACE_WIDTH / 2
export const ROW: number = board.ROW_DISTANCE

export interface Point {
  x: number
  y: number
}
export interface Space extends Point {
  name: string
  q: number
  r: number
  /** 0 to 12 from the top. */
  row: number
  /** Whether the original island covered it. */
  slot: boolean
  isle: string | null
}

const hexKey = (q: number, r: number): string => `${q},${r}`

export const SPACES: readonly Space[] = board.SPACES
export const BY_NAME = new Map(SPACES.map((space) => [space.name, space]))
const BY_HEX = new Map(SPACES.map((space) => [hexKey(space.q, space.r), space]))
export const ROWS: Space[][] = Array.from({ length: 13 }, (_, row) => SPACES.filter((space) => space.row === row))
export const SLOTS = SPACES.filter((space) => space.slot)
export const LAKE = BY_NAME.get(board.LAKE_NAME)!

const { DIRECTIONS } = board
export type Direction = keyof typeof DIRECTIONS
const WAYS = Object.values(DIRECTIONS)

export const neighbourInDirection = (space: Space, direction: Direction): Space | undefined =>
  BY_HEX.get(hexKey(space.q + DIRECTIONS[direction][0], space.r + DIRECTIONS[direction][1]))
export const neighbours = (space: Space): Space[] =>
  WAYS.map(([q, r]) => BY_HEX.get(hexKey(space.q + q, space.r + r))).filter((one) => one !== undefined)
/** Steps between two spaces in a straight line. */
export const hexDistance = (a: Space, b: Space): number =>
  (Math.abs(a.q - b.q) + Math.abs(a.r - b.r) + Math.abs(a.q + a.r - b.q - b.r)) / 2

/** The shortest routes from a space over others, with both ends; no route continues past a stop. */
export function shortestRoutes(
  from: string,
  over: ReadonlySet<string>,
  stops: (name: string) => boolean,
): Map<string, string[]> {
  const found = new Map([[from, [from]]])
  for (const [name, way] of found) {
    if (name !== from && stops(name)) continue
    for (const { name: next } of neighbours(BY_NAME.get(name)!))
      if (over.has(next) && !found.has(next)) found.set(next, [...way, next])
  }
  return found
}

export const ISLES: readonly (Point & { name: string; row: number })[] = board.ISLES
const ISLE_BY_NAME = new Map(ISLES.map((isle) => [isle.name, isle]))

/** The centre of a space or an isle, at water level. */
export const placeCentre = (place: string): Point => BY_NAME.get(place) ?? ISLE_BY_NAME.get(place) ?? { x: 0, y: 0 }
export const rowOfPlace = (place: string): number => BY_NAME.get(place)?.row ?? ISLE_BY_NAME.get(place)?.row ?? 0

export const HEIGHT: Record<Terrain, number> = board.TERRAIN_HEIGHTS

const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10)
/** A hexagon's outline around a point, `scale` times the size of a space. */
export const hexagonPath = (x = 0, y = 0, scale = 1): string =>
  `M${board.CORNERS.map(([a, b]) => `${formatCoordinate(x + a * scale)},${formatCoordinate(y + b * scale)}`).join(' ')}Z`
export const hexagonPaths = (spaces: Iterable<Space>, scale = 1, dx = 0, dy = 0): string =>
  Array.from(spaces, (one) => hexagonPath(one.x + dx, one.y + dy, scale)).join('')

/** The visible part of the world at minimum zoom: isles, rim and the heads of those who stand there. */
export const WHOLE = { x: -476, y: -384, width: 952, height: 756 }

/** A deterministic number from 0 to 1 for a name: small variations between equal things. */
export function seededChance(name: string, salt = 7): number {
  let mixed = salt * 2654435761
  for (let i = 0; i < name.length; i++) mixed = Math.imul(mixed ^ name.charCodeAt(i), 16777619)
  mixed ^= mixed >>> 15
  return ((Math.imul(mixed, 2246822519) >>> 0) % 10007) / 10007
}

/** A tile's picture: forests have two, and beaches and forests may be mirrored. */
export const terrainSymbol = (space: Space, terrain: Terrain): string =>
  `tile-${terrain}${terrain === 'forest' && seededChance(space.name, 3) < 0.5 ? '-2' : ''}`
export const isMirrored = (space: Space, terrain: Terrain): boolean =>
  terrain !== 'mountain' && seededChance(space.name, 5) < 0.5
