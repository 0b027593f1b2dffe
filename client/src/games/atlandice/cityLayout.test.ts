// Number plates are as large as a finger, and neither they nor dice overlap, however flat the city is.
import { expect, test } from 'vitest'
import {
  gateDiceDirection,
  spreadPlates,
  clockSpaceSpot,
  diceRowOffsets,
  diceScale,
  gapToEllipse,
  gateDiceSpots,
  gateRoom,
  HIGHEST,
  layoutCity,
  marketDiceScale,
  marketSignSpot,
  marketStackSpot,
  NUMBER,
  diceNumberSpot,
  cityOutline,
  pinScale,
  clockPinSpots,
  SIGN,
  placeSignBoxes,
  STACKED,
} from './cityLayout'
import { SECTORS } from './view'

const over = (spots: { x: number; y: number }[]): number =>
  spots.flatMap((a, i) => spots.slice(i + 1).filter((b) => Math.abs(a.x - b.x) < 44 && Math.abs(a.y - b.y) < 44)).length

test.each([
  [360, 240],
  [360, 407],
  [390, 617],
  [564, 338],
  [440, 398],
  [320, 200],
])('plates in a stage of %i x %i', (w, h) => {
  const l = layoutCity(w > h ? 'short' : 'upright', w, h)
  const spots = [...l.plots.map((plot) => plot.badge), l.market.plate]
  const found = spreadPlates(spots, w, h)
  expect(over(found)).toBe(0)
  for (const { x, y } of found) {
    expect(Math.min(x, w - x)).toBeGreaterThanOrEqual(22)
    expect(Math.min(y, h - y)).toBeGreaterThanOrEqual(22)
  }
})

test.each([
  [768, 652],
  [820, 760],
  [900, 620],
])("the market's plate beside its pieces in a tablet's stage of %i x %i", (w, h) => {
  const l = layoutCity('tablet', w, h)
  expect(l.plain).toBe(false)
  const spots = [...l.plots.map((plot) => plot.badge), l.market.plate].map(({ x, y }) => ({ x: x * l.px, y: y * l.px }))
  const plate = spreadPlates(spots, w, h).at(-1)!
  const reach = 22 + 10 * l.px // a finger on the plate, and half a piece
  for (const column of [0, 1, 2, 3, 4])
    for (let i = 0; i < HIGHEST; i++) {
      const { x, y } = marketStackSpot(l, column)
      const [over, down] = [plate.x - x * l.px, plate.y - (y - i * STACKED) * l.px]
      expect(Math.max(Math.abs(over), Math.abs(down))).toBeGreaterThanOrEqual(reach)
    }
})

test.each([
  ['laptop', 880, 490],
  ['laptop', 908, 560],
  ['wide', 1020, 760],
  ['wide', 1900, 1200],
] as const)("the market's sign above its pieces, and these above the clock, on a %s of %i x %i", (kind, w, h) => {
  const l = layoutCity(kind, w, h)
  expect(l.around).toBe(true)
  for (const column of [0, 1, 2, 3, 4]) {
    const { x, y } = marketStackSpot(l, column)
    const highest = y - (HIGHEST - 1) * STACKED - 11 // half a piece
    const beside = Math.abs(x - marketSignSpot(l).x) * l.px - 8 * l.px >= SIGN.x - 1
    if (!beside) expect((highest - marketSignSpot(l).y) * l.px).toBeGreaterThanOrEqual(SIGN.y - 1)
    const lowest = y + NUMBER
    expect(((x - l.cx) / l.inner) ** 2 + ((lowest - l.cy) / (l.inner * l.K)) ** 2).toBeLessThan(1)
  }
})

test('plates that do not meet stay where they are', () => {
  const spots = [
    { x: 50, y: 50 },
    { x: 200, y: 60 },
  ]
  expect(spreadPlates(spots, 300, 200)).toStrictEqual(spots)
})

const SIZES = [
  [360, 92],
  [360, 103],
  [360, 159],
  [360, 205],
  [360, 240],
  [390, 617],
  [564, 338],
  [440, 398],
] as const

