// Tournaments as text: days, times, points, names.
import { joinWords, t } from '../../lib/i18n.svelte'
import type { TournamentInfo, TournamentTable } from '../../lib/rest.generated'
import { settings, TAGS } from '../../lib/settings.svelte'

const tag = (): string => TAGS[settings.language]

/** Points: whole, or with two digits. */
export const amount = (n: number): string => n.toLocaleString(tag(), { maximumFractionDigits: 2 })

/** "2 points" */
export const score = (n: number): string => t('cup.score', { n: Number.isInteger(n) ? n : amount(n) })

/** "Saturday, 19:00" */
export const when = (at: number): string =>
  new Date(at).toLocaleString(tag(), { weekday: 'long', hour: '2-digit', minute: '2-digit' })

/** "21 November" */
export const day = (at: number): string => new Date(at).toLocaleDateString(tag(), { day: 'numeric', month: 'long' })

/** "in 3 days", "in 20 minutes" */
export function until(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((at - now) / 60_000))
  const format = new Intl.RelativeTimeFormat(tag(), { numeric: 'auto' })
  if (minutes < 120) return format.format(minutes, 'minute')
  if (minutes < 2880) return format.format(Math.round(minutes / 60), 'hour')
  return format.format(Math.round(minutes / 1440), 'day')
}

/** The name of a player, by number; null is a bot. */
export function nameOf(info: TournamentInfo, player: number | null): string {
  if (player === null) return t('cup.bot')
  return info.players[player]?.name || t('cup.gone')
}

/** A table in one line: who sits there, or who won before whom. */
export function tableLine(info: TournamentInfo, table: TournamentTable): string {
  const seats = [...table.seats].sort((a, b) => (a.place ?? 9) - (b.place ?? 9))
  const names = seats.map((seat) => nameOf(info, seat.player))
  const alone = seats.filter((seat) => seat.place === 1).length === 1
  if (!table.done || !alone) return joinWords(names)
  return t('cup.before', { name: names[0], names: joinWords(names.slice(1)) })
}
