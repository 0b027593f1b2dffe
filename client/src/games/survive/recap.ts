// Survive's events as actions: which belong together, whom they affect, and the picture of each.
import type { ActionPart } from '../../lib/eventActions'
import { t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import { seatOfEvent, whereaboutsText } from './logText'
import ActionArt from './ActionArt.svelte'
import type { GameEvent, GameTypes, Scene } from './sceneTypes'
import { seatOfPiece } from './view'
import { nameOfSeat } from './surviveText'

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

/** The group of what a roll or a tile from the hand moves, and of that roll or tile: they are one action. */
function groupOfRollOrTile(scene: Scene, n: number): string {
  while (n > 0 && !['rolled', 'tile_played'].includes(scene.events[n]!.kind)) n--
  return `by ${n}`
}

function actionPartOf(scene: Scene, n: number): ActionPart | null {
  const event = scene.events[n]!
  const seatsOfPieces = (...pieces: string[]): number[] => [
    ...new Set(pieces.map((piece) => seatOfPiece(scene.view!, piece))),
  ]
  switch (event.kind) {
    case 'moved':
      return {
        picture: MOVES[event.how] ?? 'walk',
        group: event.how === 'dolphin_tile' ? groupOfRollOrTile(scene, n) : event.piece,
        touches: seatsOfPieces(event.piece),
      }
    case 'landed':
      return { picture: 'land', group: event.piece, weight: 'notable' }
    case 'ship_moved':
      return {
        picture: 'sail',
        group: event.how === 'wind' || event.how === 'drift' ? groupOfRollOrTile(scene, n) : `ship ${event.id}`,
        touches: seatsOfPieces(...event.crew),
        sentence: () =>
          t('survive.recap.sailed', {
            name: `**${nameOfSeat(scene, seatOfEvent(event, scene) ?? -1)}**`,
            where: whereaboutsText(event.from, event.to, true),
          }),
        besides: event.how === 'wind', // the log's sentence names the tile
      }
    case 'sunk':
      return {
        picture: 'sink',
        group: 'sink',
        weight: 'notable',
        touches: seatsOfPieces(...event.fell),
      }
    case 'kept':
      return { picture: '' }
    case 'creature_removed':
      return event.by === 'defence'
        ? { picture: '' }
        : { picture: 'strike', group: `strike ${event.at}`, weight: 'strike' }
    case 'revealed':
    case 'arrived':
    case 'ship_came':
    case 'whirlpool':
      return { picture: 'sink', group: 'sink', weight: 'reveal' }
    case 'taken_aboard':
      return { picture: 'saved', group: `aboard ${event.at}`, weight: 'notable', touches: seatsOfPieces(event.piece) }
    case 'guarded':
      return {
        picture: 'guarded',
        group: `guarded ${event.at}`,
        weight: 'notable',
        touches: seatsOfPieces(event.piece),
      }
    case 'rolled':
      return { picture: 'dice', group: groupOfRollOrTile(scene, n) }
    case 'passed': // nothing moves
      return event.phase === 'creature' ? { picture: '' } : null
    case 'creature_moved':
      return { picture: 'creature', group: groupOfRollOrTile(scene, n) }
    case 'wrecked':
      return {
        picture: 'wreck',
        group: `strike ${event.at}`,
        weight: 'strike',
        touches: seatsOfPieces(...event.crew),
        sentence: () => t('survive.recap.wrecked', { where: whereaboutsText(undefined, event.at, false) }),
      }
    case 'swallowed':
      return { picture: 'wreck', group: `strike ${event.at}`, weight: 'strike' }
    case 'removed':
      return { picture: 'strike', group: `strike ${event.at}`, weight: 'strike', touches: seatsOfPieces(event.piece) }
    case 'defended':
      return { picture: 'defended', group: 'defence', weight: 'reveal', doer: event.seat }
    case 'tile_played':
      return event.tile.endsWith('_defence')
        ? { picture: 'defended', group: 'defence', weight: 'reveal', doer: event.seat }
        : { picture: 'tile', group: groupOfRollOrTile(scene, n), weight: 'reveal' }
    default:
      return null
  }
}

const SPACE = /^[A-M]\d+$/ // isles have no such name

/** The spaces where a move began and ended, as the board's edge names them. */
function routeText(events: GameEvent[]): string {
  const moves = events.filter(
    (event) => event.kind === 'moved' || event.kind === 'ship_moved' || event.kind === 'creature_moved',
  )
  const ends = [moves[0]?.from ?? '', moves.at(-1)?.to ?? '']
  return ends.every((place) => SPACE.test(place)) ? ends.join('→') : ''
}

export const recap: RecapUi<GameTypes> = {
  part: actionPartOf,
  routeText,
  turn: (event) => (event.kind === 'turn' ? event.seat : null),
  whose: (view) => view.turn,
  ActionArt,
}
