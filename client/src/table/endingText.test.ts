import { expect, test } from 'vitest'
import type { Person } from '../lib/scene.svelte'
import { teach } from '../lib/i18n.svelte'
import type { ChairInfo, TableInfo } from '../lib/wire'
import shell from '../messages/shell/en.json'
import { ending, rowName, secondText, winnerText } from './endingText'

teach('en', shell)
const person = (name: string, you = false): Person => ({
  name,
  short: name,
  colour: 'red',
  bot: null,
  away: null,
  here: true,
  you,
})
const table = (ended: string, ...chairs: ChairInfo[]): TableInfo =>
  ({ t: 'table', status: 'over', ended, chairs }) as unknown as TableInfo

test('one gives up: the other reads that they have won, and why', () => {
  const news = table('resigned', { name: 'Ana', away: 'resigned' }, { name: 'Bo' })
  expect(ending(news, [person('Ana'), person('Bo', true)])).toEqual({
    title: 'You win',
    why: 'Ana resigned.',
    winner: 1,
  })
  expect(ending(news, [person('Ana', true), person('Bo')])).toEqual({
    title: 'Bo wins',
    why: 'You resigned.',
    winner: 1,
  })
})

test('the only person gives up: nobody plays on, and nobody is said to have won', () => {
  const news = table('resigned', { name: 'Ana', away: 'resigned' }, { bot: 'sprat' }, { bot: 'sprat' })
  const text = ending(news, [person('Ana', true), person('Sprat'), person('Sprat')])
  expect(text.title).toBe('You resigned.')
  expect(text.winner).toBe(null)
})

test('stopped by agreement says so', () => {
  expect(ending(table('abandoned', { name: 'Ana' }, { name: 'Bo' }), []).title).toBe(shell['shell.ended.abandoned'])
})

test('who wins and who is second is said to the reader, about others, and at a hot seat by names', () => {
  const people = [person('Ana', true), person('Bo'), person('Cem')]
  expect(winnerText(people, [0])).toBe('You win')
  expect(winnerText(people, [1])).toBe('Bo wins')
  expect(winnerText(people, [1, 0])).toBe('You and Bo share the victory')
  expect(winnerText(people, [1, 2])).toBe('Bo and Cem share the victory')
  expect(secondText(people, [2], 24)).toBe('Cem is second with 24:')
  expect(secondText(people, [1, 2], 24)).toBe('Bo and Cem are second with 24:')
  expect(secondText(people, [0], 24)).toBe('You are second with 24:')
  expect(rowName(people, 0)).toBe('You')
  const shared = [person('Ana', true), person('Bo', true)]
  expect(winnerText(shared, [0])).toBe('Ana wins')
  expect(rowName(shared, 0)).toBe('Ana')
})
