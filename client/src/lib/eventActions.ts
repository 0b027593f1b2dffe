// Events grouped into actions that a reader can follow one by one, and how long each is shown.
import type { GameEvent } from './wire'

/** An event's part in an action. */
export interface ActionPart {
  /** The name of the picture that the game draws; '': it only accompanies the action before it. */
  picture: string
  /** Parts in a row with the same group are one action. */
  group?: string
  weight?: Weight
  /** Who does it, if not the seat whose turn it is. */
  doer?: number
  /** The seats it affects, besides the one that acts. */
  touches?: number[]
  /** What it means for an affected reader, if the log's sentence does not say it: shown instead of that sentence. */
  sentence?: () => string
  /** It is shown after the log's sentence, not instead of it. */
  besides?: boolean
}
/** Only plain actions are folded while there are any. */
export type Weight = 'plain' | 'notable' | 'reveal' | 'strike'

/** How a game's events form turns and actions. */
export interface ActionRules {
  /** The part of event number `n`; null: it is none, and joins the action before it. */
  part(n: number): ActionPart | null
  /** The seat whose turn an event begins; null: none. */
  turn(event: GameEvent): number | null
}

/** What one seat did, one thing. */
export interface Action {
  /** Whose turn it is. */
  seat: number
  /** Who does it. */
  doer: number
  /** Numbers of its first and last event. */
  first: number
  last: number
  /** The events that are drawn. */
  leads: number[]
  /** The events that are described: those, and what accompanies them. */
  described: number[]
  picture: string
  /** How many parts are grouped. */
  count: number
  weight: Weight
  /** By affected seat: the events that affect it. */
  touches: Map<number, number[]>
}

const WEIGHTS: Weight[] = ['plain', 'notable', 'reveal', 'strike']

/** The actions from event number `first` on, up to `end`; `seat` has the turn at the beginning. */
export function groupEventsIntoActions(
  events: GameEvent[],
  first: number,
  end: number,
  rules: ActionRules,
  seat: number | null = null,
): Action[] {
  const found: Action[] = []
  let group: string | undefined
  for (let n = first; n < Math.min(end, events.length); n++) {
    const event = events[n]!
    const turn = rules.turn(event)
    if (turn !== null) {
      if (turn !== seat) group = undefined
      seat = turn
    }
    const part = event.kind ? rules.part(n) : null
    const last = found.at(-1)
    const joins = last && last.seat === seat
    if (!part?.picture) {
      if (joins && turn === null) addEventToAction(last, n, part)
      continue
    }
    if (seat === null) continue
    if (joins && part.group !== undefined && part.group === group) {
      addEventToAction(last, n, part)
      last.leads.push(n)
      last.picture = part.picture
      last.count++
    } else {
      const action: Action = {
        seat,
        doer: part.doer ?? seat,
        first: n,
        last: n,
        leads: [n],
        described: [],
        picture: part.picture,
        count: 1,
        weight: 'plain',
        touches: new Map(),
      }
      addEventToAction(action, n, part)
      found.push(action)
    }
    group = part.group
  }
  return found
}

function addEventToAction(action: Action, n: number, part: ActionPart | null): void {
  action.last = n
  if (!part) return
  action.described.push(n)
  for (const seat of part.touches ?? [])
    if (seat !== action.seat) action.touches.set(seat, [...(action.touches.get(seat) ?? []), n])
  const weight = part.weight ?? 'plain'
  if (WEIGHTS.indexOf(weight) > WEIGHTS.indexOf(action.weight)) action.weight = weight
}

/** What the others did since the seat's last turn; during its turn, what they did before it. */
export function othersActionsSinceLastTurn(
  events: GameEvent[],
  end: number,
  seat: number,
  rules: ActionRules,
): Action[] {
  let [first, last] = [0, Math.min(end, events.length)]
  let others = false // whether somebody else's turn was found
  for (let n = last - 1; n >= 0; n--) {
    const turn = rules.turn(events[n]!)
    if (turn === null) continue
    if (turn !== seat) others = true
    else if (!others) last = n
    else {
      first = n
      break
    }
  }
  return groupEventsIntoActions(events, first, last, rules).filter((action) => action.seat !== seat)
}

/** The event that tells an action in short. */
export const leadEventNumber = (action: Action): number => action.leads.at(-1)!

/** Actions by player, in the order of their turns. */
export function groupActionsBySeat(actions: Action[]): Action[][] {
  const rows: Action[][] = []
  for (const action of actions) {
    const row = rows.find((one) => one[0]!.seat === action.seat)
    if (row) row.push(action)
    else rows.push([action])
  }
  return rows
}

