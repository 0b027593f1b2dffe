// Survive's texts about its view and choices. No rules here.
import { optionalField } from '../../lib/scene.svelte'
import type { Choice, GameEvent, Scene } from './sceneTypes'
import { gameText, joinWords, t } from '../../lib/i18n.svelte'
import { BY_NAME, LAKE } from './boardGeometry'
import { handTileOfChoice } from './selection.svelte'
import { colourOfPiece, displayColourByColour, seatOfPiece, type SurviveView } from './view'

export { colourOfPiece, seatOfPiece, type SurviveView }
export type Rank = NonNullable<SurviveView['ranking']>[number]

export const TERRAINS = ['beach', 'forest', 'mountain']

export const surviveViewOf = (scene: Scene): SurviveView => scene.view!

export const isExplorerPiece = (piece: string): boolean => /^[rygbow]\d+$/.test(piece)

/** A seat's explorers: the place of each. */
export function explorersOfSeat(view: SurviveView, seat: number): [string, string][] {
  const colours = view.seats[seat]?.colours ?? []
  return Object.entries(view.explorers).filter(([piece]) => colours.includes(colourOfPiece(piece)))
}

/** The colour to draw for one of the game's colours. */
export const displayColourOf = (scene: Scene, colour: string): string => displayColourByColour(scene)[colour] ?? colour

export const isSwimming = (view: SurviveView, piece: string): boolean => {
  const at = view.explorers[piece] ?? ''
  return at !== 'lost' && !at.startsWith('@') && !(at in view.tiles) && !(view.aboard[at] ?? []).includes(piece)
}
export const isAboard = (view: SurviveView, piece: string): boolean =>
  (view.aboard[view.explorers[piece] ?? ''] ?? []).includes(piece)

/** The rule id of each hand tile's effect: its sentence is in the catalogue. */
export const TILE_RULE: Record<string, string> = {
  dolphin: 'SV.H1',
  wind: 'SV.H2',
  move_serpent: 'SV.H3',
  move_shark: 'SV.H3',
  move_whale: 'SV.H3',
  shark_defence: 'SV.D1',
  whale_defence: 'SV.D2',
}

/** A player's name in a sentence; `shortNameOfSeat` where the colour stands beside it. */
export const nameOfSeat = (scene: Scene, seat: number): string => scene.names[seat] || t('survive.nobody')

export const shortNameOfSeat = (scene: Scene, seat: number): string =>
  scene.people[seat]?.short || nameOfSeat(scene, seat)

const capitaliseFirst = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
export const termText = (word: string): string => gameText('survive', `term.${word}`)
export const capitalisedTerm = (word: string): string => capitaliseFirst(termText(word))

/** A space's bearing from the island's centre: its name is for records, this is for people. */
export function bearingFromCentre(place: string): string {
  const space = BY_NAME.get(place)
  if (!space) return ''
  if (space === LAKE) return 'lake'
  const eighth = Math.round((Math.atan2(space.y, space.x) / Math.PI) * 4 + 8) % 8
  return ['e', 'se', 's', 'sw', 'w', 'nw', 'n', 'ne'][eighth]!
}

/** "forest, north-east": a place's kind and bearing. */
export function placeText(view: SurviveView, place: string): string {
  if (place.startsWith('@')) return t(`survive.isle.${place.slice(1).toLowerCase()}`)
  const where = bearingFromCentre(place)
  if (!where) return place
  if (where === 'lake') return t('survive.at.lake')
  return t('survive.place', { what: termText(view.tiles[place] ?? 'sea'), where: t(`survive.at.${where}`) })
}

/** An explorer in words: its owner and kind. */
export function pieceText(scene: Scene, piece: string): string {
  if (!isExplorerPiece(piece)) {
    const [kind, at] = piece.split(' ')
    return t('survive.piece.other', { what: termText(kind!), where: at ? placeText(surviveViewOf(scene), at) : '' })
  }
  const view = surviveViewOf(scene)
  const seat = seatOfPiece(view, piece)
  const what = isSwimming(view, piece) ? 'swimmer' : 'explorer'
  return seat === scene.seat
    ? t(`survive.piece.${what}.yours`)
    : t(`survive.piece.${what}`, { name: nameOfSeat(scene, seat) })
}

