// @vitest-environment happy-dom
import { test } from 'vitest'
import { checkScoreDifferences } from '../../table/endingTextChecks'
import { finalResourcePointsByHolder, scorePartsOf } from './visitAndScoringFromEvents'

test('why the second is second', () => {
  checkScoreDifferences('atlandice', ({ view, events, scores }) => {
    const points = finalResourcePointsByHolder(events, view)!
    return scores.map((_, seat) => scorePartsOf((view as { holders: never[] }).holders[seat]!, points[seat]!))
  })
})
