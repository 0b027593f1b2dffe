import { expect, test } from 'vitest'
import cases from './rating.cases.json'
import { levelForRating, NEWCOMER, updateRating, ratingOfPuzzle } from './puzzleRating'

test('a solver is rated as openskill does it', () => {
  for (const { me, fish, found, after } of cases) {
    const now = updateRating({ mu: me[0]!, sigma: me[1]! }, ratingOfPuzzle(fish), found)
    expect(now.mu).toBeCloseTo(after[0]!, 6)
    expect(now.sigma).toBeCloseTo(after[1]!, 6)
  }
})

test('what people found counts before what bots did', () => {
  const easy = updateRating(NEWCOMER, ratingOfPuzzle('leviathan', 15), true)
  expect(easy.mu).toBeLessThan(updateRating(NEWCOMER, ratingOfPuzzle('leviathan'), true).mu)
  expect(levelForRating(NEWCOMER)).toBe('mackerel')
  expect(levelForRating({ mu: 40, sigma: 2 })).toBe('leviathan')
})
