// The result of a match in words: who wins, who is second; and the reason if it was not played to its end.
import type { Person } from '../lib/scene.svelte'
import { joinNames, joinWords, t } from '../lib/i18n.svelte'
import type { TableInfo } from '../lib/wire'

export interface Ending {
  title: string
  why: string
  /** The winner, if any. */
  winner: number | null
}

/** If all but one resigned, that one wins; if all people resigned, nobody plays on. */
export function describeEnding(table: TableInfo, people: Person[]): Ending {
  const ended = table.ended ?? 'finished'
  const gone = table.chairs.flatMap((chair, seat) => (chair.away === 'resigned' ? [seat] : []))
  if (ended !== 'resigned' || !gone.length) return { title: t(`shell.ended.${ended}`), why: '', winner: null }
  const names = joinNames(gone.map((seat) => people[seat]?.name || t('shell.somebody')))
  const mine = gone.length === 1 && people[gone[0]!]?.reader
  const why = mine ? t('shell.gaveup.you') : t('shell.gaveup', { n: gone.length, names })
  const left = table.chairs.flatMap((_, seat) => (gone.includes(seat) ? [] : [seat]))
  if (left.length !== 1) return { title: why, why: t('shell.gaveup.nobody'), winner: null }
  const winner = left[0]!
  return { title: winnerText(people, [winner]), why, winner }
}

/** A player's name in a list that shows the colour; the reader's is "You". */
export const seatName = (people: Person[], seat: number): string =>
  people[seat]?.reader ? t('shell.end.you') : (people[seat]?.short ?? '')

/** "You, Coral and Iva", the reader first. */
function joinNamesReaderFirst(people: Person[], seats: number[]): string {
  const names = [...seats]
    .sort((a, b) => Number(people[b]?.reader) - Number(people[a]?.reader))
    .map((seat) => (people[seat]?.reader ? t('shell.end.you') : people[seat]?.name || t('shell.somebody')))
  return joinNames(names)
}

/** A sentence about some seats: to the reader alone, to the reader and others, or about others. */
export function sentenceAboutSeats(
  people: Person[],
  seats: number[],
  key: string,
  args: Record<string, unknown> = {},
): string {
  const mine = seats.some((seat) => people[seat]?.reader)
  const form = !mine ? '' : seats.length > 1 ? '.both' : '.you'
  const names = joinNamesReaderFirst(people, seats)
  return t(key + form, { name: names, names, n: seats.length, ...args })
}

/** "You win", "Iva wins", "You and Iva share the victory". */
export const winnerText = (people: Person[], seats: number[]): string =>
  sentenceAboutSeats(people, seats, seats.length > 1 ? 'shell.sharewin' : 'shell.wins')

/** "Iva is second with 24:" */
export const secondPlaceText = (people: Person[], seats: number[], points: number): string =>
  sentenceAboutSeats(people, seats, 'shell.second', { points })

/** By how much the parts of one score differ from another's, the largest lack first; equal ones are left out. */
export const scoreDifferences = <K extends string>(
  first: Record<K, number>,
  other: Record<K, number>,
): { part: K; n: number }[] =>
  (Object.keys(first) as K[])
    .map((part) => ({ part, n: other[part] - first[part] }))
    .filter(({ n }) => n)
    .sort((a, b) => a.n - b.n)

/** "7 points behind the winner (tiles −8, cards +1).": the differences add up to the difference of the scores. */
export function behindText<K extends string>(
  keyOf: (part: K | 'behind') => string,
  first: Record<K, number>,
  other: Record<K, number>,
): string {
  const differences = scoreDifferences(first, other)
  const list = differences.map(({ part, n }) => t(keyOf(part), { n: n < 0 ? `−${-n}` : `+${n}` }))
  const what = t(keyOf('behind'), { n: differences.reduce((sum, { n }) => sum - n, 0) })
  return t('list.stop', { part: t('list.aside', { what, note: joinWords(list) }) })
}
