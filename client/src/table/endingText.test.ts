import { expect, test } from 'vitest'
import type { Person } from '../lib/scene.svelte'
import { teach } from '../lib/i18n.svelte'
import type { ChairInfo, TableInfo } from '../lib/wire'
import shell from '../messages/shell/en.json'
import { ending } from './endingText'

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
    why: 'Ana gave up.',
    winner: 1,
  })
  expect(ending(news, [person('Ana', true), person('Bo')])).toEqual({
    title: 'Bo wins',
    why: 'You gave up.',
    winner: 1,
  })
})

test('the only person gives up: nobody plays on, and nobody is said to have won', () => {
  const news = table('resigned', { name: 'Ana', away: 'resigned' }, { bot: 'sprat' }, { bot: 'sprat' })
  const text = ending(news, [person('Ana', true), person('Sprat'), person('Sprat')])
  expect(text.title).toBe('You gave up.')
  expect(text.winner).toBe(null)
})

test('stopped by agreement says so', () => {
  expect(ending(table('abandoned', { name: 'Ana' }, { name: 'Bo' }), []).title).toBe(shell['shell.ended.abandoned'])
})