test.each(
  SIZES.flatMap((size) =>
    [
      [3, 3, 3, 3, 3],
      [4, 4, 4, 4, 4],
      [2, 4, 3, 2, 4],
    ].map((dice) => [...size, dice] as const),
  ),
)('dice of two gates in a stage of %i x %i: %o', (w, h, counts) => {
  const l = layoutCity(w > h ? 'short' : 'upright', w, h)
  const onMarket = 2
  const gates = gateDiceSpots(l, counts, onMarket)
  const [scale, small] = [diceScale(l), marketDiceScale(l, onMarket)]
  const all = gates.flatMap((gate, i) =>
    diceRowOffsets(counts[i]!, scale, gateDiceDirection(l.plots[i]!), gateRoom(l)).map((spot) => ({
      i,
      half: 16.5 * scale,
      x: gate.x + spot.x,
      y: gate.y + spot.y,
    })),
  )
  for (const { y } of all) expect(y).toBeGreaterThan(15 * scale)
  for (const { x } of diceRowOffsets(onMarket, small, { x: 1, y: 0 }, l.market.ui))
    all.push({ i: 5, half: 15 * small, x: l.market.dice + x, y: l.market.y })
  const met = all.flatMap((a) =>
    all.filter((b) => {
      const size = a.half + b.half
      return a.i < b.i && Math.abs(a.x - b.x) < size && Math.abs(a.y - b.y) < size
    }),
  )
  expect(met).toStrictEqual([])
  for (const [i, { gate }] of l.plots.entries())
    expect(Math.hypot(gates[i]!.x - gate.x, gates[i]!.y - gate.y)).toBeLessThan(24)
})

test.each([360, 390, 440].flatMap((w) => [2, 3, 4, 5, 9].map((n) => [w, n])))(
  'on the market of a stage %i wide the pips of %i dice are seen',
  (w, n) => {
    const { market, cx, inner } = layoutCity('upright', w, 407)
    for (const scale of [0.58, 0.66]) {
      const row = diceRowOffsets(n, scale, { x: 1, y: 0 }, market.ui)
      expect(row.length === n || row.length === 1).toBe(true) // a complete row, or a die and a number
      for (const [i, { x }] of row.slice(1).entries()) expect(x - row[i]!.x).toBeGreaterThanOrEqual(0.8 * 26 * scale)
      const end = row.length < n ? diceNumberSpot(row, scale).x + 8 : row.at(-1)!.x + 13 * scale
      expect(market.dice + end).toBeLessThanOrEqual(cx + inner)
      expect(market.dice + row[0]!.x - 13 * scale).toBeGreaterThan(market.count)
    }
  },
)

test('dice that do not meet stay where they are', () => {
  const l = layoutCity('wide', 1068, 700)
  expect(gateDiceSpots(l, [4, 4, 4, 4, 4])).toStrictEqual(l.plots.map((plot) => plot.gate))
  expect(gateDiceSpots(layoutCity('upright', 360, 205), [1, 1, 1, 1, 1])).toStrictEqual(
    layoutCity('upright', 360, 205).plots.map((plot) => plot.gate),
  )
})

const TALL = [83, 83, 83, 67, 83]
test.each([
  ['wide', 1068, 764, 236, TALL],
  ['wide', 828, 664, 236, TALL],
  ['wide', 2188, 1304, 236, TALL],
  ['wide', 1548, 944, 236, [98, 98, 114, 83, 98]], // long texts
  ['laptop', 994, 632, 150, [44, 44, 44, 44, 44]],
  ['laptop', 908, 584, 170, [44, 44, 44, 44, 44]],
  ['laptop', 680, 632, 150, [44, 44, 44, 44, 44]],
] as const)('no sign of a %s stage of %i x %i touches the city', (kind, w, h, width, heights) => {
  const boxes = placeSignBoxes(
    w,
    h,
    heights.map((height) => ({ width, height })),
    kind === 'laptop',
  )
  const l = layoutCity(kind, w, h, boxes)
  const shapes = cityOutline(l.px, l.cx * l.px, l.cy * l.px)
  for (const box of boxes) {
    for (const shape of shapes) expect(gapToEllipse(box, shape)).toBeGreaterThanOrEqual(8)
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(w)
  }
  // The submarine moors beside the signs, wherever it is.
  for (const plot of l.plots)
    for (const box of boxes) {
      const [x, y] = [plot.sub.x * l.px, plot.sub.y * l.px]
      const beside = Math.max(box.x - x, x - box.x - box.width) > 36 * l.px
      const apart = Math.max(box.y - y, y - box.y - box.height) > 18 * l.px
      expect(beside || apart, `${plot.sector} ${x} ${y} ${JSON.stringify(box)}`).toBe(true)
    }
})

