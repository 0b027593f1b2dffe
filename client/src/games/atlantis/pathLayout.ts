// The path's geometry: four long rows, nine short ones on an upright phone, six or eight in a short window.
import type { WindowClass } from '../../lib/windowLayout'
import { POSITIONS } from './board.generated'
import { gapAt, placeNumber, type AtlantisView, type Figure } from './view'

export interface Point {
  x: number
  y: number
}
export interface Shore extends Point {
  k: number
}
export interface Layout {
  name: 'wide' | 'tall' | 'rows'
  /** The visible box: left, top, width, height. */
  box: [number, number, number, number]
  /** The scale of tiles and figures. */
  ks: number
  /** How many pixels one unit of the drawing measures. */
  px: number
  spots: Point[]
  /** Positions from back to front. */
  order: number[]
  /** The side of each tile that a tile in front of it hides at a bend: left, none, right. */
  hidden: (-1 | 0 | 1)[]
  /** The path as an SVG line, and its points. */
  line: string
  curve: Point[]
  /** The index of the curve's point at each position. */
  marks: number[]
  atlantis: Shore
  mainland: Shore
  /** The mainland is mirrored if the path comes from its right. */
  flip: boolean
  deck: Point
  waves: (Point & { o: number })[]
}

const roundToTenth = (v: number): number => Math.round(v * 10) / 10

/** Alternating rows, the first at the bottom, joined by turns; straight parts sway a little. */
interface Rows {
  left: number
  right: number
  /** The height of each row, from the first. */
  ys: number[]
  /** The horizontal reach of a turn, relative to half the distance of two rows. */
  turn: number
  sway: { by: number; long: number; shift: number; calm: number }
}

function windingCurve({ left, right, ys, turn, sway }: Rows): Point[] {
  const points: Point[] = []
  for (const [row, y] of ys.entries()) {
    const xs = Array.from({ length: 201 }, (_, i) => left + ((right - left) * i) / 200)
    if (row % 2) xs.reverse()
    for (const x of xs) {
      const calm = Math.max(0, Math.min(1, Math.min(x - left, right - x) / sway.calm))
      points.push({ x, y: y + sway.by * Math.sin(x / sway.long + row * sway.shift) * calm })
    }
    if (row === ys.length - 1) break
    const rad = (y - ys[row + 1]!) / 2
    const side = row % 2 === 0 ? 1 : -1
    for (let i = 1; i < 60; i++) {
      points.push({
        x: (side > 0 ? right : left) + side * rad * turn * Math.sin((Math.PI * i) / 60),
        y: y - rad + rad * Math.cos((Math.PI * i) / 60),
      })
    }
  }
  return points
}

const rowYs = (bottom: number, step: number, n: number): number[] =>
  Array.from({ length: n }, (_, row) => bottom - step * row)

/** Equally spaced points along a curve, with free ends. */
function evenlySpacedSpots(curve: Point[], start: number, end: number): { spots: Point[]; marks: number[] } {
  const far = [0]
  for (let i = 1; i < curve.length; i++)
    far.push(far[i - 1]! + Math.hypot(curve[i]!.x - curve[i - 1]!.x, curve[i]!.y - curve[i - 1]!.y))
  const length = far.at(-1)! - start - end
  const spots: Point[] = []
  const marks: number[] = []
  let j = 0
  for (let i = 0; i < POSITIONS; i++) {
    const want = start + (length * i) / (POSITIONS - 1)
    while (j < far.length - 2 && far[j + 1]! < want) j++
    const part = (want - far[j]!) / (far[j + 1]! - far[j]!)
    const [a, b] = [curve[j]!, curve[j + 1]!]
    spots.push({ x: roundToTenth(a.x + (b.x - a.x) * part), y: roundToTenth(a.y + (b.y - a.y) * part) })
    marks.push(j)
  }
  return { spots, marks }
}

export function svgPolyline(points: Point[]): string {
  return `M${points.map((p) => `${roundToTenth(p.x)},${roundToTenth(p.y)}`).join(' ')}`
}

