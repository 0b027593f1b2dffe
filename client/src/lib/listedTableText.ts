// A listed table's players and result, as the table itself would name them.
import { shoal, type GameInfo, type Listed } from './gameAndBotCatalogue.svelte'
import { joinNames, t } from './i18n.svelte'
import { seatedPeople } from './playerNames'
import type { Person } from './scene.svelte'
import { settings, TAGS } from './settings.svelte'
import type { ChairInfo } from './wire'

/** Everybody at a table, by seat, in the colours worn there. */
export function peopleAtListedTable(one: Listed, games: GameInfo[]): Person[] {
  const palette = games.find((game) => game.name === one.game)?.colours ?? []
  const chairs = one.chairs.map((name, seat): ChairInfo => {
    const who = name === null || shoal.levels.includes(name) ? null : 'somebody'
    return { name: name ?? '', colour: one.colours?.[seat] ?? null, who }
  })
  return seatedPeople(one.game, chairs, one.you, palette)
}

/** Somebody's name in a list: the reader is "You". */
export const seatNameText = (one: Listed, people: Person[], seat: number): string =>
  one.chairs[seat] === null ? t('pages.free') : one.you.includes(seat) ? t('pages.me.you') : (people[seat]?.short ?? '')

export interface Result {
  place: number
  points: number
  seats: number[]
}

/** A seat's place and points; undefined: the match was not played to its end. */
export function seatResult(one: Listed, seat: number | undefined): Result | undefined {
  const rank = seat === undefined ? undefined : one.ranking?.find(({ seats }) => seats.includes(seat))
  return rank && { place: rank.place, points: Object.values(rank.keys)[0] ?? 0, seats: rank.seats }
}

/** The seats of a list: the reader's first, the others by place. */
export function seatsReaderFirst(one: Listed): number[] {
  const placeOfSeat = (seat: number): number => seatResult(one, seat)?.place ?? 0
  const ownSeatFirst = (seat: number): number => (one.you.includes(seat) ? 0 : 1)
  return one.chairs.map((_, seat) => seat).sort((a, b) => ownSeatFirst(a) - ownSeatFirst(b) || placeOfSeat(a) - placeOfSeat(b) || a - b)
}

/** How a match ended, in one sentence. */
export function endingSentence(one: Listed, people: Person[]): string {
  const own = seatResult(one, one.you[0])
  const first = one.ranking?.find(({ place }) => place === 1)
  if (!own || !first) return t(`shell.ended.${one.ended ?? 'finished'}`)
  const joinNamesOfSeats = (seats: number[]): string => joinNames(seats.map((seat) => people[seat]?.short ?? ''))
  if (own.place > 1)
    return t('pages.me.lost', {
      name: joinNamesOfSeats(first.seats),
      n: first.seats.length,
      points: t('pages.me.points', { n: Object.values(first.keys)[0] ?? 0 }),
    })
  const shared = own.seats.filter((seat) => !one.you.includes(seat))
  if (shared.length) return t('pages.me.shared', { name: joinNamesOfSeats(shared) })
  const next = one.ranking?.find(({ place }) => place > 1)
  if (!next) return t('pages.me.won')
  const ahead = own.points - (Object.values(next.keys)[0] ?? 0)
  return t(ahead > 0 ? 'pages.me.won.by' : 'pages.me.won.tie', { n: ahead, name: joinNamesOfSeats(next.seats) })
}

/** When: the time of today, the weekday of the last days, else the date. */
export function relativeDateText(at: number, now = Date.now()): string {
  const tag = TAGS[settings.language]
  const localDayNumber = (time: number): number => Math.floor((time - new Date(time).getTimezoneOffset() * 60_000) / 86_400_000)
  const days = localDayNumber(now) - localDayNumber(at)
  const date = new Date(at)
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  if (days === 0)
    return `${relative.format(0, 'day')}, ${date.toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit' })}`
  if (days === 1) return relative.format(-1, 'day')
  if (days < 7) return date.toLocaleDateString(tag, { weekday: 'long' })
  const year = date.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(tag, { day: 'numeric', month: 'short', year })
}