/**
 * Which of a row of more than `most` actions are folded, so that `most - 1` stay: those of least weight, and of equals
 * the last. They are neighbours if such neighbours exist.
 */
export function indicesToFold(row: Action[], most: number, weight: (action: Action) => number): number[] {
  const size = row.length > most ? row.length - most + 1 : 0
  const weights = row.map(weight)
  const sumOfWeights = (folded: number[]): number => folded.reduce((sum, i) => sum + weights[i]!, 0)
  const least = row
    .map((_, i) => i)
    .sort((a, b) => weights[a]! - weights[b]! || b - a)
    .slice(0, size)
    .sort((a, b) => a - b)
  for (let from = row.length - size; size && from >= 0; from--) {
    const neighbours = least.map((_, i) => from + i)
    if (sumOfWeights(neighbours) === sumOfWeights(least)) return neighbours
  }
  return least
}

// --- the pace ---------------------------------------------------------------------------------------------------------

export type Speed = 'slow' | 'normal' | 'fast' | 'none'
/** The share of its usual time that a speed gives to what is shown. */
export const FACTORS: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.5, none: 1 }
const RING = 120 // ms in which the place is ringed before something moves
const REST = { others: 80, reader: 300 } // ms of rest afterwards
const LENGTHS: Record<Weight, number> = { plain: 300, notable: 650, reveal: 1800, strike: 700 }
const STRIKE_AT_READER = 1900
const APART = 90 // ms between the starts of plain actions: they overlap, and what comes next does not wait for them
const STILL = 350 // ms of an action without motion
const PURSE = 2600 // ms for all actions of one opponent
const PURSE_PER_STRIKE = 1400 // and for each strike at the reader
const LARGEST_PURSE = 4000
const LEAST = 0.05 // smallest share of an action's usual time
const BRIEFEST = 140 // ms of a motion at normal speed

const strikesAt = (action: Action, reader: number | null): boolean =>
  action.weight === 'strike' && reader !== null && action.touches.has(reader)

/** How long an action is shown to the reader, in ms; the next one may begin earlier. */
export function actionDurationMs(action: Action, reader: number | null, speed: Speed): number {
  if (speed === 'none') return STILL
  return (strikesAt(action, reader) ? STRIKE_AT_READER : LENGTHS[action.weight]) * FACTORS[speed]
}

/** How one event of an action is shown, in ms. */
export interface Timing {
  ring: number
  move: number
  rest: number
  /** The next event begins this long before the motion ends. */
  overlap: number
  /** The share of its usual time that a film gets. */
  scale: number
  /** The action touches the reader: it is shown whole. */
  touches: boolean
}

/**
 * The timing of event `n` of an action; `spent` is the time taken by earlier actions of that seat, and `later` are its
 * known ones after this. All together never take longer than the purse: what strikes the reader is paid first.
 */
export function eventTimingInAction(
  action: Action,
  n: number,
  { reader, speed, spent, later }: { reader: number | null; speed: Speed; spent: number; later: Action[] },
): Timing {
  const touches = reader !== null && action.touches.has(reader)
  const ends = n === action.last
  const factor = FACTORS[speed]
  const struck = [action, ...later].filter((one) => strikesAt(one, reader)).length
  const purse = Math.min(LARGEST_PURSE, PURSE + PURSE_PER_STRIKE * struck) * factor
  const whole = (one: Action): number => (strikesAt(one, reader) ? actionDurationMs(one, reader, speed) : 0)
  const occupied = (one: Action): number =>
    one.weight === 'plain' && speed !== 'none' ? APART * factor : actionDurationMs(one, reader, speed)
  const rest = [action, ...later].filter((one) => !whole(one))
  const left = purse - spent - [action, ...later].reduce((sum, one) => sum + whole(one), 0)
  const needed = rest.reduce((sum, one) => sum + occupied(one), 0)
  const share = whole(action) ? 1 : Math.max(LEAST, Math.min(1, left / needed))
  if (speed === 'none') return { ring: 0, move: 0, rest: ends ? STILL * share : 0, overlap: 0, scale: share, touches }
  const scale = share * factor
  const length = actionDurationMs(action, reader, 'normal')
  const events = action.last - action.first + 1
  if (action.weight === 'plain' && !touches) {
    const move = (length / events) * scale
    return { ring: 0, move, rest: 0, overlap: ends ? Math.max(0, move - APART * scale) : 0, scale, touches }
  }
  const after = touches ? REST.reader : REST.others
  const move = Math.max(BRIEFEST, (length - RING - after) / events)
  return {
    ring: n === action.first ? RING * scale : 0,
    move: move * scale,
    rest: ends ? after * scale : 0,
    overlap: 0,
    scale,
    touches,
  }
}