/** Little waves away from the path, deterministic. */
function scatterWaves(spots: Point[], width: number, height: number): (Point & { o: number })[] {
  let seed = 5
  const nextRandom = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647
  const found: (Point & { o: number })[] = []
  for (let n = (width * height) / 3600; n > 0; n--) {
    const x = -60 + nextRandom() * (width + 140)
    const y = -40 + nextRandom() * (height + 100)
    if (
      spots.some((p) => (p.x - x) ** 2 + (p.y - y) ** 2 < 42 ** 2) ||
      found.some((w) => Math.abs(w.x - x) < 40 && Math.abs(w.y - y) < 24)
    )
      continue
    found.push({ x: roundToTenth(x), y: roundToTenth(y), o: Math.round((0.14 + nextRandom() * 0.2) * 100) / 100 })
  }
  return found
}

/** The side of the tile at `p` that another one hides, if any: below it and to the left or to the right. */
function hiddenSide(p: Point, spots: Point[], ks: number): -1 | 0 | 1 {
  const front = spots.find((q) => {
    const [dx, dy] = [Math.abs(q.x - p.x) / ks, (q.y - p.y) / ks]
    return dx > 8 && dx < 50 && dy > 0 && dy < 58
  })
  return front ? (front.x < p.x ? -1 : 1) : 0
}

type UnscaledLayout = Omit<Layout, 'px'>
type Shape = Pick<Layout, 'name' | 'box' | 'ks' | 'atlantis' | 'mainland' | 'flip' | 'deck'>

function layoutAlongCurve(curve: Point[], from: number, to: number, shape: Shape): UnscaledLayout {
  const { spots, marks } = evenlySpacedSpots(curve, from, to)
  const order = spots.map((_, i) => i).sort((a, b) => spots[a]!.y - spots[b]!.y || a - b)
  const hidden = spots.map((p) => hiddenSide(p, spots, shape.ks))
  const line = svgPolyline([...curve.filter((_, i) => i % 6 === 0), curve.at(-1)!])
  const [, , width, height] = shape.box
  return { spots, marks, order, hidden, line, curve, waves: scatterWaves(spots, width + 60, height + 120), ...shape }
}

/** Four long rows, all visible. */
function wideLayout(): UnscaledLayout {
  const sway = { by: 10, long: 100, shift: 1.7, calm: 90 }
  const curve = windingCurve({ left: 120, right: 942, ys: rowYs(588, 142, 4), turn: 0.92, sway })
  return layoutAlongCurve(curve, 112, 158, {
    name: 'wide',
    box: [0, 62, 1068, 604],
    ks: 1.19,
    atlantis: { x: 112, y: 590, k: 1.08 },
    mainland: { x: 148, y: 150, k: 0.92 },
    flip: true,
    deck: { x: 1012, y: 642 },
  })
}

/** Nine short rows for an upright phone, scrolling upwards, and one below them for Atlantis. */
function tallLayout(): UnscaledLayout {
  const sway = { by: 7, long: 48, shift: 1, calm: 60 }
  const curve = windingCurve({ left: 62, right: 328, ys: rowYs(840, 88, 9), turn: 0.72, sway })
  return layoutAlongCurve(curve, 34, 200, {
    name: 'tall',
    box: [0, 44, 390, 956],
    ks: 1,
    atlantis: { x: 112, y: 922, k: 1.16 },
    mainland: { x: 286, y: 116, k: 0.7 },
    flip: false,
    deck: { x: 352, y: 960 },
  })
}

/** Six or eight rows as wide as the stage of a short window, unscaled. */
function shortWindowLayout(width: number): UnscaledLayout {
  const n = width > 500 ? 6 : 8
  const sway = { by: 7, long: 52, shift: 1, calm: 70 }
  const bottom = 118 + 96 * (n - 1)
  const curve = windingCurve({ left: 70, right: width - 72, ys: rowYs(bottom, 96, n), turn: 0.72, sway })
  return layoutAlongCurve(curve, 84, 150, {
    name: 'rows',
    box: [0, 42, width, 96 * n + 66],
    ks: 1.03,
    atlantis: { x: 74, y: bottom + 14, k: 0.8 },
    mainland: { x: 104, y: 118, k: 0.72 },
    flip: true,
    deck: { x: width - 50, y: bottom + 44 },
  })
}

