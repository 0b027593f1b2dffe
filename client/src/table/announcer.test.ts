// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setCatalogue } from '../lib/i18n.svelte'
import { settings } from '../lib/settings.svelte'
import { Announcer } from './announcer.svelte'

let announcer: Announcer
beforeEach(() => {
  vi.useFakeTimers()
  settings.language = 'en'
  setCatalogue('en', { 'list.stop': '{part}.', 'list.sentences': '{a} {b}' })
  announcer = new Announcer()
})
afterEach(() => vi.useRealTimers())
const read = (): string[] => {
  vi.runAllTimers()
  return announcer.texts.map((one) => one.text)
}

test('what happened is read in its order, and the question last', () => {
  announcer.ask('Your turn', true)
  announcer.tell('Bo moves')
  announcer.tell('A tile sinks')
  expect(read()).toStrictEqual(['Bo moves. A tile sinks. Your turn.'])
})

test('the same question is not read again after every event, but with new choices it is', () => {
  announcer.ask('Bo’s turn', false)
  read()
  announcer.tell('Bo moves')
  announcer.ask('Bo’s turn', false)
  expect(read().at(-1)).toBe('Bo moves.')
  announcer.ask('Move', true)
  read()
  announcer.ask('Move', true)
  expect(read().slice(-2)).toStrictEqual(['Move.', 'Move.'])
})

test('many lines at once are all read, up to a bound that is said', () => {
  announcer.leftOut = (n) => `${n} earlier`
  for (let n = 1; n <= 30; n++) announcer.tell(`line ${n}`)
  const [text] = read()
  expect(text).toMatch(/^6 earlier\. line 7\. line 8\..* line 30\.$/)
})

test('the answer to a key is read at once, and what waits comes after it', () => {
  announcer.tell('Bo moves')
  announcer.answer('A is chosen')
  expect(announcer.texts.map((one) => one.text)).toStrictEqual(['A is chosen'])
  expect(read()).toStrictEqual(['A is chosen', 'Bo moves.'])
  announcer.repeat()
  expect(read().at(-1)).toBe('Bo moves.')
})

test('what may have to be forgotten is neither kept nor read later', () => {
  announcer.tell('Bo draws the shark')
  announcer.forget()
  announcer.repeat()
  expect(read()).toStrictEqual([])
})
