// For tests: why the second is second, of finished matches (in the file LANDFALL_RECORDED_MESSAGES). Every difference
// that is named is the true one of its kind, and all of them add up to the difference of the scores beside them.
// `tests/tables/test_final_scores.py` writes the file and runs the tests.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { scoreDifferences } from './endingText'

type Parts = Record<string, number>
interface FinishedMatch {
  game: string
  view: never
  events: never[]
  /** By seat: the score, and its parts as the server counts them. */
  scores: number[]
  parts: Parts[]
}

export function checkScoreDifferences(game: string, partsBySeat: (match: FinishedMatch) => Parts[]): void {
  const recorded = JSON.parse(readFileSync(process.env.LANDFALL_RECORDED_MESSAGES!, 'utf8')) as FinishedMatch[]
  const finished = recorded.filter((one) => one.game === game)
  expect(finished.length).toBeGreaterThan(100)
  for (const match of finished) {
    const parts = partsBySeat(match)
    expect(parts).toStrictEqual(match.parts)
    const order = match.scores.map((_, seat) => seat).sort((a, b) => match.scores[b]! - match.scores[a]!)
    const [first, second] = [order[0]!, order[1]!]
    const differences = scoreDifferences(parts[first]!, parts[second]!)
    for (const { part, n } of differences) expect(n).toBe(match.parts[second]![part]! - match.parts[first]![part]!)
    const sum = differences.reduce((all, { n }) => all + n, 0)
    expect(sum).toBe(match.scores[second]! - match.scores[first]!)
    if (sum) expect(differences[0]!.n).toBe(Math.min(...differences.map(({ n }) => n)))
  }
}
