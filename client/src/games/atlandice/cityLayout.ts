// The layout of the city for a stage of any size. Pure functions; components draw it.
import type { WindowClass } from '../../lib/windowLayout'
import * as board from './board.generated'
import { SECTORS, type SectorName } from './view'

export interface Spot {
  x: number
  y: number
}
export interface Plot {
  sector: SectorName
  /** The middle of the district as an angle. */
  m: number
  path: string
  shadow: string
  verge: string
  lanes: string[]
  wallShade: string
  wall: string
  bridge: string
  mid: Spot
  building: Spot
  pile: Spot
  gate: Spot
  sub: Spot & { rope: string }
  badge: Spot
  trees: (Spot & { scale: number; house: boolean })[]
}
/** Where a small pile's symbol stands from the pile's centre; its number follows. */
export const PILE = -8
/** The district at the right: its plate is turned further on, clear of its pile's number. */
const RIGHT = 1
const TURNED = 0.08
export interface Layout {
  /** Small: piles are a symbol and a number, and there are no gardens. */
  plain: boolean
  /** Signs stand around the city; otherwise it has number plates. */
  around: boolean
  /** Pixels per unit of the drawing. */
  px: number
  W: number
  H: number
  cx: number
  cy: number
  R: number
  K: number
  /** The scale relative to the original drawing. */
  u: number
  outer: number
  inner: number
  plots: Plot[]
  waves: { d: string; o: number }[]
  marketSub: Spot
  /**
   * The market in the middle of a city with plates. In a small city, in a row with it: its amount, and room for its
   * dice.
   */
  market: { plate: Spot; y: number; count: number; dice: number; ui: number }
}

const formatCoordinate = (v: number): string => String(Math.round(v * 10) / 10)
const TAU = Math.PI * 2
const { RADII } = board

/** A deterministic pseudo-random generator. */
function seededRandom(seed: number): () => number {
  let s = seed
  return () => {
    s = (s * 1664525 + 1013904223) % 4294967296
    return s / 4294967296
  }
}

interface Size {
  plain: boolean
  px: number
  R: number
  K: number
}

const NOMINAL = board.CITY_RADIUS // that the rich city is drawn for
const UNIT = NOMINAL / 350
const EDGE = 56 // what plates and the submarine need beyond the walls, both sides together
const FOOT = 46 // what roofs and the isle's foot need above and below

/** A sign beside the city, in pixels of the stage. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}
export type Measured = Pick<Box, 'width' | 'height'>
const SIDE = 14 // between signs and the sides of the stage
const CLEAR = 8 // between a sign and the city

/** The signs of the five districts, each beside its own: one above the middle, the others in the corners. */
export function placeSignBoxes(w: number, h: number, [top, right, low, left, high]: Measured[], brief: boolean): Box[] {
  const upper = brief ? 12 : 88
  const rightAlignedX = (one: Measured): number => w - SIDE - one.width
  return [
    { ...top!, x: (w - top!.width) / 2, y: 8 },
    { ...right!, x: rightAlignedX(right!), y: upper },
    { ...low!, x: rightAlignedX(low!), y: h - low!.height - 4 },
    { ...left!, x: SIDE, y: h - left!.height - 4 },
    { ...high!, x: SIDE, y: upper },
  ]
}

/** The walls of a city and the foam around its foot, as ellipses in pixels; its middle is at `y`. */
export function cityOutline(px: number, x: number, y: number): { x: number; y: number; rx: number; ry: number }[] {
  return [
    [3, 0],
    [9, 20],
  ].map(([grow, down]) => {
    const rx = (NOMINAL + grow! * UNIT) * px
    return { x, y: y + down! * UNIT * px, rx, ry: rx * board.CITY_FLATNESS }
  })
}

/** The gap between a box and an ellipse, measured across it: below 0 they meet. */
export function gapToEllipse(box: Box, { x, y, rx, ry }: { x: number; y: number; rx: number; ry: number }): number {
  const nearestOffset = (least: number, size: number, at: number): number =>
    Math.max(least, Math.min(least + size, at)) - at
  return Math.hypot(nearestOffset(box.x, box.width, x), (nearestOffset(box.y, box.height, y) * rx) / ry) - rx
}

