// The wording of numbers and moments in match review.
import type { GameUi } from '../../games/gameUi'
import type { Alternative, Mattered, Review, Sentence } from '../../lib/reviewScene.svelte'
import { groupEventsIntoActions, type Action } from '../../lib/eventActions'
import { joinNames, joinSentences, gameText, t } from '../../lib/i18n.svelte'
import type { GameEvent } from '../../lib/scene.svelte'
import { plainLogLine } from '../logText'
import { actionDeeds } from '../recap/recap.svelte'

/** "33 %"; under 1 and over 99 before the end, 0 and 100 when it is decided. */
export function formatPercent(share: number, chance: number, decided: boolean, brief = false): string {
  if (!decided && chance < 0.01) return t(brief ? 'look.under.short' : 'look.under')
  if (!decided && chance > 0.99) return t(brief ? 'look.over.short' : 'look.over')
  return t('look.percent', { n: share })
}

/** "+13 %", "−18 %": with a true minus. */
export function formatSwing(change: number): string {
  const n = Math.round(Math.abs(change) * 100)
  return t('look.percent', { n: `${change < 0 ? '−' : '+'}${n}` })
}

const AFTER = 3 // log lines after a moment that may say what came of it
const BEFORE = 6 // and before it, what led to it

/** The event that says most about a moment: of its own line, or of the nearest one where something happened. */
export function mainEventOfMoment(scene: Review, ui: GameUi, line: number): GameEvent | undefined {
  const at = line - scene.dealt
  const near = [at]
  for (let i = 1; i <= AFTER && scene.moments[at + i - 1]?.actor === -1; i++) near.push(at + i)
  const actor = scene.moments[at - 1]?.actor
  for (let i = 1; i <= BEFORE && scene.moments[at - i - 1]?.actor === actor; i++) near.push(at - i)
  const all = near.map((one) => scene.events.slice(scene.firsts[one - 1] ?? 0, scene.firsts[one] ?? 0))
  const spoken = all.map((events) => events.filter((event) => event.kind && !ui.hasNoLogLine(event)))
  for (const events of spoken) {
    const found =
      events.find((event) => ui.timelineSymbol(event)) ?? events.findLast((event) => ui.placesOfEvent(event).length > 0)
    if (found) return found
  }
  return spoken.find((events) => events.length)?.[0]
}

/** The action that a moment's main event belongs to, as far as it went. */
export function actionOfMoment(scene: Review, ui: GameUi, line: number): Action | null {
  const { recap } = ui
  const event = mainEventOfMoment(scene, ui, line)
  if (!recap || !event) return null
  const at = scene.events.indexOf(event)
  const turn = scene.events.findLastIndex((one, n) => n <= at && recap.turn(one) !== null)
  const rules = { part: (n: number) => recap.part(scene, n), turn: recap.turn }
  const seat = ui.seatOfEvent(event, scene) ?? scene.moments[line - scene.dealt - 1]?.actor ?? -1
  const found = groupEventsIntoActions(scene.events, Math.max(0, turn), at + 1, rules, seat < 0 ? null : seat)
  return found.findLast((one) => one.first <= at && at <= one.last) ?? null
}

/** The places that a moment's action is about. */
export function placesOfMoment(scene: Review, ui: GameUi, line: number): string[] {
  const event = mainEventOfMoment(scene, ui, line)
  const leads = actionOfMoment(scene, ui, line)?.leads.map((n) => scene.events[n]!) ?? []
  return (leads.length ? leads : event ? [event] : []).flatMap((one) => ui.placesOfEvent(one))
}

/** What happened at a moment: its action, which its picture shows, too, and the main event if that came after it. */
export function momentDeedText(scene: Review, ui: GameUi, line: number): string {
  const event = mainEventOfMoment(scene, ui, line)
  const action = actionOfMoment(scene, ui, line)
  const deeds = action ? actionDeeds(scene, ui, action) : []
  if (action && event && deeds.length) {
    const deed = deeds.map((piece) => piece.text).join('')
    const told = action.described.includes(scene.events.indexOf(event))
    return told ? deed : joinSentences([deed, plainLogLine(scene, ui, event)])
  }
  if (event) return plainLogLine(scene, ui, event)
  const person = scene.people[scene.moments[line - scene.dealt - 1]?.actor ?? -1]
  return person ? t('look.chose', { name: person.name }) : t('look.bychance')
}

