import { expect, test } from 'vitest'
import { applyPatch } from './patch'

test('a patch sets, deletes and goes inside, and leaves the old value as it was', () => {
  const old = { a: [1, 2], b: { c: 2, d: { e: 3 } }, f: 4 }
  const fresh = applyPatch(old, { a: { 1: [7] }, b: { c: [5] }, f: 0, g: [[]] })
  expect(fresh).toStrictEqual({ a: [1, 7], b: { c: 5, d: { e: 3 } }, g: [] })
  expect(old).toStrictEqual({ a: [1, 2], b: { c: 2, d: { e: 3 } }, f: 4 })
  expect(fresh.b.d).toBe(old.b.d) // unchanged parts are shared
})

test('a list stays a list', () => {
  const fresh = applyPatch({ own: [{ hand: [1] }, { hand: [] as number[] }] }, { own: { 1: { hand: [[2, 3]] } } })
  expect(Array.isArray(fresh.own)).toBe(true)
  expect(fresh.own).toStrictEqual([{ hand: [1] }, { hand: [2, 3] }])
})
