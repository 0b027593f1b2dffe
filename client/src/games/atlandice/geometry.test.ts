// Number plates are as large as a finger, and none lies over another, however flat the city is.
import { expect, test } from 'vitest'
import { apart, layout } from './geometry'

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
  const spots = [...l.plots.map((plot) => plot.badge), { x: l.cx, y: l.cy + l.inner * l.K - 18 }]
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