/** A sentence about a seat: to the reader, if it is theirs. */
export function seatSentence(scene: Review, key: string, seat: number, args: Record<string, unknown> = {}): string {
  const person = scene.people[seat]
  return t(person?.reader ? `${key}.you` : key, { name: person?.name ?? '', ...args })
}

const likeliestWinner = (chances: number[]): number => chances.indexOf(Math.max(...chances))
const SURE = 0.9 // to have all but won
const HOPELESS = 0.1

/** What a moment changed: who leads, who falls behind. */
export function momentEffectText(scene: Review, pin: Mattered): string {
  const [before, after] = [pin.at - 1, pin.at].map((line) => scene.momentsByLine.get(line)?.chances)
  if (!before || !after) return ''
  const [old, now] = [likeliestWinner(before), likeliestWinner(after)]
  const effectSentence = (key: string, seat: number): string => seatSentence(scene, `look.effect.${key}`, seat)
  if (after[now] === 1) return effectSentence('wins', now)
  if (now !== old) return effectSentence('ahead', now)
  if (after[now]! >= SURE && before[now]! < SURE) return effectSentence('sure', now)
  if (pin.seat === now) return effectSentence(pin.swing > 0 ? 'away' : 'less', now)
  if (pin.swing > 0) return effectSentence('closer', pin.seat)
  return effectSentence(after[pin.seat]! < HOPELESS ? 'out' : 'behind', pin.seat)
}

/** A key moment as a story: the deed, and its consequence. */
export function keyMomentText(scene: Review, ui: GameUi, pin: Mattered): string {
  return t('look.story', { deed: momentDeedText(scene, ui, pin.at), effect: momentEffectText(scene, pin) })
}

/** A sentence of the summary; '' if nothing happened that it could describe. */
export function summarySentence(scene: Review, ui: GameUi, { key, args }: Sentence): string {
  const playerName = (seat: unknown): string => scene.people[Number(seat)]?.name ?? ''
  const at = Number(args.at ?? 0)
  if (at && !mainEventOfMoment(scene, ui, at)) return ''
  const spared = key === 'luck' && scene.people[Number(args.other)]?.reader
  return seatSentence(
    scene,
    spared ? 'look.sum.luck.other' : `look.sum.${key}`,
    spared ? -1 : Number(args.seat ?? -1),
    {
      name: playerName(args.seat),
      other: playerName(args.other),
      names: Array.isArray(args.seats) ? joinNames(args.seats.map(playerName)) : '',
      turn: args.turn ?? scene.momentsByLine.get(at)?.turn ?? 0,
      turns: args.turns ?? 0,
      lowest: Math.round(Number(args.lowest ?? 0) * 100),
      deed: at ? momentDeedText(scene, ui, at).replace(/[.!。！]+$/, '') : '',
      cost: t('look.percent', { n: Math.round(Number(args.cost ?? 0) * 100) }),
      luck: formatSwing(Number(args.luck ?? 0)),
      ill: formatSwing(Number(args.ill ?? 0)),
    },
  )
}

/** How far a review is, and how long the rest may take. */
export function reviewProgressText(scene: Review): string {
  if (scene.state === 'queued') return t('look.queued', { n: scene.before })
  if (!scene.progress) return t('look.asking')
  const { done, total, left } = scene.progress
  const args = { n: done, of: total, m: Math.round((left ?? 0) / 60) }
  if (left === null) return t('look.working', args)
  return t(args.m < 1 ? 'look.working.soon' : 'look.working.left', args)
}

/** An alternative choice, in words. */
export function alternativeText(scene: Review, ui: GameUi, other: Alternative['words']): string {
  const then = scene.sceneBeforeMoment()
  const words = ui.choiceText?.(then, other as never)
  return words ?? gameText(scene.game, `act.${other.verb}`, other, scene.names)
}