/** The largest city that leaves some sea to every sign and edge, and the height of its middle, in pixels. */
function largestCityBetweenSigns(w: number, h: number, signs: Box[]): { px: number; y: number } {
  const above = signs[0] ? signs[0].y + signs[0].height + CLEAR : CLEAR
  const middleYOf = (px: number): number => {
    const [walls, foot] = cityOutline(px, w / 2, 0)
    return Math.max(above + walls!.ry, Math.min(h / 2, h - 2 - foot!.y - foot!.ry))
  }
  const isFitting = (px: number): boolean => {
    const shapes = cityOutline(px, w / 2, middleYOf(px))
    const inside = shapes.every((one) => one.y + one.ry <= h - 1 && one.rx <= w / 2 - 40 * px)
    return inside && signs.every((sign) => shapes.every((one) => gapToEllipse(sign, one) >= CLEAR))
  }
  let [least, most] = [0.3, Math.max(w, h) / NOMINAL]
  for (let i = 0; i < 24; i++) {
    const px = (least + most) / 2
    if (isFitting(px)) least = px
    else most = px
  }
  return { px: least, y: middleYOf(least) }
}

/** The size of the city with number plates in a stage of that size. */
function citySizeWithPlates(kind: WindowClass, w: number, h: number): Size {
  const steep = kind === 'upright' ? 0.96 : board.CITY_FLATNESS
  const most = kind === 'tablet' ? (h - FOOT) / (2 * steep) : 222
  const R = Math.max(80, Math.min((w - EDGE) / 2, most))
  const K = Math.max(0.4, Math.min(steep, (h - FOOT) / (2 * R)))
  if (R < 300) return { plain: true, px: 1, R, K }
  return { plain: false, px: R / NOMINAL, R: NOMINAL, K }
}

/** Positions of buildings and pieces, relative to the middle of their district. */
const PLAIN = {
  building: [
    [-40, 10],
    [4, -14],
    [44, 8],
    [-34, 8],
    [-6, -14],
  ],
  pile: [
    [30, 4],
    [-8, 22],
    [-52, 2],
    [26, 4],
    [-18, 22],
  ],
}
const RICH = { building: board.BUILDING_OFFSETS, pile: board.PILE_OFFSETS }

