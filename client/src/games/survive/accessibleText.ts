// The board for screen readers: what a space holds, and the effect of touching it.
import { part } from '../../lib/scene.svelte'
import type { Choice, Scene } from './scene'
import { joinWords, say, t } from '../../lib/i18n.svelte'
import type { Meaning } from './Menu.svelte'
import { BY_NAME } from './geometry'
import { tokenOf } from './targetMarks'
import { colourOf, type SurviveView } from './view'

const term = (word: string): string => say('survive', `term.${word}`)

/** The contents of spaces, computed once per view. */
export interface Holding {
  folk: Map<string, string[]>
  ships: Map<string, string[]>
  beasts: Map<string, string[]>
}
export function holding(view: SurviveView): Holding {
  const held: Holding = { folk: new Map(), ships: new Map(), beasts: new Map() }
  const put = (map: Map<string, string[]>, place: string, what: string): void =>
    void map.set(place, [...(map.get(place) ?? []), what])
  const aboard = new Set(Object.values(view.aboard).flat())
  for (const [piece, place] of Object.entries(view.explorers))
    if (place !== 'lost' && !aboard.has(piece)) put(held.folk, place, piece)
  for (const [, place] of view.ships) held.ships.set(place, view.aboard[place] ?? [])
  for (const [, kind, place] of view.creatures) put(held.beasts, place, kind)
  return held
}

/** A space's label for screen readers: "forest, E5, 2 explorers: red, white". */
export function spaceWords(view: SurviveView, held: Holding, place: string, paint: Record<string, string>): string {
  const colours = (pieces: string[]): string =>
    joinWords(pieces.map((piece) => term(paint[colourOf(piece)] ?? colourOf(piece))))
  const parts: string[] = []
  const folk = held.folk.get(place) ?? []
  if (place.startsWith('@')) parts.push(t(`survive.board.isle.${place.slice(1)}`))
  else {
    const space = BY_NAME.get(place)!
    const what = view.tiles[place] ?? 'sea'
    parts.push(term(what), place)
    if (space.isle) parts.push(t('survive.board.landing'))
  }
  if (folk.length) {
    const key = place.startsWith('@')
      ? 'survive.board.safe'
      : view.tiles[place]
        ? 'survive.board.explorers'
        : 'survive.board.swimmers'
    parts.push(t(key, { n: folk.length, who: colours(folk) }))
  }
  const crew = held.ships.get(place)
  if (crew) parts.push(crew.length ? t('survive.board.ship', { who: colours(crew) }) : t('survive.board.empty'))
  for (const beast of held.beasts.get(place) ?? []) parts.push(term(beast))
  return joinWords(parts)
}

/** A choice's effect in a few words, where its piece and its place are visible. */
export const deed = (choice: Choice): string => t(`survive.board.do.${choice.verb}`)

const BOX = '-17 -17 34 34'
const FIGURE = '-24 -44 48 56'
const BEAST = '-40 -44 80 72'

export function meaningOf(scene: Scene, choice: Choice, paint: Record<string, string>): Meaning {
  const token = tokenOf([choice])
  const piece = choice.verb === 'guard' ? choice.ward : (part(choice, 'piece') ?? '')
  const base = { id: `a${choice.action}`, label: deed(choice), choice, deadly: token === 'deadly' }
  if (choice.verb === 'swim_with_dolphin') return { ...base, symbol: 'dolphin', box: BEAST }
  if (token === 'pick' && !piece.includes(' '))
    return {
      ...base,
      ...figureOf(scene, piece, paint),
      label: `${deed(choice)} · ${figureOf(scene, piece, paint).label}`,
    }
  if (token === 'steps' || token === 'pick') return { ...base, symbol: piece.split(' ')[0]!, box: BEAST }
  return {
    ...base,
    symbol: choice.verb === 'land' ? 'ui-isle' : `target-${token}`,
    box: token === 'deadly' ? '-20 -20 40 40' : BOX,
  }
}

/** A piece that may be selected. */
export function figureOf(
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
  const hue = paint[colourOf(words)] ?? colourOf(words)
  const value = view.values?.[words]
  const what = t(
    aboard ? 'survive.board.take.aboard' : swims ? 'survive.board.take.swimmer' : 'survive.board.take.explorer',
    { colour: term(hue) },
  )
  return {
    label: value ? t('list.aside', { what, note: value }) : what,
    symbol: `${swims ? 'swimmer' : 'explorer'}-${hue}`,
    box: FIGURE,
  }
}
