// @vitest-environment happy-dom
import { test } from 'vitest'
import { checkScoreDifferences } from '../../table/endingTextChecks'
import { finalScoringRows, scorePartsOf } from './finalScoringRows'

test('why the second is second', () => {
  checkScoreDifferences('atlantis', ({ view, scores }) => {
    const rows = finalScoringRows(view)
    return scores.map((_, seat) => scorePartsOf(rows.find((row) => row.seat === seat)!))
  })
})