/** `signs`: those that stand around the city in large windows. */
export function layoutCity(kind: WindowClass, w: number, h: number, signs: Box[] = []): Layout {
  const around = kind === 'wide' || kind === 'laptop'
  const fitted = around ? largestCityBetweenSigns(w, h, signs) : null
  const { plain, px, R, K } = fitted
    ? { plain: false, px: fitted.px, R: NOMINAL, K: board.CITY_FLATNESS }
    : citySizeWithPlates(kind, w, h)
  const W = w / px
  const H = h / px
  const cx = W / 2
  // In a stage too low for the city its middle gives way: the uppermost gate's die and number stay below the banner.
  const highest = R * K * RADII.gate + 22
  const cy = fitted ? fitted.y / px : plain ? Math.max(H / 2 - 9, highest) : H / 2 - 10
  const u = R / 350
  const pointAtAngle = (r: number, t: number, dy = 0): Spot => ({
    x: cx + r * Math.cos(t),
    y: cy + dy + r * K * Math.sin(t),
  })
  const svgPolyline = (spots: Spot[]): string =>
    'M' + spots.map((p) => `${formatCoordinate(p.x)},${formatCoordinate(p.y)}`).join(' ')
  const arcPath = (r: number, a0: number, a1: number, dy = 0, n = 20): string =>
    svgPolyline(Array.from({ length: n + 1 }, (_, i) => pointAtAngle(r, a0 + ((a1 - a0) * i) / n, dy)))
  const ringPath = (r0: number, r1: number, a0: number, a1: number, dy = 0, n = 24): string =>
    svgPolyline([
      ...Array.from({ length: n + 1 }, (_, i) => pointAtAngle(r1, a0 + ((a1 - a0) * i) / n, dy)),
      ...Array.from({ length: n + 1 }, (_, i) => pointAtAngle(r0, a1 - ((a1 - a0) * i) / n, dy)),
    ]) + 'Z'
  const near = plain ? PLAIN : RICH
  const inner = R * RADII.plaza
  const outer = R * RADII.clock
  const shore = R * RADII.shore
  const plots = SECTORS.slice(0, 5).map((sector, i): Plot => {
    const m = board.DISTRICT_ANGLES[i]!
    const half = Math.PI / 5 - board.DISTRICT_GAP
    const [a0, a1] = [m - half, m + half]
    const mid = pointAtAngle(R * RADII.middle, m)
    const k = plain ? R / 222 : R / 372
    const building = { x: mid.x + near.building[i]![0]! * k, y: mid.y + near.building[i]![1]! * k }
    const pile = { x: mid.x + near.pile[i]![0]! * k, y: mid.y + near.pile[i]![1]! * k }
    const from = pointAtAngle(R * board.BRIDGE_RADII[0], m)
    const to = pointAtAngle(R * board.BRIDGE_RADII[1], m)
    // Beside the number plate, or away from the signs: the first one stands above the middle.
    const aside = around ? (i ? board.SUBMARINE_TURNS[i]! : -0.5) : (i === 4 ? 1 : -1) * (i % 4 ? 0.16 : 0.27)
    const turn = m + aside
    const sub = pointAtAngle(R * (plain ? 1.03 : RADII.submarine), turn)
    const rope = pointAtAngle(R * 0.985, turn - 0.06 * Math.sign(aside))
    const rand = seededRandom(30 + i)
    const trees = []
    if (!plain)
      for (let q = 0; q < 9; q++) {
        const spot = pointAtAngle(R * 0.925, m - 0.53 + q * 0.1325, 3)
        const scale = rand()
        if (Math.abs(spot.x - building.x) < 48 && Math.abs(spot.y - 3 - building.y) < 52) continue
        trees.push({ ...spot, house: q % 2 === 0, scale: q % 2 === 0 ? 0.95 + scale * 0.2 : 0.62 + scale * 0.18 })
      }
    return {
      sector,
      m,
      path: ringPath(shore, R, a0, a1),
      shadow: ringPath(shore, R, a0, a1, 7 * u),
      verge: ringPath(R * 0.93, R * 0.985, a0 + 0.012, a1 - 0.012),
      lanes: [0.63, 0.72, 0.81].map((q) => arcPath(R * q, a0 + 0.02, a1 - 0.02)),
      wallShade: arcPath(R * 0.985, a0 + 0.006, a1 - 0.006),
      wall: arcPath(R * 0.985, a0 + 0.006, a1 - 0.006, -3 * u),
      bridge: `M${formatCoordinate(from.x)} ${formatCoordinate(from.y)}L${formatCoordinate(to.x)} ${formatCoordinate(to.y)}`,
      mid,
      building,
      pile,
      gate: pointAtAngle(R * RADII.gate, m, -2),
      sub: {
        ...sub,
        rope: `M${formatCoordinate(rope.x)} ${formatCoordinate(rope.y)}Q${formatCoordinate(rope.x + 14 * u)} ${formatCoordinate(rope.y + 20 * u)} ${formatCoordinate(sub.x - 8 * u)} ${formatCoordinate(sub.y + 2 * u)}`,
      },
      badge: pointAtAngle(R * RADII.plate, m + board.PLATE_TURNS[i]! + (plain && i === RIGHT ? TURNED : 0)),
      trees,
    }
  })
  const row = cy + Math.min(14, inner * K * 0.42)
  return {
    plain,
    around,
    px,
    W,
    H,
    cx,
    cy,
    R,
    K,
    u,
    outer,
    inner,
    plots,
    waves: scatterWaves(W, H, cx, cy, R, K),
    marketSub: pointAtAngle(R * RADII.canal, Math.PI / 2, 8 * u),
    market: {
      // left of everything else there
      plate: plain ? { x: cx - inner * 0.62, y: row } : { x: cx - inner * 0.87, y: cy + 2 },
      y: row,
      count: cx - inner * 0.08,
      dice: cx + inner * 0.57,
      ui: inner * 0.74,
    },
  }
}

