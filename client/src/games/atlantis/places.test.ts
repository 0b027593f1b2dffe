// The wide path's geometry equals that of the server's pictures: tests/places.py.
import { expect, test } from 'vitest'
import { layoutFor } from './path'
import places from './places.json'

const expected = new Map(Object.entries(places))
const close = (name: string, x: number, y: number): void => {
  expect(Math.abs(x - expected.get(name)![0]!), name).toBeLessThan(0.06)
  expect(Math.abs(y - expected.get(name)![1]!), name).toBeLessThan(0.06)
}

test('positions, shores and sizes', () => {
  const l = layoutFor('wide', 1440, 900)
  for (const [i, spot] of l.spots.entries()) {
    close(String(i + 1), spot.x, spot.y)
    if (i % 13 === 0) close(`curve${i}`, l.curve[l.marks[i]!]!.x, l.curve[l.marks[i]!]!.y)
  }
  close('atlantis', l.atlantis.x, l.atlantis.y)
  close('mainland', l.mainland.x, l.mainland.y)
  close('size', l.ks, l.ks)
  expect(expected.size).toBe(53 + 5 + 3)
})
