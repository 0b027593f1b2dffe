// @vitest-environment happy-dom
// A scoring speaks to the reader in the second person.
import { mount } from 'svelte'
import { expect, test } from 'vitest'
import { setCatalogue } from '../../lib/i18n.svelte'
import shell from '../../messages/shell/en.json'
import own from './messages/en.json'
import type { Scene } from './sceneTypes'
import ScoringExplanation from './ScoringExplanation.svelte'
import type { Scoring } from './view'

setCatalogue('en', { ...shell, ...own })

test('the reader is "You", the others have their names', () => {
  const people = ['Ana', 'Coral'].map((short, seat) => ({ name: short, short, colour: 'red', reader: seat === 0 }))
  const view = { holders: [0, 1, null].map((seat) => ({ seat, neutral: seat === null, stock: {} })) }
  const scoring = { kind: 'region', what: 'inn_a', resource: 'provisions', counts: [3, 1, 0], points: [0, 1, 0] }
  mount(ScoringExplanation, {
    target: document.body,
    props: { scene: { people, view } as unknown as Scene, scoring: scoring as unknown as Scoring },
  })
  const names = [...document.querySelectorAll('.nm')].map((one) => one.textContent)
  expect(names).toStrictEqual(['You', 'Coral', own['atlandice.neutral']])
})
