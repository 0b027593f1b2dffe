// Survive's log lines: whose explorer, what kind of place, which direction; and events without a line.
import { part } from '../../lib/scene.svelte'
import type { GameEvent, Scene } from './scene'
import { say, t } from '../../lib/i18n.svelte'
import { bearing, isExplorer, nameOf, placeWords, seatOf, survive, term } from './words'

/** Later events describe a tile's effect; a whale may have another one. */
export function silent(event: GameEvent): boolean {
  if (event.kind === 'revealed') return event.back !== 'whale'
  return event.kind === 'ranked' || event.kind === 'turn' || (event.kind === 'passed' && event.phase === 'hand')
}

const MARKS: Record<string, string> = {
  landed: 'ui-isle',
  removed: 'skull',
  wrecked: 'ship',
  whirlpool: 'whirl',
  defended: 'back-defence',
  over: 'back-volcano',
}
export const mark = (event: GameEvent): string => MARKS[event.kind] ?? ''

/** Sentences whose key depends on more than the event's kind. */
function keyOf(event: GameEvent, secret: boolean): string {
  if (event.kind === 'moved' || event.kind === 'ship_moved') return `${event.kind}.${event.how}`
  if (event.kind === 'placed' && event.value !== undefined) return secret ? 'placed.known' : 'placed.open'
  if (event.kind === 'kept' && event.back !== undefined) return secret ? 'kept.known' : 'kept.open'
  return event.kind
}

/** Whose turn it was when something happened. */
function moverOf(scene: Scene, event: GameEvent): number {
  for (let i = scene.events.lastIndexOf(event); i >= 0; i--) {
    const earlier = scene.events[i]!
    if (earlier.kind === 'turn') return earlier.seat
  }
  return -1
}

/** The seat that caused an event, otherwise the one affected. */
export function about(event: GameEvent, scene?: Scene): number | null {
  const seat = part(event, 'seat')
  if (seat !== undefined) return seat
  const view = scene?.view
  if (!scene || !view) return null
  const piece = part(event, 'piece')
  const found =
    piece && isExplorer(piece) ? seatOf(view, piece) : event.kind === 'ship_moved' ? moverOf(scene, event) : -1
  return found < 0 ? null : found
}

/** "D4 → C4 (north)": the name distinguishes spaces, the bearing says where to look. */
function whereabouts(from: string | undefined, to: string): string {
  if (!to || !bearing(to)) return ''
  const spot = t('survive.spot', { name: to, where: t(`survive.at.${bearing(to)}`) })
  return from && from !== to && bearing(from) ? `${from} → ${spot}` : spot
}

/** A log line; null uses the game's catalogue. */
export function logLine(scene: Scene, event: GameEvent): string | null {
  const view = survive(scene)
  if (!view) return null
  const key = `survive.log.${keyOf(event, scene.live)}`
  const seat = about(event, scene) ?? -1
  const place = part(event, 'to') ?? part(event, 'at') ?? ''
  const words: Record<string, unknown> = {
    name: seat >= 0 ? `**${nameOf(scene, seat)}**` : '',
    what: term(part(event, 'terrain') ?? view.tiles[place] ?? 'sea'),
    where: whereabouts(part(event, 'from'), place),
    isle: placeWords(view, part(event, 'isle') ?? ''),
    by: say(scene.game, `by.${part(event, 'by')}`),
    value: part(event, 'value'),
  }
  for (const key of ['creature', 'back', 'tile'] as const) {
    const word = part(event, key)
    if (word) words[key] = term(word)
  }
  if (event.kind === 'rolled') words.faces = event.faces.map(term).join(', ')
  const sentence = t(key, words)
  return sentence === key ? null : sentence
}