/** A choice as a sentence of the game's catalogue, with people instead of codes. */
export function choiceText(scene: Scene, choice: Choice): string {
  const view = surviveViewOf(scene)
  const args: Record<string, unknown> = { ...choice }
  for (const key of ['piece', 'ward']) {
    const piece = args[key]
    if (typeof piece === 'string' && isExplorerPiece(piece))
      args[key] = withValueNote(view, piece, pieceText(scene, piece))
  }
  if (typeof args.colour === 'string') args.colour = displayColourOf(scene, args.colour)
  for (const key of ['from', 'to', 'at']) {
    const place = args[key]
    if (typeof place === 'string' && place)
      args[key] = place.startsWith('@')
        ? placeText(view, place)
        : t('survive.spot', { name: place, where: t(`survive.at.${bearingFromCentre(place)}`) })
  }
  return withTerrainNote(view, choice, gameText('survive', `act.${choice.verb}`, args, scene.names))
}

/** With the terrain of the tile that a choice plays, where the hand has one of its kind and another terrain, too. */
export function withTerrainNote(view: SurviveView, choice: Choice, what: string): string {
  const tile = handTileOfChoice(choice)
  const terrain = optionalField(choice, 'terrain')
  const differs = terrain !== undefined && view.hand?.some((held) => held.tile === tile && held.terrain !== terrain)
  return differs ? t('list.aside', { what, note: termText(terrain) }) : what
}

const withValueNote = (view: SurviveView, piece: string, what: string): string =>
  view.values?.[piece] ? t('list.aside', { what, note: view.values[piece] }) : what

/** The spaces an event is about. */
export function placesOfEvent(event: GameEvent): string[] {
  const found = (['at', 'from', 'to', 'isle'] as const).map((key) => optionalField(event, key))
  return [...new Set(found.filter((place) => place !== undefined))]
}

/** A short text about the step: what is left to do, or whom it waits for. */
export function stepSummaryText(scene: Scene): string {
  const view = surviveViewOf(scene)
  const waits = t('shell.waits', { name: scene.names[view.actor]! })
  switch (view.phase) {
    case 'placing': {
      const left = Object.values(view.to_place ?? {}).reduce((sum, values) => sum + values.length, 0)
      if (scene.seat === null) return ''
      const placed = explorersOfSeat(view, scene.seat).length
      return t('survive.placing', { n: Math.min(placed + 1, placed + left), of: placed + left })
    }
    case 'ships':
      return t('survive.shipsleft', { n: view.seats[view.actor]?.ships_to_put ?? 0 })
    case 'removing': {
      const terrain = scene.choices.find((choice) => choice.verb === 'sink')?.terrain
      return typeof terrain === 'string' ? t('survive.sinkwhat', { what: t(`survive.a.${terrain}`) }) : ''
    }
    case 'creature':
      return scene.mine ? t('survive.orpass') : ''
    case 'hand':
      return scene.mine ? t('survive.ormove') : ''
    case 'mini':
      return scene.mine ? '' : waits
    case 'defending':
      return scene.mine ? t('survive.yourdefence') : waits
    default:
      return ''
  }
}

/** Own explorers whom an attack would take. */
export function threatenedExplorers(scene: Scene): string[] {
  const view = surviveViewOf(scene)
  const isTarget = view.attack?.creature === 'shark' ? isSwimming : isAboard
  return explorersOfSeat(view, scene.seat ?? -1)
    .filter(([piece, at]) => at === view.attack?.at && isTarget(view, piece))
    .map(([piece]) => piece)
}

/** What is at stake in an attack. */
export function stakeText(scene: Scene): string {
  const view = surviveViewOf(scene)
  const threatened = threatenedExplorers(scene)
  return t(view.values ? 'survive.defence.open' : 'survive.defence.hidden', {
    n: threatened.length,
    values: joinWords(threatened.map((piece) => view.values?.[piece] ?? '?')),
  })
}
