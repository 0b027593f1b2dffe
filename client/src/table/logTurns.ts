// The log by turns: the last turn first, and its events in order.
import type { GameEvent } from '../lib/scene.svelte'

/** Numbers of events that belong together, in order. */
export type Turn = number[]

/**
 * The turns of the first `seen` events that have log lines; at least `most` lines, if there are as many. A game's own
 * turn events delimit turns; otherwise a turn is what one seat does until another acts, or a round begins.
 */
export function groupEventsIntoTurns(
  events: GameEvent[],
  seen: number,
  most: number,
  silent: (event: GameEvent) => boolean,
): Turn[] {
  const all: Turn[] = [[]]
  let hasTurns = false
  let seat: number | undefined
  for (let n = 0; n < Math.min(seen, events.length); n++) {
    const event = events[n]!
    if (!event.kind) continue
    const other = event.seat !== undefined && event.seat !== seat
    if (event.kind === 'turn' || event.kind === 'round' || (other && !hasTurns)) all.push([])
    hasTurns ||= event.kind === 'turn'
    seat = event.kind === 'round' ? undefined : (event.seat ?? seat)
    if (!silent(event)) all.at(-1)!.push(n)
  }
  const found: Turn[] = []
  let count = 0
  for (const turn of all.reverse()) {
    if (count > most) break
    if (turn.length) found.push(turn)
    count += turn.length
  }
  return found
}

/** A turn by sentences: numbers of events that the game tells together. */
export function groupEventsBySentence(
  events: GameEvent[],
  turn: Turn,
  joins: (before: GameEvent, event: GameEvent) => boolean = () => false,
): number[][] {
  const found: number[][] = []
  for (const n of turn) {
    const last = found.at(-1)
    if (last && joins(events[last.at(-1)!]!, events[n]!)) last.push(n)
    else found.push([n])
  }
  return found
}