function scatterWaves(W: number, H: number, cx: number, cy: number, R: number, K: number): Layout['waves'] {
  const rand = seededRandom(9)
  const seen: Spot[] = []
  const found: Layout['waves'] = []
  for (let i = 0; i < 420; i++) {
    const x = -260 + rand() * (W + 520)
    const y = -60 + rand() * (H + 140)
    const o = 0.16 + rand() * 0.2
    if (((x - cx) / (R + 30)) ** 2 + ((y - cy) / ((R + 30) * K)) ** 2 < 1) continue
    if (seen.some((p) => Math.abs(x - p.x) < 44 && Math.abs(y - p.y) < 26)) continue
    seen.push({ x, y })
    found.push({ d: `M${formatCoordinate(x - 11)} ${formatCoordinate(y)}c3.5-3.8 7.3-3.8 11 0s7.5 3.8 11 0`, o })
  }
  return found
}

/** The position of the lowest piece of a market stack in a detailed city: below its sign, if it has one. */
/** A point of the city's round by its distance from the middle and its angle. */
export const pointAtCity = (l: Layout, r: number, angle: number): Spot => ({
  x: l.cx + r * Math.cos(angle),
  y: l.cy + r * l.K * Math.sin(angle),
})
const [LOW_WATER, HIGH_WATER] = [1.075, 0.885] // of the city's radius: where the sea ends at the clock's first and last space
/** How near to the middle the sea has come, of the city's radius. */
export const waterLevel = (hand: number, last: number): number =>
  LOW_WATER - ((LOW_WATER - HIGH_WATER) * hand) / Math.max(1, last)

export const marketStackSpot = (l: Layout, column: number): Spot => ({
  x: l.cx + (column - 2) * 31,
  y: l.cy + (l.around ? Math.min(61, 28 + SIGN.y / l.px) : 45) - Math.abs(column - 2) * 4,
})
export const STACKED = 9 // offset of each piece on it
export const HIGHEST = 3 // pieces of a stack that are drawn; larger stacks show a number
export const NUMBER = 21 // distance below the lowest piece
export const SIGN = { x: 38, y: 24 } // half of the market's sign, to the finger, in pixels
export const marketSignSpot = (l: Layout): Spot => ({ x: l.cx, y: l.cy - 7 })

const PLATE = 44 // touch size of a number plate

/** Round plates around these centres, pushed apart where they overlap, all on the stage. */
export function spreadPlates(spots: Spot[], w: number, h: number): Spot[] {
  const clampToStage = (value: number, most: number): number => Math.max(PLATE / 2, Math.min(most - PLATE / 2, value))
  const found = spots.map(({ x, y }) => ({ x: clampToStage(x, w), y: clampToStage(y, h) }))
  for (let tries = 0; tries < 8; tries++)
    for (const [i, a] of found.entries())
      for (const b of found.slice(i + 1)) {
        const [x, y] = [PLATE - Math.abs(a.x - b.x), PLATE - Math.abs(a.y - b.y)]
        if (x <= 0 || y <= 0) continue
        const by = (Math.min(x, y) + 0.5) / 2
        const along = x < y ? 'x' : 'y'
        const way = a[along] < b[along] ? by : -by
        const most = along === 'x' ? w : h
        a[along] = clampToStage(a[along] - way, most)
        b[along] = clampToStage(b[along] + way, most)
      }
  return found
}

const BODY = 26 // a die's width
const DIE = 31 // with the gap beside it

/** The direction of the dice at a gate: along its canal, front ones last. */
export function gateDiceDirection({ m }: Plot): Spot {
  if (Math.abs(Math.cos(m)) < 0.1) return { x: 1, y: 0 }
  return { x: -Math.sin(m) * Math.sign(Math.cos(m)), y: Math.abs(Math.cos(m)) * 0.92 }
}

/**
 * The dice of a row around its middle; of more than four only three are shown with their number, and only one if there
 * is no room to see the pips of all.
 */