const made = new Map<string, UnscaledLayout>()
function cachedLayout(name: string, make: () => UnscaledLayout): UnscaledLayout {
  const found = made.get(name) ?? make()
  made.set(name, found)
  return found
}

const TARGET = 44 // a finger's: tiles that would be smaller are looked at part by part

/** The path for a stage of this size in a window of this class. */
export function pathLayoutFor(kind: WindowClass, width: number, height: number): Layout {
  if (kind === 'short') return { ...cachedLayout(`rows${width}`, () => shortWindowLayout(width)), px: 1 }
  const whole = cachedLayout('wide', wideLayout)
  const px = Math.max(0.1, Math.min(width / whole.box[2], height / whole.box[3]))
  if (kind === 'wide' || kind === 'laptop' || px * WIDTH * whole.ks >= TARGET) return { ...whole, px }
  const part = cachedLayout('tall', tallLayout)
  return { ...part, px: Math.max(0.1, width / part.box[2]) }
}

/** A tile's touch width. */
export const WIDTH = 58

export const tileLift = (below: number): number => (below ? 18 : 8)

/** -1 where a tile's face is mirrored: its value would be hidden on the right. */
export const faceDirection = (l: Layout, at: number): 1 | -1 => (l.hidden[at - 1] === 1 ? -1 : 1)

/** Where a position's number stands: on the edge below its own face, away from a tile that hides some of it. */
export function positionNumberSpot(l: Layout, view: AtlantisView, at: number): Point {
  const { x, y } = l.spots[at - 1]!
  const side = -l.hidden[at - 1]!
  const spot = view.path[at - 1]!
  const gap = gapAt(view, at)
  const [dx, dy] = gap?.bridge ? [0, 2] : gap ? [17 * (side || -1), 12] : [20 * side, spot.below ? 11 : side ? 18 : 14]
  return { x: x + dx * l.ks, y: y + dy * l.ks }
}

/** The centre of a place: of a tile's ground, or of a shore's. */
export function placeCentre(l: Layout, place: string): Point {
  if (place === 'atlantis') return l.atlantis
  if (place === 'mainland')
    return { x: l.mainland.x + (l.flip ? 40 : -40) * l.mainland.k, y: l.mainland.y + 8 * l.mainland.k }
  return l.spots[placeNumber(place) - 1]!
}

/** A figure's position; on the shores each colour has its own corner. */
export function figureSpot(l: Layout, view: AtlantisView, seat: number, figure: Figure): Point & { s: number } {
  const place = view.seats[seat]!.figures[figure]
  if (place === 'atlantis' || place === 'mainland') return shoreFigureSpot(l, view, place, seat, figure)
  const { x, y } = placeCentre(l, place)
  const spot = view.path[placeNumber(place) - 1]!
  const guest = spot.figure !== null && (spot.figure.seat !== seat || spot.figure.figure !== figure)
  const h = tileLift(spot.below)
  return {
    x: x + (guest ? 8 : -9) * faceDirection(l, spot.at) * l.ks,
    y: y + ((guest ? -4 : 9) - h) * l.ks,
    s: 0.84 * l.ks,
  }
}

/** Where one figure of each other player stands for all of them, from Atlantis's centre. */
const SIDES: readonly Point[] = [
  { x: -79, y: 17 },
  { x: 72, y: 17 },
  { x: 96, y: 2 },
]

