// Log lines of events.
import { untrack } from 'svelte'
import type { GameUi } from '../games/gameUi'
import type { GameEvent, Scene } from '../lib/scene.svelte'
import {
  eventTextKey,
  hasGameText,
  splitMarkedText,
  gameText,
  gameTextPieces,
  t,
  clientAndGameCatalogues,
  type Piece,
} from '../lib/i18n.svelte'

/** A log line: its seat, its words, and whether it happened to the reader. */
export interface Line {
  seat: number | null
  words: Piece[]
  befalls: boolean
}
const lines = new WeakMap<GameEvent, { by: unknown[]; line: Line }>()

/**
 * The line of an event, as it was first shown: later changes of the board do not change its words. `before` are the
 * events that it tells, too.
 */
export function logLineOf(scene: Scene, ui: GameUi, event: GameEvent, before: GameEvent[] = []): Line {
  const by = [...clientAndGameCatalogues(scene.game), scene.names, scene.era, before[0]]
  const kept = lines.get(event)
  if (kept && kept.by.every((one, i) => one === by[i])) return kept.line
  const line = untrack(() => ({
    seat: ui.seatOfEvent(before[0] ?? event, scene),
    words: logLinePieces(scene, ui, event, before),
    befalls: [...before, event].some((one) => ui.happenedToReader?.(scene, one)),
  }))
  lines.set(event, { by, line })
  return line
}

/** The sentence of an event in pieces: the game's own, otherwise the catalogue's. */
function logLinePieces(scene: Scene, ui: GameUi, event: GameEvent, before: GameEvent[]): Piece[] {
  const own = ui.logLine?.(scene, event, before)
  if (own) return splitMarkedText(own)
  const args: Record<string, unknown> = { ...event }
  if (typeof args.colour === 'string') args.colour = scene.displayColourOf(args.colour)
  const reader = scene.people[event.seat ?? -1]?.reader ?? false
  return gameTextPieces(scene.game, eventTextKey(scene.game, event, reader), args, scene.names)
}

/** An event as plain text. */
export function plainLogLine(scene: Scene, ui: GameUi, event: GameEvent): string {
  return logLineOf(scene, ui, event)
    .words.map((piece) => piece.text)
    .join('')
}

/** What another player is doing, for those who wait: never in the words addressed to the actor. */
export function waitingText(scene: Scene): string {
  const { actor, ask } = scene.view!
  const key = ask.replace(/^ask\./, 'wait.')
  const name = scene.people[actor]?.name ?? ''
  return hasGameText(scene.game, key)
    ? gameText(scene.game, key, { who: actor }, scene.names)
    : t('shell.waiting', { name })
}
