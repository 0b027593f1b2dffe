// How looking back words numbers and moments: one wording everywhere.
import type { Room } from '../../games/room'
import type { Alternative, Lookback } from '../../lib/lookback.svelte'
import { say, t, type Piece } from '../../lib/texts.svelte'
import { lineOf } from '../words'

/** "33 %"; under 1 and over 99 before the end, 0 and 100 when it is decided. */
export function percent(share: number, chance: number, decided: boolean, kind: '' | '.short' = ''): string {
  if (!decided && chance < 0.01) return t(`look.under${kind}`)
  if (!decided && chance > 0.99) return t(`look.over${kind}`)
  return t('look.percent', { n: share })
}

/** "+13 %", "−18 %": with a true minus. */
export function swing(change: number): string {
  const n = Math.round(Math.abs(change) * 100)
  return t('look.percent', { n: `${change < 0 ? '−' : '+'}${n}` })
}

/** What happened at a moment, as the log says it. */
export function deed(scene: Lookback, room: Room, line: number): Piece[] {
  const at = line - scene.dealt
  const [from, to] = [scene.firsts[at - 1] ?? 0, scene.firsts[at] ?? 0]
  const events = scene.events.slice(from, to).filter((event) => !room.silent(event))
  const event = events.find((one) => room.mark(one)) ?? events[0]
  if (event) return lineOf(scene, room, event).words
  const moment = scene.moments[at - 1]
  const name = scene.people[moment?.actor ?? -1]?.name
  return [{ text: name ? t('look.chose', { name }) : t('look.chance'), strong: false }]
}

export const told = (pieces: Piece[]): string => pieces.map((piece) => piece.text).join('')

/** A choice that was not made, in words. */
export function chosen(scene: Lookback, room: Room, other: Alternative['words']): string {
  const then = scene.asBefore()
  const words = room.words?.(then, other as never)
  return words ?? say(scene.game, `act.${other.verb}`, other, scene.names)
}
