import { describe, expect, it } from 'vitest'
import { triggerHolds, type Moment, type When } from './lessonTrigger'

// The same cases as tests/generic/test_guides.py: both implementations must agree.
const here: Moment = {
  seat: 1,
  view: { actor: 1, phase: 'a', seats: [{ n: 0 }, { n: 2 }], tiles: { x: 'beach' } },
  choices: [{ verb: 'go', bill: 3 }],
  event: { kind: 'moved', seat: 1, piece: 'r3' },
  met: ['one'],
  deeds: ['undo'],
}
const TRUE: When[] = [
  { mine: true },
  { view: { phase: ['a', 'b'], 'seats.me.n': 2 } },
  { view: { 'tiles.*': 'beach' } },
  { view: { 'seats.count': { least: 2, most: 2 } } },
  { choice: { verb: 'go', bill: { least: 3 } } },
  { event: { kind: 'moved', seat: '$me', piece: { begins: 'r' } } },
  { met: ['one'] },
  { deed: 'undo' },
  { not: { met: ['two'] } },
  { any: [{ mine: false }, { deed: 'undo' }] },
]
const FALSE: When[] = [
  { mine: false },
  { view: { phase: 'b' } },
  { view: { 'seats.me.n': 0 } },
  { view: { 'tiles.*': 'forest' } },
  { choice: { verb: 'stay' } },
  { choice: { bill: { most: 2 } } },
  { event: { kind: 'moved', seat: 0 } },
  { met: ['two'] },
  { deed: 'hint' },
  { any: [] },
  { view: { 'nowhere.at.all': 1 } },
]

describe('what brings a lesson', () => {
  it.each(TRUE)('holds: %j', (when) => expect(triggerHolds(when, here)).toBe(true))
  it.each(FALSE)('does not hold: %j', (when) => expect(triggerHolds(when, here)).toBe(false))
  it('is never misspelt unseen', () => expect(() => triggerHolds({ whose: 1 }, here)).toThrow())
})
