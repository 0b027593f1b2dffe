// Atlantis's events as actions: a figure moves, pays, takes a tile; whom a new gap or bridge affects.
import type { ActionPart } from '../../lib/actions'
import { t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import Picture from './Picture.svelte'
import type { GameEvent, GameTypes, Scene } from './scene'
import { nth } from './view'

const NEAR = 8 // positions ahead of a figure that concern its player

/** The seats with a figure shortly before a position. */
function behind(scene: Scene, at: number): number[] {
  return scene
    .view!.seats.filter((seat) =>
      Object.values(seat.figures).some((place) => nth(place) < at && at - nth(place) <= NEAR),
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
      return { picture: 'pay', group: 'pay' }
    case 'took':
      return { picture: 'take', group: 'take' }
    case 'gap':
      return {
        picture: '',
        touches: behind(scene, event.at),
        sentence: () => t('atlantis.recap.gap', { at: event.at }),
      }
    case 'bridge':
      return {
        picture: 'bridge',
        touches: behind(scene, event.at),
        sentence: () => t('atlantis.recap.bridge', { at: event.at }),
      }
    case 'bought':
      return { picture: 'buy', group: 'buy' }
    case 'shown':
      return { picture: 'show', weight: 'reveal' }
    default:
      return null
  }
}

export const recap: RecapUi<GameTypes> = {
  part: (scene, n) => partOf(scene, scene.events[n]!),
  turn: (event) => (event.kind === 'turn' ? event.seat : null),
  whose: (view) => view.turn,
  Picture,
}
