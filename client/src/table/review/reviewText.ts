// The wording of numbers and moments in match review.
import type { GameUi } from '../../games/gameUi'
import type { Alternative, Review } from '../../lib/review.svelte'
import { say, t, type Piece } from '../../lib/i18n.svelte'
import { lineOf } from '../logText'

/** "33 %"; under 1 and over 99 before the end, 0 and 100 when it is decided. */
export function percent(share: number, chance: number, decided: boolean, brief = false): string {
  if (!decided && chance < 0.01) return t(brief ? 'look.under.short' : 'look.under')
  if (!decided && chance > 0.99) return t(brief ? 'look.over.short' : 'look.over')
  return t('look.percent', { n: share })
}

/** "+13 %", "−18 %": with a true minus. */
export function swing(change: number): string {
  const n = Math.round(Math.abs(change) * 100)
  return t('look.percent', { n: `${change < 0 ? '−' : '+'}${n}` })
}

/** What happened at a moment, as the log says it. */
export function deed(scene: Review, ui: GameUi, line: number): Piece[] {
  const at = line - scene.dealt
  const [from, to] = [scene.firsts[at - 1] ?? 0, scene.firsts[at] ?? 0]
  const events = scene.events.slice(from, to).filter((event) => !ui.silent(event))
  const event = events.find((one) => ui.mark(one)) ?? events[0]
  if (event) return lineOf(scene, ui, event).words
  const moment = scene.moments[at - 1]
  const name = scene.people[moment?.actor ?? -1]?.name
  return [{ text: name ? t('look.chose', { name }) : t('look.chance'), strong: false }]
}

export const toPlainText = (pieces: Piece[]): string => pieces.map((piece) => piece.text).join('')

/** An alternative choice, in words. */
export function chosen(scene: Review, ui: GameUi, other: Alternative['words']): string {
  const then = scene.asBefore()
  const words = ui.words?.(then, other as never)
  return words ?? say(scene.game, `act.${other.verb}`, other, scene.names)
}