export function diceRowOffsets(n: number, scale: number, along: Spot, ui = Infinity): Spot[] {
  let shown = n > 4 ? (ui < Infinity ? 1 : 3) : n
  let step = (shown > 3 ? DIE - 2 : DIE) * scale
  if (shown > 1) step = Math.min(step, (ui - BODY * scale) / (shown - 1))
  if (step < 0.8 * BODY * scale) shown = 1
  const aside = shown === 1 && n > 1 ? BODY * scale * 0.25 : 0 // its number's offset
  return Array.from({ length: shown }, (_, i) => {
    const by = (i - (shown - 1) / 2) * step - aside
    return { x: by * along.x, y: by * along.y }
  })
}

/** The position of the number for dice that are not all shown: at a corner of the rightmost one. */
export function diceNumberSpot(row: Spot[], scale: number): Spot {
  const { x, y } = row.reduce((a, b) => (b.x > a.x ? b : a))
  const by = Math.max(12, 15 * scale)
  return { x: x + by, y: y - by }
}

const LOW = 130 // the height of a stage in which no gate has room for a row of dice

/** The maximum length of a gate's row of dice. */
export const gateRoom = (l: Layout): number => (l.plain && l.H < LOW ? 0 : Infinity)

/** The scale of the dice on the market. */
export const marketDiceScale = (l: Layout, n: number): number => (!l.plain ? 0.88 : n === 3 || n === 4 ? 0.58 : 0.66)

/**
 * The positions of the dice at each gate: pushed apart in a city so flat that two rows would meet, and away from those
 * on the market.
 */
export function gateDiceSpots(l: Layout, counts: number[], onMarket = 0): Spot[] {
  const scale = diceScale(l)
  const size = (DIE + 3) * scale
  const fixed = l.plain ? marketDiceScale(l, onMarket) : 0
  const market = l.plain && onMarket ? diceRowOffsets(onMarket, fixed, { x: 1, y: 0 }, l.market.ui) : []
  const apart = (size + (DIE + 3) * fixed) / 2
  const found = l.plots.map(({ gate }) => ({ ...gate }))
  const rows = l.plots.map((plot, i) => diceRowOffsets(counts[i] ?? 0, scale, gateDiceDirection(plot), gateRoom(l)))
  for (let tries = 0; tries < 12; tries++)
    for (const [i, a] of found.entries()) {
      for (const one of rows[i]!)
        for (const die of market) {
          const [x, y] = [a.x + one.x - l.market.dice - die.x, a.y + one.y - l.market.y]
          const [over, down] = [apart - Math.abs(x), apart - Math.abs(y)]
          if (over <= 0 || down <= 0) continue
          if (down <= over) a.y += (down + 0.5) * (y < 0 ? -1 : 1)
          else a.x += (over + 0.5) * (x < 0 ? -1 : 1)
        }
      for (const [j, b] of found.entries()) {
        if (j <= i) continue
        for (const one of rows[i]!)
          for (const other of rows[j]!) {
            const [x, y] = [a.x + one.x - b.x - other.x, a.y + one.y - b.y - other.y]
            const [over, down] = [size - Math.abs(x), size - Math.abs(y)]
            if (over <= 0 || down <= 0) continue
            const way = down <= over ? 'y' : 'x'
            const by = ((Math.min(over, down) + 0.5) / 2) * ((way === 'y' ? y : x) < 0 ? -1 : 1)
            a[way] += by
            b[way] -= by
          }
      }
    }
  return found
}

/** The scale of dice. */
export const diceScale = (l: Layout): number => (l.plain ? 0.74 : 0.95)

/** The position of a space of a clock with that many spaces. */
export function clockSpaceSpot(
  l: Layout,
  space: number,
  spaces: number,
  r = (l.inner + l.outer) / 2 + 1,
): Spot & { t: number } {
  const t = -Math.PI / 2 + (space * TAU) / spaces
  return { x: l.cx + r * Math.cos(t), y: l.cy + r * l.K * Math.sin(t), t }
}

const PIN = 9.4 // a pin's radius with its edge, before scaling
const TOUCH = 13 // at most, from a pin's middle

/** A pin at the clock: a sector's number beside the space that its last die leads to. `reach`: its radius for a finger. */
export interface Pin extends Spot {
  sector: SectorName
  to: number
  reach: number
}
/** The scale of pins. */
export const pinScale = (l: Layout): number => Math.max(l.u, 0.62)

