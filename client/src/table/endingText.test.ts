// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { Person } from '../lib/scene.svelte'
import { setCatalogue } from '../lib/i18n.svelte'
import { seatedPeople } from '../lib/playerNames'
import type { ChairInfo, TableInfo } from '../lib/wire'
import shell from '../messages/shell/en.json'
import { describeEnding, seatName, secondPlaceText, winnerText } from './endingText'

setCatalogue('en', shell)
/** People of these names; the seats `mine` are the device's own. */
const people = (names: string[], ...mine: number[]): Person[] =>
  seatedPeople(
    'survive',
    names.map((name) => ({ name, who: name })),
    mine,
  )
const table = (ended: string, ...chairs: ChairInfo[]): TableInfo =>
  ({ t: 'table', status: 'over', ended, chairs }) as unknown as TableInfo

test('one gives up: the other reads that they have won, and why', () => {
  const news = table('resigned', { name: 'Ana', away: 'resigned' }, { name: 'Bo' })
  expect(describeEnding(news, people(['Ana', 'Bo'], 1))).toStrictEqual({
    title: 'You win',
    why: 'Ana resigned.',
    winner: 1,
  })
  expect(describeEnding(news, people(['Ana', 'Bo'], 0))).toStrictEqual({
    title: 'Bo wins',
    why: 'You resigned.',
    winner: 1,
  })
})

test('the only person gives up: nobody plays on, and nobody is said to have won', () => {
  const news = table('resigned', { name: 'Ana', away: 'resigned' }, { bot: 'sprat' }, { bot: 'sprat' })
  const text = describeEnding(news, people(['Ana', 'Coral', 'Pearl'], 0))
  expect(text.title).toBe('You resigned.')
  expect(text.winner).toBe(null)
})

test('stopped by agreement says so', () => {
  expect(describeEnding(table('abandoned', { name: 'Ana' }, { name: 'Bo' }), []).title).toBe(
    shell['shell.ended.abandoned'],
  )
})

test('who wins and who is second is said to the reader, about others, and at a hot seat by names', () => {
  const three = people(['Ana', 'Bo', 'Cem'], 0)
  expect(winnerText(three, [0])).toBe('You win')
  expect(winnerText(three, [1])).toBe('Bo wins')
  expect(winnerText(three, [1, 0])).toBe('You and Bo share the victory')
  expect(winnerText(three, [1, 2])).toBe('Bo and Cem share the victory')
  expect(secondPlaceText(three, [2], 24)).toBe('Cem is second with 24:')
  expect(secondPlaceText(three, [1, 2], 24)).toBe('Bo and Cem are second with 24:')
  expect(secondPlaceText(three, [0], 24)).toBe('You are second with 24:')
  expect(seatName(three, 0)).toBe('You')
  const shared = people(['Ana', 'Bo'], 0, 1)
  expect(winnerText(shared, [0])).toBe('Ana wins')
  expect(seatName(shared, 0)).toBe('Ana')
})
