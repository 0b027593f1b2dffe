// Atlantis's events as actions: a figure moves, pays, takes a tile; whom a new gap or bridge affects.
import type { ActionPart } from '../../lib/eventActions'
import { joinNames, gameText, t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import ActionArt from './ActionArt.svelte'
import type { GameEvent, GameTypes, Scene } from './scene'
import { placeNumber } from './view'

const NEAR = 8 // positions ahead of a figure that concern its player

/** The seats with a figure shortly before a position. */
function behind(scene: Scene, at: number): number[] {
  return scene
    .view!.seats.filter((seat) =>
      Object.values(seat.figures).some((place) => placeNumber(place) < at && at - placeNumber(place) <= NEAR),
    )
    .map((seat) => seat.seat)
}

function partOf(scene: Scene, event: GameEvent): ActionPart | null {
  switch (event.kind) {
    case 'moved':
    case 'hopped':
      return { picture: 'move', group: `move ${event.figure}` }
    case 'paid_card':
    case 'paid_tile':
      return { picture: 'pay', group: 'pay', weight: 'notable' }
    case 'took':
      return { picture: 'take', group: 'take', weight: 'notable' }
    case 'gap':
      return {
        picture: '',
        touches: behind(scene, event.at),
        sentence: () => t('atlantis.recap.gap', { at: event.at }),
      }
    case 'bridge':
      return {
        picture: 'bridge',
        weight: 'notable',
        touches: behind(scene, event.at),
        sentence: () => t('atlantis.recap.bridge', { at: event.at }),
        besides: true,
      }
    case 'uncovered':
    case 'took_nothing':
    case 'shore':
    case 'bridge_lost':
      return { picture: '' }
    case 'bought':
      return { picture: 'buy', group: 'buy', weight: 'notable' }
    case 'shown':
      return { picture: 'show', weight: 'reveal' }
    default:
      return null
  }
}

type Paid = GameEvent & { kind: 'paid_card' | 'paid_tile' }
const isPaid = (event: GameEvent): event is Paid => event.kind === 'paid_card' || event.kind === 'paid_tile'

/** A payment in one sentence: its price, and every card and tile that it was paid with. */
function paymentText(scene: Scene, events: GameEvent[]): string | null {
  const paid = events.filter(isPaid)
  const last = paid.at(-1)
  if (!last) return null
  const list = paid.map((event) =>
    event.kind === 'paid_card'
      ? t('atlantis.recap.card', { what: gameText(scene.game, `term.${event.card}`) })
      : t('atlantis.recap.tile', { what: gameText(scene.game, `term.${event.tile}`), value: event.value }),
  )
  const key = last.paid < last.bill ? 'paying' : last.paid > last.bill ? 'overpaid' : 'paid'
  const name = `**${scene.names[last.seat]}**`
  return t(`atlantis.recap.${key}`, { name, list: joinNames(list), paid: last.paid, bill: last.bill })
}

export const recap: RecapUi<GameTypes> = {
  part: (scene, n) => partOf(scene, scene.events[n]!),
  turn: (event) => (event.kind === 'turn' ? event.seat : null),
  whose: (view) => view.turn,
  joins: (before, event) => isPaid(before) && isPaid(event),
  line: paymentText,
  ActionArt,
}