export function shoreFigureSpot(
  l: Layout,
  view: AtlantisView,
  place: string,
  seat: number,
  figure: string,
): Point & { s: number } {
  const own = Object.entries(view.seats[seat]!.figures).filter(([, at]) => at === place)
  const n = Math.max(
    0,
    own.findIndex(([name]) => name === figure),
  )
  const seats = view.seats.length
  if (place === 'atlantis') {
    const { x, y, k } = l.atlantis
    if (l.name === 'tall') {
      const front = view.seat ?? 0
      if (seat === front) return { x: x - 6 + (n - (own.length - 1) / 2) * 36, y: y + 36, s: 0.9 }
      const side = SIDES[(seat - front - 1 + seats) % seats]!
      return { x: x + side.x, y: y + side.y, s: 0.62 }
    }
    return {
      x: x + (-58 + (seat * 116) / Math.max(1, seats) + n * 13 + 10) * k,
      y: y + (12 + n * 4 + (seat % 2) * 5) * k,
      s: (l.ks > 1 ? 0.8 : 0.62) * (l.ks > 1 ? l.ks : 1),
    }
  }
  const { x, y, k } = l.mainland
  const side = l.flip ? -1 : 1
  return {
    x: x + side * (-66 + seat * 30 + n * 11) * k,
    y: y + (6 + n * 4 + (seat % 2) * 9) * k,
    s: (l.ks > 1 ? 0.76 : 0.62) * (l.ks > 1 ? l.ks : 1),
  }
}

export interface Hop {
  d: string
  head: string
  mid: Point
}

/** An arc between two positions, with its head and its middle. */
export function hopArc(from: Point, to: Point): Hop {
  const [x1, y1] = [from.x, from.y]
  let [x2, y2] = [to.x, to.y]
  let mx = (x1 + x2) / 2
  let my = Math.min(y1, y2) - Math.max(34, Math.min(90, Math.abs(x2 - x1) * 0.2))
  if (Math.abs(x2 - x1) < 0.6 * Math.abs(y2 - y1)) {
    mx = (x1 + x2) / 2 + 58
    my = (y1 + y2) / 2 + 6
  }
  const long = Math.hypot(x2 - mx, y2 - my) || 1
  const ex = (x2 - mx) / long
  const ey = (y2 - my) / long
  x2 -= ex * 8
  y2 -= ey * 8
  const f = roundToTenth
  return {
    d: `M${f(x1)} ${f(y1)}Q${f(mx)} ${f(my)} ${f(x2)} ${f(y2)}`,
    head: `M${f(x2 + ex * 8)} ${f(y2 + ey * 8)}L${f(x2 - ex * 5 - ey * 8)} ${f(y2 - ey * 5 + ex * 8)} ${f(x2 - ex * 5 + ey * 8)} ${f(y2 - ey * 5 - ex * 8)}Z`,
    mid: { x: f(0.25 * x1 + 0.5 * mx + 0.25 * x2), y: f(0.25 * y1 + 0.5 * my + 0.25 * y2) },
  }
}

/** The point above a place where arcs begin and end. */
export function arcEndAbovePlace(l: Layout, view: AtlantisView, place: string): Point {
  const { x, y } = placeCentre(l, place)
  if (place === 'atlantis') return { x: x + 12 * l.atlantis.k, y: y - 22 * l.atlantis.k }
  if (place === 'mainland') return { x, y: y - 26 * l.mainland.k }
  const h = tileLift(view.path[placeNumber(place) - 1]!.below)
  return { x: x - 9 * faceDirection(l, Number(place)) * l.ks, y: y - (h + 30) * l.ks }
}

/** The path between two positions, as an SVG line. */
export function svgPathBetween(l: Layout, from: number, to: number): string {
  const [a, b] = [l.spots[from - 1]!, l.spots[to - 1]!]
  const inner = l.curve.slice(l.marks[from - 1]! + 1, l.marks[to - 1]! + 1).filter((_, i) => i % 3 === 0)
  return svgPolyline([a, ...inner, b])
}

/** The angle of the arch over a gap; null for a long gap, one around a bend, or where it would hide a tile's value. */
export function archAngleOverGap(l: Layout, at: number, to: number): { angle: number } | null {
  const [a, b] = [l.spots[at - 2]!, l.spots[to]!]
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI
  const flat = ((angle + 90 + 360) % 180) - 90
  const straight = Math.hypot(b.x - a.x, b.y - a.y) > (to - at + 2) * 44 * l.ks
  const hides = faceDirection(l, at - 1) < 0 || faceDirection(l, to + 1) < 0
  return Math.abs(flat) > 24 || !straight || hides || to - at > 2 ? null : { angle: flat }
}
