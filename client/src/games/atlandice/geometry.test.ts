// Number plates are as large as a finger, and neither they nor dice lie over each other, however flat the city is.
import { expect, test } from 'vitest'
import { alongGate, apart, diceRow, diceScale, gateSpots, layout } from './geometry'

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
  const l = layout(w > h ? 'short' : 'upright', w, h)
  const spots = [...l.plots.map((plot) => plot.badge), { x: l.market.plate, y: l.market.y }]
  const found = apart(spots, w, h)
  expect(over(found)).toBe(0)
  for (const { x, y } of found) {
    expect(Math.min(x, w - x)).toBeGreaterThanOrEqual(22)
    expect(Math.min(y, h - y)).toBeGreaterThanOrEqual(22)
  }
})

test('plates that do not meet stay where they are', () => {
  const spots = [
    { x: 50, y: 50 },
    { x: 200, y: 60 },
  ]
  expect(apart(spots, 300, 200)).toEqual(spots)
})

const SIZES = [
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
  const l = layout(w > h ? 'short' : 'upright', w, h)
  const gates = gateSpots(l, counts)
  const size = 33 * diceScale(l)
  const all = gates.flatMap((gate, i) =>
    diceRow(counts[i]!, diceScale(l), alongGate(l.plots[i]!)).map((spot) => ({
      i,
      x: gate.x + spot.x,
      y: gate.y + spot.y,
    })),
  )
  const met = all.flatMap((a) =>
    all.filter((b) => a.i < b.i && Math.abs(a.x - b.x) < size && Math.abs(a.y - b.y) < size),
  )
  expect(met).toEqual([])
  for (const [i, { gate }] of l.plots.entries())
    expect(Math.hypot(gates[i]!.x - gate.x, gates[i]!.y - gate.y)).toBeLessThan(24)
})

test('dice that do not meet stay where they are', () => {
  const l = layout('wide', 1068, 700)
  expect(gateSpots(l, [4, 4, 4, 4, 4])).toEqual(l.plots.map((plot) => plot.gate))
  expect(gateSpots(layout('upright', 360, 205), [1, 1, 1, 1, 1])).toEqual(
    layout('upright', 360, 205).plots.map((plot) => plot.gate),
  )
})
