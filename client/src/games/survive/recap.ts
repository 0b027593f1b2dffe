// Survive's events as actions: which belong together, whom they affect, and the picture of each.
import type { ActionPart } from '../../lib/actions'
import { t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import { about, whereabouts } from './logText'
import Picture from './Picture.svelte'
import type { GameEvent, GameTypes, Scene } from './scene'
import { seatOf } from './view'
import { nameOf } from './words'

const MOVES: Record<string, string> = {
  walk: 'walk',
  enter: 'swim',
  swim: 'swim',
  dive: 'swim',
  with_dolphin: 'dolphin',
  dolphin_tile: 'dolphin',
  embark: 'board',
  hop: 'board',
  board: 'board',
}

function partOf(scene: Scene, event: GameEvent): ActionPart | null {
  const owners = (...pieces: string[]): number[] => [...new Set(pieces.map((piece) => seatOf(scene.view!, piece)))]
  switch (event.kind) {
    case 'moved':
      return {
        picture: MOVES[event.how] ?? 'walk',
        group: event.how === 'dolphin_tile' ? 'tile' : event.piece,
        touches: owners(event.piece),
      }
    case 'landed':
      return { picture: 'land', group: event.piece }
    case 'ship_moved':
      return {
        picture: 'sail',
        group: event.how === 'wind' ? 'tile' : `ship ${event.id}`,
        touches: owners(...event.crew),
        sentence: () =>
          t('survive.recap.sailed', {
            name: `**${nameOf(scene, about(event, scene) ?? -1)}**`,
            where: whereabouts(event.from, event.to, true),
          }),
      }
    case 'sunk':
      return {
        picture: 'sink',
        group: 'sink',
        touches: owners(...event.fell),
        sentence: () => t('survive.recap.fell', { where: whereabouts(undefined, event.at, false) }),
      }
    case 'revealed':
    case 'arrived':
    case 'ship_came':
    case 'whirlpool':
      return { picture: 'sink', group: 'sink', weight: 'reveal' }
    case 'taken_aboard':
      return { picture: 'saved', group: `aboard ${event.at}`, touches: owners(event.piece) }
    case 'guarded':
      return { picture: 'guarded', group: `guarded ${event.at}`, touches: owners(event.piece) }
    case 'rolled':
      return { picture: 'dice', group: 'creature' }
    case 'creature_moved':
      return { picture: 'creature', group: 'creature' }
    case 'wrecked':
      return {
        picture: 'wreck',
        group: `strike ${event.at}`,
        weight: 'strike',
        touches: owners(...event.crew),
        sentence: () => t('survive.recap.wrecked', { where: whereabouts(undefined, event.at, false) }),
      }
    case 'swallowed':
      return { picture: 'wreck', group: `strike ${event.at}`, weight: 'strike' }
    case 'removed':
      return { picture: 'strike', group: `strike ${event.at}`, weight: 'strike', touches: owners(event.piece) }
    case 'defended':
      return { picture: 'defended', weight: 'reveal' }
    case 'tile_played':
      return { picture: 'tile', group: 'tile', weight: 'reveal' }
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
