// Atlandice's events as actions: a die and its building, pieces, the clock, a scoring; and who loses a wreath by them.
import type { ActionPart } from '../../lib/actions'
import { t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import Picture from './Picture.svelte'
import type { GameEvent, GameTypes, Scene } from './scene'
import { city, type Resource } from './view'
import { term } from './words'

/** The holders' pieces of a resource after event `n`; null if they were returned since. */
function holdings(scene: Scene, n: number, resource: Resource): number[] | null {
  const { holders } = city(scene)
  const counts = holders.map((holder) => holder.stock[resource])
  const neutral = holders.findIndex((holder) => holder.neutral)
  for (const event of scene.events.slice(n + 1)) {
    if ((event.kind === 'returned' || event.kind === 'used_up') && event.resource === resource) return null
    if (event.kind === 'take' && event.resource === resource) counts[event.seat]!--
    else if (event.kind === 'take_neutral' && event.resource === resource) counts[neutral]!--
    else if (event.kind === 'give' && event.resource === resource) counts[event.seat]!++
  }
  return counts
}

/** The seats that had most of a resource alone until somebody took as many. */
function overtaken(scene: Scene, n: number, taker: number, resource: Resource): number[] {
  const after = holdings(scene, n, resource)
  if (!after) return []
  const before = after.map((count, i) => (i === taker ? count - 1 : count))
  const most = Math.max(...before)
  const leaders = before.flatMap((count, i) => (count === most && most > 0 ? [i] : []))
  return leaders.length === 1 && leaders[0] !== taker && after[taker]! >= most ? leaders : []
}

function partOf(scene: Scene, event: GameEvent, n: number): ActionPart | null {
  switch (event.kind) {
    case 'die':
    case 'die_neutral':
    case 'second_visit':
      return { picture: 'die' }
    case 'take':
    case 'take_neutral': {
      const neutral = city(scene).holders.findIndex((holder) => holder.neutral)
      const { resource } = event
      return {
        picture: 'take',
        group: `take ${resource}`,
        touches: overtaken(scene, n, event.kind === 'take' ? event.seat : neutral, resource),
        sentence: () => t('atlandice.recap.wreath', { what: term(resource) }),
      }
    }
    case 'move':
    case 'swap':
    case 'submarine':
      return { picture: event.kind }
    case 'die_moved':
      return { picture: 'moved' }
    case 'clock':
    case 'clock_inn':
      return { picture: 'clock', group: 'clock' }
    case 'emptied':
    case 'inventory':
      return { picture: 'score', group: 'score', weight: 'reveal' }
    case 'tile':
    case 'points':
      return { picture: '', touches: [event.seat] }
    case 'returned':
      return { picture: '', touches: event.from.flatMap((count, seat) => (count ? [seat] : [])) }
    case 'give':
      return { picture: 'give', group: 'give' }
    case 'round':
      return { picture: 'round' }
    default:
      return null
  }
}

const TURNS = ['die', 'die_neutral', 'give', 'no_more']

export const recap: RecapUi<GameTypes> = {
  part: (scene, n) => partOf(scene, scene.events[n]!, n),
  turn: (event) => (TURNS.includes(event.kind) ? (event as { seat: number }).seat : null),
  whose: (view) => view.actor,
  ground: '#34235c',
  Picture,
}
