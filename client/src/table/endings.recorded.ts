// @vitest-environment happy-dom
// Why the second is second, of finished matches (in the file LANDFALL_RECORDED_MESSAGES): every difference that is
// named is the true one of its kind, and all of them add up to the difference of the scores beside them.
// `tests/tables/test_final_scores.py` writes the file and runs this.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { finalScoringRows, scorePartsOf as atlantisPartsOf } from '../games/atlantis/finalScoringRows'
import {
  finalResourcePointsByHolder,
  scorePartsOf as atlandicePartsOf,
} from '../games/atlandice/visitAndScoringFromEvents'
import { scoreDifferences } from './endingText'

type Parts = Record<string, number>
interface Finished {
  game: 'atlantis' | 'atlandice'
  view: never
  events: never[]
  /** By seat: the score, and its parts as the server counts them. */
  scores: number[]
  parts: Parts[]
}
const matches = JSON.parse(readFileSync(process.env.LANDFALL_RECORDED_MESSAGES!, 'utf8')) as Finished[]

function partsBySeat({ game, view, events, scores }: Finished): Parts[] {
  if (game === 'atlantis') {
    const rows = finalScoringRows(view)
    return scores.map((_, seat) => atlantisPartsOf(rows.find((row) => row.seat === seat)!))
  }
  const points = finalResourcePointsByHolder(events, view)!
  return scores.map((_, seat) => atlandicePartsOf((view as { holders: never[] }).holders[seat]!, points[seat]!))
}

test.each(['atlantis', 'atlandice'] as const)('%s', (game) => {
  const finished = matches.filter((one) => one.game === game)
  expect(finished.length).toBeGreaterThan(100)
  for (const match of finished) {
    const parts = partsBySeat(match)
    expect(parts).toEqual(match.parts)
    const order = match.scores.map((_, seat) => seat).sort((a, b) => match.scores[b]! - match.scores[a]!)
    const [first, second] = [order[0]!, order[1]!]
    const differences = scoreDifferences(parts[first]!, parts[second]!)
    for (const { part, n } of differences) expect(n).toBe(match.parts[second]![part]! - match.parts[first]![part]!)
    const sum = differences.reduce((all, { n }) => all + n, 0)
    expect(sum).toBe(match.scores[second]! - match.scores[first]!)
    if (sum) expect(differences[0]!.n).toBe(Math.min(...differences.map(({ n }) => n)))
  }
})