test('the city fills the stage of the drawing', () => {
  const l = layoutCity(
    'wide',
    1068,
    764,
    placeSignBoxes(
      1068,
      764,
      TALL.map((height) => ({ width: 236, height })),
      false,
    ),
  )
  expect(l.px).toBeGreaterThan(1.08)
  expect(layoutCity('wide', 1440, 900).px).toBeGreaterThan(1.4)
})

test('the gap between a box and an ellipse', () => {
  const round = { x: 0, y: 0, rx: 100, ry: 50 }
  expect(gapToEllipse({ x: 110, y: -5, width: 20, height: 10 }, round)).toBe(10)
  expect(gapToEllipse({ x: -5, y: 60, width: 10, height: 10 }, round)).toBeCloseTo(20)
  expect(gapToEllipse({ x: -5, y: -5, width: 10, height: 10 }, round)).toBeLessThan(0)
})

/** Every way in which up to six last dice lead to the spaces from `first`, three spaces in all: how many go to each is all that counts. */
function leadings(first: number, last: number): number[][] {
  const found: number[][] = []
  const grow = (list: number[]): void => {
    if (list.length) found.push(list)
    if (list.length < SECTORS.length)
      for (let to = list.at(-1) ?? first; to <= Math.min(first + 2, last); to++) grow([...list, to])
  }
  grow([])
  return found
}

test.each([
  ['wide', 1068, 764],
  ['laptop', 680, 490],
  ['tablet', 768, 652],
  ['short', 564, 338],
  ['upright', 390, 617],
  ['upright', 320, 200],
] as const)('pins at the clock of a %s stage of %i x %i are whole, and each middle is its own', (kind, w, h) => {
  const l = layoutCity(kind, w, h)
  const whole = 18.7 * pinScale(l) // two radii with their edges
  let least = Infinity
  let reaching = 0
  for (const last of [1, 18, 240])
    for (let first = 0; first <= last; first += last > 18 ? 60 : 1)
      for (const list of leadings(first, last)) {
        const leads = list.map((to, i) => ({ sector: SECTORS[i]!, to }))
        const pins = clockPinSpots(l, leads, last + 1)
        for (const a of pins)
          for (const b of pins) {
            if (a === b) continue
            const gap = Math.hypot(a.x - b.x, a.y - b.y)
            least = Math.min(least, gap)
            if (a.reach * pinScale(l) > gap / 2 + 1e-6) reaching++
          }
      }
  expect(least).toBeGreaterThanOrEqual(whole)
  expect(reaching).toBe(0)
})

test('a pin with room stands at its space, and pins stand in the order of their spaces', () => {
  const l = layoutCity('wide', 1068, 764)
  const [one, other] = clockPinSpots(
    l,
    [
      { sector: 'forge', to: 9 },
      { sector: 'inn', to: 2 },
    ],
    19,
  )
  expect([one!.sector, other!.sector]).toStrictEqual(['inn', 'forge'])
  for (const pin of [one!, other!]) {
    const spot = clockSpaceSpot(l, pin.to, 19, l.outer + 2)
    expect([pin.x, pin.y]).toStrictEqual([spot.x, spot.y])
    expect(pin.reach).toBe(13)
  }
})
