// The board's geometry equals that of the server's pictures: tests/places.py.
import { expect, test } from 'vitest'
import { HEIGHT, ISLES, SPACES, hexagon, middle } from './geometry'
import places from './places.json'

const expected = new Map(Object.entries(places))
const close = (name: string, x: number, y: number): void => {
  expect(Math.abs(x - expected.get(name)![0]!), name).toBeLessThan(0.06)
  expect(Math.abs(y - expected.get(name)![1]!), name).toBeLessThan(0.06)
}

test('spaces, isles, corners and heights', () => {
  const names = [...SPACES, ...ISLES].map((one) => one.name)
  for (const name of names) close(name, middle(name).x, middle(name).y)
  const corners = [...hexagon().matchAll(/(-?[\d.]+),(-?[\d.]+)/g)]
  for (const [i, [, x, y]] of corners.entries()) close(`corner${i}`, Number(x), Number(y))
  for (const [terrain, height] of Object.entries(HEIGHT)) close(terrain, 0, height)
  expect(expected.size).toBe(names.length + corners.length + 3)
})
