// Tournaments as text: days, times, points, names.
import { botName } from '../../lib/gameAndBotCatalogue.svelte'
import { joinWords, t } from '../../lib/i18n.svelte'
import { LEVELS } from '../../lib/levels.generated'
import type { TournamentInfo, TournamentTable } from '../../lib/rest.generated'
import { settings, TAGS } from '../../lib/settings.svelte'

const languageTag = (): string => TAGS[settings.language]

/** Points: whole, or with two digits. */
export const formatPoints = (n: number): string => n.toLocaleString(languageTag(), { maximumFractionDigits: 2 })

/** "2 points" */
export const pointsText = (n: number): string => t('cup.score', { n: Number.isInteger(n) ? n : formatPoints(n) })

/** "Saturday, 19:00" */
export const weekdayAndTimeText = (at: number): string =>
  new Date(at).toLocaleString(languageTag(), { weekday: 'long', hour: '2-digit', minute: '2-digit' })

/** "21 November" */
export const dayText = (at: number): string =>
  new Date(at).toLocaleDateString(languageTag(), { day: 'numeric', month: 'long' })

/** "in 3 days", "in 20 minutes" */
export function timeUntilText(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((at - now) / 60_000))
  const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: 'auto' })
  if (minutes < 120) return format.format(minutes, 'minute')
  if (minutes < 2880) return format.format(Math.round(minutes / 60), 'hour')
  return format.format(Math.round(minutes / 1440), 'day')
}

/** The name of a player, by number; null is a bot. */
export function playerNameText(info: TournamentInfo, player: number | null): string {
  if (player === null) return t('cup.bot')
  return info.players[player]?.name || t('cup.gone')
}

/** A sentence of a tournament, which goes by rounds, or of a league, which goes by weeks. */
export function tournamentOrLeagueText(form: string, key: string, args: Parameters<typeof t>[1] = {}): string {
  return form === 'league' ? t(`league.${key}`, args) : t(`cup.${key}`, args)
}

/** The levels of bots that divisions are named after, the highest first. */
export const DEPTHS: readonly string[] = LEVELS.toReversed()

/** "Marlin": the name of a division. */
export const divisionName = (division: number): string => botName(DEPTHS[division] ?? LEVELS[0])

/** How many players each division has; none, if there are no divisions. */
export function divisionSizes(info: TournamentInfo): number[] {
  const sizes: number[] = []
  for (const { division } of info.players) {
    if (division !== null && division !== undefined) sizes[division] = (sizes[division] ?? 0) + 1
  }
  return sizes
}

/** Whether a player or a table belongs to a division; all do, if there are none. */
export function isInDivision(
  info: TournamentInfo,
  division: number | undefined,
  player: number | null | undefined,
): boolean {
  return division === undefined || info.players[player ?? -1]?.division === division
}

/** Somebody who sits at a table, and is no bot. */
export const firstPlayerAt = (table: TournamentTable): number | null =>
  table.seats.find((seat) => seat.player !== null)?.player ?? null

/** A table in one line: who sits there, or who won before whom. */
export function tableLineText(info: TournamentInfo, table: TournamentTable): string {
  const seats = [...table.seats].sort((a, b) => (a.place ?? 9) - (b.place ?? 9))
  const names = seats.map((seat) => playerNameText(info, seat.player))
  const alone = seats.filter((seat) => seat.place === 1).length === 1
  if (!table.done || !alone) return joinWords(names)
  return t('cup.before', { name: names[0], names: joinWords(names.slice(1)) })
}
