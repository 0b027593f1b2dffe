import { expect, test } from 'vitest'
import { makeIdentityKeeper } from './stableIdentity'

test('sets and lists of the same things stay the same objects', () => {
  const sets = makeIdentityKeeper<Set<string>>()
  const first = sets(new Set(['a', 'b']))
  expect(sets(new Set(['b', 'a']))).toBe(first)
  expect(sets(new Set(['a']))).not.toBe(first)
  const lists = makeIdentityKeeper<number[]>()
  const list = lists([1, 2])
  expect(lists([1, 2])).toBe(list)
  expect(lists([2, 1])).toStrictEqual([2, 1])
})
