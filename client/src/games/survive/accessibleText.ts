// The board for screen readers: what a space holds, and the effect of touching it.
import { optionalField } from '../../lib/scene.svelte'
import type { Choice, Scene } from './sceneTypes'
import { joinWords, gameText, t } from '../../lib/i18n.svelte'
import type { Meaning } from './ChoiceMenu.svelte'
import { BY_NAME } from './boardGeometry'
import { withTerrainNote } from './surviveText'
import { targetToken } from './targetMarks'
import { colourOfPiece, type SurviveView } from './view'

const termText = (word: string): string => gameText('survive', `term.${word}`)

/** The contents of spaces, computed once per view. */
export interface Contents {
  folk: Map<string, string[]>
  ships: Map<string, string[]>
  beasts: Map<string, string[]>
}
export function contentsByPlace(view: SurviveView): Contents {
  const held: Contents = { folk: new Map(), ships: new Map(), beasts: new Map() }
  const addToPlace = (map: Map<string, string[]>, place: string, what: string): void =>
    void map.set(place, [...(map.get(place) ?? []), what])
  const aboard = new Set(Object.values(view.aboard).flat())
  for (const [piece, place] of Object.entries(view.explorers))
    if (place !== 'lost' && !aboard.has(piece)) addToPlace(held.folk, place, piece)
  for (const [, place] of view.ships) held.ships.set(place, view.aboard[place] ?? [])
  for (const [, kind, place] of view.creatures) addToPlace(held.beasts, place, kind)
  return held
}

/** A space's label for screen readers: "forest, E5, 2 explorers: red, white". */
export function spaceLabel(view: SurviveView, held: Contents, place: string, paint: Record<string, string>): string {
  const colourNames = (pieces: string[]): string =>
    joinWords(pieces.map((piece) => termText(paint[colourOfPiece(piece)] ?? colourOfPiece(piece))))
  const parts: string[] = []
  const folk = held.folk.get(place) ?? []
  if (place.startsWith('@')) parts.push(t(`survive.board.isle.${place.slice(1)}`))
  else {
    const space = BY_NAME.get(place)!
    const what = view.tiles[place] ?? 'sea'
    parts.push(termText(what), place)
    if (space.isle) parts.push(t(`survive.near.${space.isle.slice(1).toLowerCase()}`))
  }
  if (folk.length) {
    const key = place.startsWith('@')
      ? 'survive.board.safe'
      : view.tiles[place]
        ? 'survive.board.explorers'
        : 'survive.board.swimmers'
    parts.push(t(key, { n: folk.length, who: colourNames(folk) }))
  }
  const crew = held.ships.get(place)
  if (crew) parts.push(crew.length ? t('survive.board.ship', { who: colourNames(crew) }) : t('survive.board.empty'))
  for (const beast of held.beasts.get(place) ?? []) parts.push(termText(beast))
  return joinWords(parts)
}

/** A choice's effect in a few words, where its piece and its place are visible. */
export const choiceEffectText = (choice: Choice): string => t(`survive.board.do.${choice.verb}`)

const BOX = '-17 -17 34 34'
const FIGURE = '-24 -44 48 56'
const BEAST = '-40 -44 80 72'

export function menuItemOfChoice(scene: Scene, choice: Choice, paint: Record<string, string>): Meaning {
  const token = targetToken([choice])
  const piece = choice.verb === 'guard' ? choice.ward : (optionalField(choice, 'piece') ?? '')
  const label = withTerrainNote(scene.view as SurviveView, choice, choiceEffectText(choice))
  const base = { id: `a${choice.action}`, label, choice, deadly: token === 'deadly' }
  if (choice.verb === 'swim_with_dolphin') return { ...base, symbol: 'dolphin', box: BEAST }
  if (token === 'pick' && !piece.includes(' '))
    return {
      ...base,
      ...menuItemOfPiece(scene, piece, paint),
      label: `${choiceEffectText(choice)} · ${menuItemOfPiece(scene, piece, paint).label}`,
    }
  if (token === 'steps' || token === 'pick') return { ...base, symbol: piece.split(' ')[0]!, box: BEAST }
  return {
    ...base,
    symbol: choice.verb === 'land' ? 'ui-isle' : `target-${token}`,
    box: token === 'deadly' ? '-20 -20 40 40' : BOX,
  }
}

/** A piece that may be selected. */
export function menuItemOfPiece(
  scene: Scene,
  words: string,
  paint: Record<string, string>,
): { label: string; symbol: string; box: string } {
  const [kind, at] = words.split(' ')
  if (at) return { label: t(`survive.board.take.${kind}`), symbol: kind!, box: BEAST }
  const view = scene.view as SurviveView
  const place = view.explorers[words] ?? ''
  const aboard = (view.aboard[place] ?? []).includes(words)
  const swims = !aboard && !view.tiles[place]
  const hue = paint[colourOfPiece(words)] ?? colourOfPiece(words)
  const value = view.values?.[words]
  const what = t(
    aboard ? 'survive.board.take.aboard' : swims ? 'survive.board.take.swimmer' : 'survive.board.take.explorer',
    { colour: termText(hue) },
  )
  return {
    label: value ? t('list.aside', { what, note: value }) : what,
    symbol: `${swims ? 'swimmer' : 'explorer'}-${hue}`,
    box: FIGURE,
  }
}
