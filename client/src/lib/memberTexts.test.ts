// @vitest-environment happy-dom
// What lists say of tables, clocks, puzzles and people: limits from both sides.
import { beforeEach, expect, test } from 'vitest'
import lobby from '../messages/lazy/lobby/en.json'
import shell from '../messages/shell/en.json'
import { setCatalogue, t } from './i18n.svelte'
import { relativeDateText, seatsReaderFirst } from './listedTableText'
import { seatedPeople } from './playerNames'
import { countStreak, puzzleStateOf, readPuzzleProgress, recordHint, recordSolved, recordTry } from './puzzleProgress'
import type { Listed } from './tableListing'
import { isTimeRunningOut, timeLeftText } from './unfinishedTableText'

const HOUR = 3_600_000
const DAY = 24 * HOUR

beforeEach(() => {
  localStorage.clear()
  setCatalogue('en', { ...shell, ...lobby, 'test.n': '{n, plural, one {one} other {many}}' })
})

test('a number is one, or many; none is many', () => {
  expect([0, 1, 2].map((n) => t('test.n', { n }))).toStrictEqual(['many', 'one', 'many'])
})

test('a date is a time today, a weekday within a week, and then a date', () => {
  const now = new Date(2026, 10, 19, 12).getTime()
  const [today, yesterday, six, seven] = [0, 1, 6, 7].map((days) => relativeDateText(now - days * DAY, now))
  expect(today).toContain('12:00')
  expect(yesterday).toBe('yesterday')
  expect(six).toBe('Friday')
  expect(seven).toMatch(/12/)
  expect(relativeDateText(now - 400 * DAY, now)).toContain('2025')
})

test('the reader comes first in a list, the others by place', () => {
  const rank = (place: number, seats: number[]) => ({ place, seats, keys: {}, decided_by: null })
  const listed = { chairs: ['a', 'b', 'c'], you: [2], ranking: [rank(1, [1]), rank(2, [0]), rank(3, [2])] }
  expect(seatsReaderFirst(listed as unknown as Listed)).toStrictEqual([2, 1, 0])
})

test('time runs out for whoever must choose, at a table of days, in its last quarter of a day', () => {
  const table = { clock: 'days' }
  const isShort = (left: number | null, yours = true, clock = 'days'): boolean =>
    isTimeRunningOut({ left, yours, table: { ...table, clock } } as Parameters<typeof isTimeRunningOut>[0])
  expect([6 * HOUR - 1, 6 * HOUR, null].map((left) => isShort(left))).toStrictEqual([true, false, false])
  expect(isShort(HOUR, false)).toBe(false)
  expect(isShort(HOUR, true, 'minutes')).toBe(false)
})

test('time left is in days from two days on, in hours from one hour on, and never no minutes', () => {
  const left = (ms: number | null, clock = 'days'): string =>
    timeLeftText({ left: ms, table: { clock } } as Parameters<typeof timeLeftText>[0])
  expect(left(2 * DAY)).toBe(t('lobby.left.days', { n: 2 }))
  expect(left(2 * DAY - 1)).toBe(t('lobby.left.hours', { n: 47 }))
  expect(left(HOUR)).toBe(t('lobby.left.hours', { n: 1 }))
  expect(left(HOUR - 1)).toBe(t('lobby.left.minutes', { n: 59 }))
  expect(left(1)).toBe(t('lobby.left.minutes', { n: 1 }))
  expect(left(61_000, 'quick')).toBe('1:01')
  expect(left(null)).toBe('')
})

test('a puzzle is solved at first sight without a hint, solved, tried, or new', () => {
  const state = (id: string): string => puzzleStateOf(readPuzzleProgress(), id)
  expect(state('a')).toBe('new')
  recordSolved('a', recordTry('a'), null)
  expect(state('a')).toBe('first')
  recordHint('b')
  expect(state('b')).toBe('tried')
  recordSolved('b', recordTry('b'), null)
  expect(state('b')).toBe('solved')
  recordTry('c')
  recordSolved('c', recordTry('c'), null)
  expect(state('c')).toBe('solved')
  recordSolved('d', 0, null)
  expect(state('d')).toBe('tried')
})

test('a day is done when its puzzle is solved, not when its solution was shown; days in a row are counted', () => {
  recordSolved('a', 0, 20_000)
  expect(readPuzzleProgress().days).toStrictEqual([])
  for (const day of [19_997, 19_999, 20_000]) recordSolved(`b${day}`, 1, day)
  recordSolved('again', 2, 20_000)
  const { days } = readPuzzleProgress()
  expect(days.length).toBe(3)
  expect([20_000, 20_001, 20_002].map((today) => countStreak(days, today))).toStrictEqual([2, 2, 0])
})

test('people of one name are told apart by colour; others are not', () => {
  const chairs = ['Ana', 'Ana', 'Bo'].map((name, i) => ({ name, who: `w${i}`, colour: ['red', 'blue', 'green'][i]! }))
  const people = seatedPeople('survive', chairs, [0])
  expect(people.map((person) => person.short)).toStrictEqual(['Ana', 'Ana', 'Bo'])
  expect(new Set(people.map((person) => person.name)).size).toBe(3)
  expect(people[2]!.name).toBe('Bo')
  expect(people.map(({ you, reader }) => [you, reader])).toStrictEqual([
    [true, true],
    [false, false],
    [false, false],
  ])
  expect(seatedPeople('survive', chairs, [0, 1]).map(({ reader }) => reader)).toStrictEqual([false, false, false])
})
