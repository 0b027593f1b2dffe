// What waits for the user, in words.
import { gameTitle, type GameInfo, type Listed } from './gameAndBotCatalogue.svelte'
import { joinNames, t } from './i18n.svelte'
import { peopleAtListedTable } from './listedTableText'
import type { UnfinishedTable } from './memberHome.svelte'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Less than this share of a day is said in the colour of warnings. */
const SHORT = DAY / 4

export const clockKindText = (clock: string): string => t(`lobby.clock.${clock}`)

/** "Atlantis: your turn". */
export function tableStatusText({ table, yours }: UnfinishedTable, games: GameInfo[]): string {
  const game = gameTitle(table.game)
  if (table.status === 'gathering') return t('lobby.gathering', { game })
  if (yours) return t('lobby.turn', { game })
  const name = typeof table.turn === 'number' ? peopleAtListedTable(table, games)[table.turn]?.short : undefined
  return name ? t('lobby.their_turn', { game, name }) : t('lobby.running', { game })
}

/** The others at a table: "with João and Mira". */
export function otherPlayersText(one: Listed, games: GameInfo[]): string {
  const others = peopleAtListedTable(one, games).filter(({ you }, seat) => !you && one.chairs[seat] !== null)
  return others.length ? t('lobby.with', { names: joinNames(others.map(({ short }) => short)) }) : ''
}

/** The time that is left; from two days on in days. A live clock in minutes and seconds. */
export function timeLeftText({ left, table }: UnfinishedTable): string {
  if (left === null) return ''
  if (table.clock !== 'days')
    return `${Math.floor(left / MINUTE)}:${String(Math.floor((left % MINUTE) / 1000)).padStart(2, '0')}`
  if (left >= 2 * DAY) return t('lobby.left.days', { n: Math.floor(left / DAY) })
  if (left >= HOUR) return t('lobby.left.hours', { n: Math.floor(left / HOUR) })
  return t('lobby.left.minutes', { n: Math.max(1, Math.floor(left / MINUTE)) })
}

export const isTimeRunningOut = ({ left, table, yours }: UnfinishedTable): boolean =>
  yours && left !== null && table.clock === 'days' && left < SHORT

/** "Good evening, Ana", by the hour. */
export function greetingByHour(name: string, hour = new Date().getHours()): string {
  const part = hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  return t(`lobby.hello.${part}`, { name })
}
