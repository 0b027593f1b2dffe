// Atlandice's events as actions: a die and its building, pieces, the clock, a scoring; and who loses a wreath by them.
import type { ActionPart } from '../../lib/eventActions'
import { joinNames, gameText, t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import ActionArt from './ActionArt.svelte'
import type { GameEvent, GameTypes, Scene } from './sceneTypes'
import { cityViewOf, type Resource } from './view'
import { pieceWordsByTwos, termText } from './cityText'

/** The holders' pieces of a resource after event `n`; null if they were returned since. */
function countsHeldAfterEvent(scene: Scene, n: number, resource: Resource): number[] | null {
  const { holders } = cityViewOf(scene)
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

/** The seats that had most of a resource alone until somebody took as many, or shared that until somebody took more. */
function leadersOvertaken(scene: Scene, n: number, taker: number, resource: Resource): number[] {
  const after = countsHeldAfterEvent(scene, n, resource)
  if (!after) return []
  const before = after.map((count, i) => (i === taker ? count - 1 : count))
  const most = Math.max(...before)
  const leaders = before.flatMap((count, i) => (count === most && most > 0 ? [i] : []))
  const loses = after[taker]! > most || (after[taker] === most && leaders.length === 1)
  return loses ? leaders.filter((i) => i !== taker) : []
}

function actionPartOf(scene: Scene, event: GameEvent, n: number): ActionPart | null {
  switch (event.kind) {
    case 'die':
    case 'die_neutral':
    case 'second_visit':
      return { picture: 'die' }
    case 'take':
    case 'take_neutral': {
      const neutral = cityViewOf(scene).holders.findIndex((holder) => holder.neutral)
      const { resource } = event
      const taker = event.kind === 'take' ? event.seat : neutral
      return {
        picture: 'take',
        group: `take ${resource}`,
        weight: 'notable',
        touches: leadersOvertaken(scene, n, taker, resource),
        sentence: () => {
          const counts = countsHeldAfterEvent(scene, n, resource)!
          const what = termText(resource)
          return counts[taker]! > counts[scene.seat ?? taker]!
            ? t('atlandice.recap.wreath.gone', { what })
            : t('atlandice.recap.wreath.shared', { what })
        },
        besides: true,
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
      return {
        picture: '',
        touches: event.from.flatMap((count, seat) => (count ? [seat] : [])),
        sentence: () =>
          t('atlandice.recap.returned', { n: event.from[scene.seat ?? -1] ?? 0, what: termText(event.resource) }),
        besides: true,
      }
    case 'used_up': // whoever held some loses it
      return { picture: '', touches: scene.people.map((_, seat) => seat) }
    case 'roll':
    case 'tile_neutral':
    case 'tile_gone':
    case 'points_neutral':
    case 'donation':
    case 'reveal':
      return { picture: '' }
    case 'give':
      return { picture: 'give', group: 'give', weight: 'notable' }
    case 'round':
      return { picture: 'round' }
    default:
      return null
  }
}

type Taken = GameEvent & { kind: 'take' | 'take_neutral' }
const isTakeEvent = (event: GameEvent): event is Taken => event.kind === 'take' || event.kind === 'take_neutral'

/** Whether two pieces of the same kind were taken from the same place. */
function areSamePieceTaken(a: GameEvent, b: GameEvent): boolean {
  return isTakeEvent(a) && isTakeEvent(b) && a.kind === b.kind && a.resource === b.resource && a.sector === b.sector
}

/** Several pieces that were taken, with their number. */
function takenText(scene: Scene, events: GameEvent[]): string | null {
  const [event] = events.filter(isTakeEvent)
  if (!event || events.length < 2) return null
  const from = gameText('atlandice', `from.${event.sector}`)
  const list = joinNames(pieceWordsByTwos(event.resource, events.length))
  return event.kind === 'take'
    ? t('atlandice.recap.took', { name: `**${scene.names[event.seat]}**`, list, from })
    : t('atlandice.recap.took.neutral', { list, from })
}

const TURNS = ['die', 'die_neutral', 'give', 'no_more']

export const recap: RecapUi<GameTypes> = {
  part: (scene, n) => actionPartOf(scene, scene.events[n]!, n),
  turn: (event) => (TURNS.includes(event.kind) ? (event as { seat: number }).seat : null),
  whose: (view) => view.actor,
  joins: areSamePieceTaken,
  line: takenText,
  ground: '#34235c',
  ActionArt,
}
