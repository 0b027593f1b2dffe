// Survive's events as actions: which belong together, whom they affect, and the picture of each.
import type { ActionPart } from '../../lib/eventActions'
import { joinNames, joinSentences, t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import { explorersInReach, shipBoardedAt } from './dangers'
import { seatOfEvent, whereaboutsText } from './logText'
import ActionArt from './ActionArt.svelte'
import type { GameEvent, GameTypes, Scene } from './sceneTypes'
import { seatsSteering } from './pieceLayout'
import { seatOfPiece, type Kind } from './view'
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

const BOARDS = new Set(['embark', 'hop', 'board'])

/** Who steers the ship that was boarded, and whether it is full. */
function boardedText(scene: Scene, piece: string, ship: { at: string; crew: string[]; full: boolean }): string {
  const steering = seatsSteering(scene.view!, ship.crew).map(({ seat }) => seat)
  const others = steering.filter((seat) => seat !== scene.seat)
  const who = joinNames(others.map((seat) => `**${nameOfSeat(scene, seat)}**`))
  const mine = steering.includes(scene.seat ?? -1)
  const shared = others.length ? 'survive.recap.steers.both' : 'survive.recap.steers.you'
  const steered = mine ? shared : 'survive.recap.steers'
  return joinSentences([
    t('survive.recap.boarded', {
      name: `**${nameOfSeat(scene, seatOfPiece(scene.view!, piece))}**`,
      where: whereaboutsText(undefined, ship.at, false),
    }),
    t(steered, { who, n: others.length }),
    ...(ship.full ? [t('survive.recap.full')] : []),
  ])
}

/** Whom a creature can reach from where it is now, and what the nearest of them is told. */
function dangersOf(
  scene: Scene,
  id: number,
  creature: Kind,
  end: string,
): Pick<ActionPart, 'touches' | 'sentence' | 'besides'> {
  const view = scene.view!
  const at = view.creatures?.find((one) => one[0] === id)?.[2] ?? end
  const dangers = explorersInReach(view, creature, at)
  return {
    touches: [...new Set(dangers.map(({ piece }) => seatOfPiece(view, piece)))],
    sentence: () => {
      const mine = dangers.find(({ piece }) => seatOfPiece(view, piece) === scene.seat)
      if (!mine) return ''
      return t(`survive.recap.near.${creature}`, {
        n: mine.spaces,
        where: whereaboutsText(undefined, view.explorers[mine.piece]!, false),
      })
    },
    besides: true,
  }
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
    case 'moved': {
      const ship = BOARDS.has(event.how) ? shipBoardedAt(scene, n) : null
      const shared = ship !== null && ship.crew.length > 1
      return {
        picture: MOVES[event.how] ?? 'walk',
        group: event.how === 'dolphin_tile' ? groupOfRollOrTile(scene, n) : event.piece,
        weight: shared ? 'notable' : 'plain',
        touches: seatsOfPieces(event.piece, ...(ship?.crew ?? [])),
        ...(shared && { sentence: () => boardedText(scene, event.piece, ship), besides: true }),
      }
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
      return { picture: '', weight: 'reveal' }
    case 'creature_removed':
      return event.by === 'defence'
        ? { picture: '' }
        : { picture: 'strike', group: `strike ${event.at}`, weight: 'strike' }
    case 'arrived': {
      const dangers = dangersOf(scene, event.id, event.creature, event.at)
      return { picture: 'sink', group: 'sink', weight: 'reveal', ...dangers }
    }
    case 'revealed':
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
      return {
        picture: 'creature',
        group: groupOfRollOrTile(scene, n),
        ...dangersOf(scene, event.id, event.creature, event.to),
      }
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
