// The city's geometry equals that of the server's pictures: tests/places.py.
import { expect, test } from 'vitest'
import { clockSpot, layout, type Spot } from './geometry'
import places from './places.json'

const expected = new Map(Object.entries(places))
const SPACES = 24

test('districts, what stands in them, and the clock', () => {
  const l = layout('wide', 960, 642)
  const found: [string, Spot][] = [
    ['market', l.marketSub],
    ['size', { x: l.cx + l.R, y: l.cy + l.K }],
  ]
  for (const plot of l.plots)
    found.push(
      [plot.sector, plot.mid],
      [`${plot.sector} building`, plot.building],
      [`${plot.sector} pile`, plot.pile],
      [`${plot.sector} gate`, plot.gate],
      [`${plot.sector} plate`, plot.badge],
      [`${plot.sector} submarine`, plot.sub],
    )
  for (let i = 0; i < SPACES; i++) found.push([`clock${i}`, clockSpot(l, i, SPACES)])
  expect(found.map(([name]) => name)).toEqual([...expected.keys()])
  for (const [name, { x, y }] of found) {
    expect(Math.abs(x - l.cx - expected.get(name)![0]!), name).toBeLessThan(0.06)
    expect(Math.abs(y - l.cy - expected.get(name)![1]!), name).toBeLessThan(0.06)
  }
})
