// The current visit and the last scoring, derived from the events.
import type { GameEvent } from './sceneTypes'
import { optionalField, type Kind } from '../../lib/scene.svelte'
import {
  resourceOfSector,
  RESOURCES,
  sectorOfTile,
  type CityView,
  type Resource,
  type Scoring,
  type SectorName,
  type Holder,
} from './view'

export interface Flow {
  seat: number
  neutral: boolean
  sector: SectorName
  /** Pieces taken so far, in order. */
  got: Kind<GameEvent, 'take'>[]
  /** Dice rolled for the effect. */
  rolls: number[]
  /** Other events: keys of the catalogue's sentences with their events. */
  done: GameEvent[]
}

/** The visit that the last die started; null if the next has started or there is none. */
export function currentVisit(events: GameEvent[]): Flow | null {
  let start = events.length - 1
  while (start >= 0 && !['die', 'die_neutral', 'round', 'clock'].includes(events[start]!.kind)) start--
  const first = events[start]
  if (first?.kind !== 'die' && first?.kind !== 'die_neutral') return null
  const found: Flow = {
    seat: first.seat,
    neutral: first.kind === 'die_neutral',
    sector: first.sector,
    got: [],
    rolls: [],
    done: [],
  }
  for (const event of events.slice(start + 1)) {
    if (event.kind === 'take' || event.kind === 'take_neutral') found.got.push(event)
    else if (event.kind === 'roll') found.rolls.push(event.face)
    else if (['second_visit', 'move', 'swap', 'die_moved', 'submarine', 'clock_inn'].includes(event.kind))
      found.done.push(event)
    if (event.kind === 'second_visit') found.sector = event.sector
  }
  return found
}

/** The faces of the dice taken this round, by holder; the events may start in the middle of it. */
export function dieFacesTaken(events: GameEvent[], view: CityView): number[][] {
  const faces: number[][] = view.holders.map(() => [])
  const neutral = view.holders.findIndex((holder) => holder.neutral)
  for (let i = events.length - 1; i >= 0 && events[i]!.kind !== 'round'; i--) {
    const event = events[i]!
    if (event.kind !== 'die' && event.kind !== 'die_neutral') continue
    const number = view.sectors.find((sector) => sector.sector === event.sector)?.number ?? 6
    faces[event.kind === 'die' ? event.seat : neutral]?.unshift(number)
  }
  return faces
}

const newScoring = (kind: Scoring['kind'], what: string, resource: Scoring['resource']): Scoring => ({
  kind,
  what,
  resource,
  counts: [],
  tile: null,
  points: {},
  tilePoints: 0,
  gone: false,
  returned: null,
  revealed: null,
  usedUp: false,
})

/** The next state of a scoring after an event; null if the event does not belong to it. */
export function scoringAfterEvent(old: Scoring | undefined, event: GameEvent, view: CityView): Scoring | null {
  const neutral = view.holders.findIndex((holder) => holder.neutral)
  const who = optionalField(event, 'seat') ?? neutral
  switch (event.kind) {
    case 'emptied': {
      const resource = resourceOfSector(sectorOfTile(event.tile))!
      return {
        ...newScoring('region', event.tile, resource),
        counts: view.holders.map((holder) => holder.stock[resource]),
      }
    }
    case 'inventory': {
      const icon = event.icon as Scoring['resource']
      return {
        ...newScoring('inventory', icon, icon),
        counts: view.holders.map((holder) => (icon === 'stock' ? holder.pieces : holder.stock[icon])),
      }
    }
    case 'tile':
    case 'tile_neutral':
      return old ? { ...old, tile: who, tilePoints: event.points } : null
    case 'points':
    case 'points_neutral':
      if (event.reason !== 'region' && event.reason !== 'inventory') return null
      return old ? { ...old, points: { ...old.points, [who]: event.points } } : null
    case 'tile_gone':
      return old ? { ...old, gone: true } : null
    case 'returned':
      return old ? { ...old, returned: { market: event.market, region: event.region } } : null
    case 'used_up':
      return old ? { ...old, usedUp: true } : null
    case 'reveal':
      return old && old.kind === 'region' ? { ...old, revealed: event.tile } : null
    default:
      return null
  }
}

/** The scorings since the last die was taken, for those who did not watch. */
export function scoringsSinceLastDie(events: GameEvent[], view: CityView): Scoring[] {
  let start = events.length - 1
  while (start >= 0 && !events[start]!.kind.startsWith('die')) start--
  if (start < 0) return []
  const found: Scoring[] = []
  for (const event of events.slice(start + 1)) {
    const begins = event.kind === 'emptied' || event.kind === 'inventory'
    const next = scoringAfterEvent(begins ? undefined : found.at(-1), event, view)
    if (!next) continue
    if (begins) found.push({ ...next, counts: [] })
    else found[found.length - 1] = next
    if (event.kind === 'returned') found[found.length - 1]!.counts = event.from
    // An inventory returns nothing: holdings still equal what was counted.
    const last = found.at(-1)!
    if (last.kind === 'inventory')
      last.counts = view.holders.map((holder) =>
        last.resource === 'stock' ? holder.pieces : holder.stock[last.resource],
      )
  }
  return found
}

/** Final points by holder and resource; the owners of tiles are in the view. */
export function finalResourcePointsByHolder(events: GameEvent[], view: CityView): Record<Resource, number>[] | null {
  if (events.at(-1)?.kind !== 'end') return null
  const neutral = view.holders.findIndex((holder) => holder.neutral)
  const found = view.holders.map(() => Object.fromEntries(RESOURCES.map((r) => [r, 0])) as Record<Resource, number>)
  for (let i = events.length - 2; i >= 0 && events[i]!.kind.startsWith('points'); i--) {
    const event = events[i]!
    if (event.kind !== 'points' && event.kind !== 'points_neutral') break
    const reason = RESOURCES.find((resource) => resource === event.reason)
    if (!reason) break
    const row = found[event.kind === 'points' ? event.seat : neutral]
    if (row) row[reason] = event.points
  }
  return found
}

export type ScoreParts = Record<'playing' | 'tiles' | 'pieces', number>
/** What a final score is made of, given the points for each resource. */
export function scorePartsOf(holder: Holder, kinds: Record<Resource, number>): ScoreParts {
  const pieces = RESOURCES.reduce((sum, r) => sum + kinds[r], 0)
  return { playing: holder.points, tiles: holder.score - holder.points - pieces, pieces }
}
