// The board's geometry: 133 spaces named row by row, seen from above and a little from the south.
import type { Terrain } from './view'

export const SIZE = 42
const SQUASH = 0.86
const WIDTH = SIZE * Math.sqrt(3)
/** Half a space's width and the distance of rows, in the board's own units. */
export const HALF = WIDTH / 2
export const ROW = 1.5 * SIZE * SQUASH

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

const LANDINGS: Record<string, [number, number][]> = {
  '@NW': [
    [-2, -5],
    [-3, -4],
  ],
  '@NE': [
    [7, -5],
    [7, -4],
  ],
  '@SW': [
    [-7, 4],
    [-7, 5],
  ],
  '@SE': [
    [3, 4],
    [2, 5],
  ],
}
const key = (q: number, r: number): string => `${q},${r}`
const point = (q: number, r: number): Point => ({ x: WIDTH * (q + r / 2), y: ROW * r })

function makeSpaces(): Space[] {
  const landing = new Map(
    Object.entries(LANDINGS).flatMap(([isle, two]) => two.map(([q, r]) => [key(q, r), isle] as const)),
  )
  const extra = new Set(['-3,-1', '4,-1', '-4,1', '3,1'])
  const found: Space[] = []
  for (let r = -6; r <= 6; r++) {
    let count = 0
    for (let q = -7; q <= 7; q++) {
      const inside = Math.abs(q) <= 6 && Math.abs(q + r) <= 6 && key(q, r) !== '6,0' && key(q, r) !== '-6,0'
      if (!inside && !landing.has(key(q, r))) continue
      const slot =
        extra.has(key(q, r)) || (Math.abs(q) <= 3 && Math.abs(r) <= 3 && Math.abs(q + r) <= 3 && key(q, r) !== '0,0')
      found.push({
        name: 'ABCDEFGHIJKLM'[r + 6]! + ++count,
        q,
        r,
        row: r + 6,
        slot,
        isle: landing.get(key(q, r)) ?? null,
        ...point(q, r),
      })
    }
  }
  return found
}

export const SPACES = makeSpaces()
export const BY_NAME = new Map(SPACES.map((space) => [space.name, space]))
const BY_HEX = new Map(SPACES.map((space) => [key(space.q, space.r), space]))
export const ROWS: Space[][] = Array.from({ length: 13 }, (_, row) => SPACES.filter((space) => space.row === row))
export const SLOTS = SPACES.filter((space) => space.slot)
export const LAKE = BY_NAME.get('G6')!

export const DIRECTIONS = { NW: [0, -1], NE: [1, -1], E: [1, 0], SE: [0, 1], SW: [-1, 1], W: [-1, 0] } as const
export type Direction = keyof typeof DIRECTIONS
const WAYS = Object.values(DIRECTIONS)

export const beside = (space: Space, direction: Direction): Space | undefined =>
  BY_HEX.get(key(space.q + DIRECTIONS[direction][0], space.r + DIRECTIONS[direction][1]))
export const around = (space: Space): Space[] =>
  WAYS.map(([q, r]) => BY_HEX.get(key(space.q + q, space.r + r))).filter((one) => one !== undefined)
/** Steps between two spaces in a straight line. */
export const apart = (a: Space, b: Space): number =>
  (Math.abs(a.q - b.q) + Math.abs(a.r - b.r) + Math.abs(a.q + a.r - b.q - b.r)) / 2

/** The shortest routes from a space over others, with both ends; no route continues past a stop. */
export function ways(from: string, over: ReadonlySet<string>, stops: (name: string) => boolean): Map<string, string[]> {
  const found = new Map([[from, [from]]])
  for (const [name, way] of found) {
    if (name !== from && stops(name)) continue
    for (const { name: next } of around(BY_NAME.get(name)!))
      if (over.has(next) && !found.has(next)) found.set(next, [...way, next])
  }
  return found
}

const OFF: Record<string, Point> = {
  '@NW': { x: -58, y: -24 },
  '@NE': { x: 58, y: -24 },
  '@SW': { x: -58, y: 24 },
  '@SE': { x: 58, y: 24 },
}
export const ISLES = Object.entries(LANDINGS).map(([name, two]) => {
  const [a, b] = two.map(([q, r]) => point(q, r)) as [Point, Point]
  return { name, x: (a.x + b.x) / 2 + OFF[name]!.x, y: (a.y + b.y) / 2 + OFF[name]!.y, row: a.y < 0 ? 1 : 11 }
})
const ISLE_BY_NAME = new Map(ISLES.map((isle) => [isle.name, isle]))

/** The centre of a space or an isle, at water level. */
export const middle = (place: string): Point => BY_NAME.get(place) ?? ISLE_BY_NAME.get(place) ?? { x: 0, y: 0 }
export const rowOf = (place: string): number => BY_NAME.get(place)?.row ?? ISLE_BY_NAME.get(place)?.row ?? 0

export const HEIGHT: Record<Terrain, number> = { beach: 7, forest: 14, mountain: 18 }

const CORNERS = [
  [0, -36.1],
  [36.4, -18.05],
  [36.4, 18.05],
  [0, 36.1],
  [-36.4, 18.05],
  [-36.4, -18.05],
] as const
const short = (value: number): string => String(Math.round(value * 10) / 10)
/** A hexagon's outline around a point, `scale` times the size of a space. */
export const hexagon = (x = 0, y = 0, scale = 1): string =>
  `M${CORNERS.map(([a, b]) => `${short(x + a * scale)},${short(y + b * scale)}`).join(' ')}Z`
export const hexagons = (spaces: Iterable<Space>, scale = 1, dx = 0, dy = 0): string =>
  Array.from(spaces, (one) => hexagon(one.x + dx, one.y + dy, scale)).join('')

/** The visible part of the world at minimum zoom: isles, rim and the heads of those who stand there. */
export const WHOLE = { x: -476, y: -384, width: 952, height: 756 }

/** A deterministic number from 0 to 1 for a name: small variations between equal things. */
export function chance(name: string, salt = 7): number {
  let mixed = salt * 2654435761
  for (let i = 0; i < name.length; i++) mixed = Math.imul(mixed ^ name.charCodeAt(i), 16777619)
  mixed ^= mixed >>> 15
  return ((Math.imul(mixed, 2246822519) >>> 0) % 10007) / 10007
}
