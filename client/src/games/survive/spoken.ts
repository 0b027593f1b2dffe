// What Survive says to those who hear it: what they chose, and how they stand.
import type { Spoken } from '../gameUi'
import { joinSentences, joinWords, t } from '../../lib/i18n.svelte'
import { menuItemOfPiece } from './accessibleText'
import { explorersInReach } from './dangers'
import type { GameTypes, Scene } from './sceneTypes'
import { selectionOf } from './selection.svelte'
import {
  bearingFromCentre,
  displayColourOf,
  explorersOfSeat,
  nameOfSeat,
  placeText,
  stakeText,
  stepSummaryText,
  surviveViewOf,
  termText,
  threatenedExplorers,
} from './surviveText'
import { LETTERS } from './view'

/** "F8 (north-west)"; isles by name. */
function spotText(scene: Scene, place: string): string {
  const where = bearingFromCentre(place)
  if (place.startsWith('@') || !where) return placeText(surviveViewOf(scene), place)
  return t('survive.spot', { name: place, where: t(`survive.at.${where}`) })
}

const paintOf = (scene: Scene): Record<string, string> =>
  Object.fromEntries(Object.values(LETTERS).map((colour) => [colour, displayColourOf(scene, colour)]))

function chosenPieceText(scene: Scene, key: string): string {
  const view = surviveViewOf(scene)
  const ship = view.ships.find(([id]) => `s${id}` === key)
  const creature = view.creatures.find(([id]) => `c${id}` === key)
  const [words, place] = ship
    ? [`ship ${ship[1]}`, ship[1]]
    : creature
      ? [`${creature[1]} ${creature[2]}`, creature[2]]
      : [key, view.explorers[key] ?? '']
  const what = joinWords([menuItemOfPiece(scene, words, paintOf(scene)).label, spotText(scene, place)])
  return t('survive.said.piece', { what, n: selectionOf(scene).targets.size })
}

function selectionText(scene: Scene): string {
  const pick = selectionOf(scene)
  if (pick.chosen) return chosenPieceText(scene, pick.chosen)
  if (pick.tile) return t('survive.hand.chosen', { tile: termText(pick.tile.tile) })
  return pick.taken && pick.held ? t('survive.said.place', { n: pick.held.value }) : ''
}

/** An own explorer: what it is, where, and the creatures that the next die may bring to it. */
function explorerText(scene: Scene, piece: string, place: string): string {
  const view = surviveViewOf(scene)
  const near = view.creatures
    .filter(([, kind, at]) => explorersInReach(view, kind, at).some((one) => one.piece === piece))
    .map(([, kind, at]) => `${termText(kind)} ${at}`)
  const what = menuItemOfPiece(scene, piece, paintOf(scene)).label
  return joinWords([
    what,
    spotText(scene, place),
    ...(near.length ? [t('survive.said.reach', { who: joinWords(near) })] : []),
  ])
}

function positionText(scene: Scene): string[] {
  const view = surviveViewOf(scene)
  if (scene.seat === null) return []
  const own = explorersOfSeat(view, scene.seat)
  const isSafe = (place: string): boolean => place.startsWith('@')
  const people = own.filter(([, place]) => place !== 'lost' && !isSafe(place))
  const lost = own.filter(([, place]) => place === 'lost').length
  const hand = (view.hand ?? []).map((tile) => termText(tile.tile))
  return [
    joinSentences(people.map(([piece, place]) => explorerText(scene, piece, place))),
    t('survive.said.safe', { n: own.filter(([, place]) => isSafe(place)).length }),
    ...(lost ? [t('survive.said.lost', { n: lost })] : []),
    ...(hand.length ? [t('survive.said.hand', { list: joinWords(hand) })] : []),
  ]
}

/** Said with the question: the points left; the attack, where it is and what it may cost. */
function questionDetail(scene: Scene): string {
  const view = surviveViewOf(scene)
  if (!scene.mine) return ''
  if (view.phase === 'moving') return t('survive.points', { n: view.points, of: Math.max(3, view.points) })
  if (view.phase !== 'defending' || !view.attack) return stepSummaryText(scene)
  const what = view.attack.creature === 'shark' ? 'shark' : 'whale'
  const attack = t(`survive.defence.${what}`, {
    name: nameOfSeat(scene, view.turn),
    n: threatenedExplorers(scene).length,
  })
  const stake = t('list.pair', { what: t('survive.defence.stake'), value: stakeText(scene) })
  return joinSentences([joinWords([attack, view.attack.at]), stake])
}

const keys: Spoken['keys'] = [
  ['Q W A S Z X', 'survive.key.six'],
  ['Shift Enter', 'survive.key.second'],
  ['+ − 0', 'survive.key.zoom'],
]

export const spoken: Spoken<GameTypes> = { selectionText, positionText, questionDetail, keys }