/**
 * The pins around the clock in the order of their spaces. Those that would meet are pushed along the ring until each is
 * whole and its middle is its own.
 */
export function clockPinSpots(l: Layout, leads: readonly { sector: SectorName; to: number }[], spaces: number): Pin[] {
  const r = l.outer + (l.plain ? 1 : 2)
  const scale = pinScale(l)
  const apart = 2 * PIN * scale + 0.6
  const pins = [...leads]
    .sort((a, b) => a.to - b.to)
    .map((lead) => ({ ...lead, t: clockSpaceSpot(l, lead.to, spaces).t }))
  const spotAtAngle = (t: number): Spot => ({ x: l.cx + r * Math.cos(t), y: l.cy + r * l.K * Math.sin(t) })
  const distanceBetweenAngles = (a: number, b: number): number => {
    const [one, other] = [spotAtAngle(a), spotAtAngle(b)]
    return Math.hypot(one.x - other.x, one.y - other.y)
  }
  for (let tries = 0; tries < 200; tries++) {
    let moved = false
    for (const [i, a] of pins.entries()) {
      const b = pins[(i + 1) % pins.length]!
      // The ring is closed: after the last pin comes the first one.
      const turn = b.t - a.t + (i + 1 === pins.length ? TAU : 0)
      if (turn > Math.PI / 2) continue
      const short = turn <= 0 ? apart - turn * r : apart - distanceBetweenAngles(a.t, b.t)
      if (short <= 0.05) continue
      const speed = Math.hypot(r * Math.sin((a.t + b.t) / 2), r * l.K * Math.cos((a.t + b.t) / 2))
      a.t -= (short / 2 + 0.05) / speed
      b.t += (short / 2 + 0.05) / speed
      moved = true
    }
    if (!moved) break
  }
  return pins.map(({ sector, to, t }, i) => {
    const gaps = pins.filter((_, j) => j !== i).map((other) => distanceBetweenAngles(t, other.t))
    return { sector, to, ...spotAtAngle(t), reach: Math.min(TOUCH, ...gaps.map((gap) => gap / 2 / scale)) }
  })
}

/** The pieces of a pile in rows, closer together the more there are. */
export function pieceOffsetsInPile(n: number): { x: number; y: number; scale: number }[] {
  const width = n <= 2 ? 2 : n <= 9 ? 3 : n <= 12 ? 4 : 5
  const scale = n <= 6 ? 1.02 : n <= 9 ? 0.94 : n <= 12 ? 0.8 : 0.66
  const rows = Math.ceil(n / width)
  return Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / width)
    const inRow = row === rows - 1 ? n - row * width : width
    return { x: (i - row * width - (inRow - 1) / 2) * 28 * scale, y: (row - (rows - 1) / 2) * 25 * scale, scale }
  })
}

export const HOUSE = 'M-8 1V-8H8V1Z'

/** A route from outside to a gate that crosses nothing: along a canal, then round the ring; for a guide's pointer. */
export function pointerRouteToGate(l: Layout, plot: Plot): string {
  const ring = Math.hypot(plot.gate.x - l.cx, (plot.gate.y - l.cy) / l.K)
  const normaliseAngle = (angle: number): number => ((angle % TAU) + TAU) % TAU
  const low = normaliseAngle(plot.m) > TAU / 4 && normaliseAngle(plot.m) < (TAU * 2) / 3
  const canal = low || !l.around ? TAU / 4 : TAU / 20
  const apart = ((normaliseAngle(plot.m - canal) + TAU / 2) % TAU) - TAU / 2
  const steps = Math.max(1, Math.round(Math.abs(apart) / 0.2))
  const points = [l.R + 18, (l.R + ring) / 2].map((radius) => [radius, canal] as const)
  for (let i = 0; i < steps; i++) points.push([ring, canal + (apart * i) / steps])
  return points
    .map(
      ([radius, angle]) =>
        `${formatCoordinate(l.cx + radius * Math.cos(angle))},${formatCoordinate(l.cy + radius * l.K * Math.sin(angle))}`,
    )
    .join(' ')
}
