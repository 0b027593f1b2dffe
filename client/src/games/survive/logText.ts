// Survive's log in prose: who did what, and where by compass. Moves of one piece, a roll and its effect, and a sunk
// tile with what lay under it are one sentence each. The spaces' names stand behind the words for places.
import { optionalField } from '../../lib/scene.svelte'
import type { GameEvent, Scene } from './sceneTypes'
import { hasClientText, joinWords, wrapInPlaceMarkup, gameText, t } from '../../lib/i18n.svelte'
import { BY_NAME } from './boardGeometry'
import {
  bearingFromCentre,
  isExplorerPiece,
  nameOfSeat,
  placeText,
  seatOfPiece,
  surviveViewOf,
  termText,
} from './surviveText'

/** Later events describe a tile's effect; a whale may have another one. */
export function hasNoLogLine(event: GameEvent): boolean {
  if (event.kind === 'revealed') return event.back !== 'whale'
  return event.kind === 'ranked' || event.kind === 'turn' || (event.kind === 'passed' && event.phase === 'hand')
}

const MARKS: Record<string, string> = {
  landed: 'ui-isle',
  removed: 'skull',
  wrecked: 'ship',
  whirlpool: 'whirl',
  defended: 'back-defence',
  over: 'back-volcano',
}
export const timelineSymbol = (event: GameEvent): string => MARKS[event.kind] ?? ''

/** What may follow an event in one sentence with it. */
const FOLLOWS: Record<string, string[]> = {
  sunk: ['kept', 'revealed', 'arrived', 'ship_came', 'whirlpool'],
  revealed: ['arrived', 'ship_came', 'whirlpool'],
  rolled: ['creature_moved', 'ship_moved', 'passed'],
  tile_played: ['creature_moved', 'ship_moved', 'moved', 'defended'],
}

/** Whether the log tells an event in one sentence with the one before it. */
export function joinsPreviousSentence(before: GameEvent, event: GameEvent): boolean {
  if (before.kind === 'moved' && (event.kind === 'moved' || event.kind === 'landed'))
    return before.piece === event.piece && before.how !== 'dolphin_tile'
  if (before.kind === 'ship_moved' && event.kind === 'ship_moved')
    return before.id === event.id && before.how === 'sail' && event.how === 'sail'
  return FOLLOWS[before.kind]?.includes(event.kind) ?? false
}

/** Whose turn it was when something happened. */
function seatOnTurnAt(scene: Scene, event: GameEvent): number {
  for (let i = scene.events.lastIndexOf(event); i >= 0; i--) {
    const earlier = scene.events[i]!
    if (earlier.kind === 'turn') return earlier.seat
  }
  return -1
}

/** The seat that caused an event, otherwise the one affected. */
export function seatOfEvent(event: GameEvent, scene?: Scene): number | null {
  const seat = optionalField(event, 'seat')
  if (seat !== undefined) return seat
  const view = scene?.view
  if (!scene || !view) return null
  const piece = optionalField(event, 'piece')
  const found =
    piece && isExplorerPiece(piece)
      ? seatOfPiece(view, piece)
      : event.kind === 'ship_moved'
        ? seatOnTurnAt(scene, event)
        : -1
  return found < 0 ? null : found
}

/** Whether a seat is the reader's. */
const isReaderSeat = (scene: Scene, seat: number | null): boolean => scene.people[seat ?? -1]?.reader ?? false

/** The pieces that something happens to. */
function piecesStruck(event: GameEvent): string[] {
  if (event.kind === 'removed' || event.kind === 'taken_aboard') return [event.piece]
  if (event.kind === 'wrecked') return event.crew
  return event.kind === 'sunk' ? event.fell : []
}

/** Whether something happened to the reader's pieces that somebody else did. */
export function happenedToReader(scene: Scene, event: GameEvent): boolean {
  const view = surviveViewOf(scene)
  if (!view || !piecesStruck(event).some((piece) => isReaderSeat(scene, seatOfPiece(view, piece)))) return false
  return !isReaderSeat(scene, seatOnTurnAt(scene, event))
}

/** The part of the board: by an isle, in the lake, or a point of the compass. */
const regionOf = (place: string): string => BY_NAME.get(place)?.isle?.slice(1).toLowerCase() ?? bearingFromCentre(place)

/** Movements that end wherever there is room; the others end at something, and are described by where that is. */
const TRAVELS = ['walk', 'swim', 'with_dolphin', 'dolphin_tile', 'sail', 'wind', 'drift']

/** "in the north", or "to the north" if it travelled there from elsewhere. */
export function whereaboutsText(from: string | undefined, to: string, travels: boolean): string {
  const found = regionOf(to)
  if (!found) return ''
  const moved = from !== undefined && from !== to
  const words = BY_NAME.get(to)!.isle
    ? t(`survive.near.${found}`)
    : moved && travels && regionOf(from) !== found
      ? t(`survive.to.${found}`)
      : t(`survive.in.${found}`)
  return wrapInPlaceMarkup(words, moved ? [from, to] : [to])
}

/** "walks and jumps into the water": what one piece did, in order, each once. */
function pieceDeedsText(scene: Scene, events: GameEvent[], you: boolean): string {
  const said: string[] = []
  for (const event of events) {
    const isle = optionalField(event, 'isle')
    const args = isle ? { isle: wrapInPlaceMarkup(placeText(surviveViewOf(scene), isle), [isle]) } : {}
    const words = t(`survive.does.${event.kind === 'moved' ? event.how : 'land'}${you ? '.you' : ''}`, args)
    if (said.at(-1) !== words) said.push(words)
  }
  const last = said.pop()!
  return said.length ? t('survive.and', { a: joinWords(said), b: last }) : last
}

/** The key of the sentence for events that one sentence describes, without its second person. */
function sentenceKeyOf(scene: Scene, first: GameEvent, last: GameEvent): string {
  const { kind } = first
  if (last.kind !== kind && kind !== 'moved' && kind !== 'revealed') {
    const known = last.kind === 'kept' && last.back !== undefined
    return `${kind}.${last.kind}${known ? (scene.isInteractive ? '.known' : '.open') : ''}`
  }
  if (last.kind === 'moved') return last.how === 'dolphin_tile' ? 'moved.dolphin_tile' : 'moved'
  if (last.kind === 'ship_moved') return `ship_moved.${last.how}`
  if (last.kind === 'removed' && hasClientText(`survive.log.removed.${last.by}`)) return `removed.${last.by}`
  if (last.kind === 'placed' && last.value !== undefined) return scene.isInteractive ? 'placed.known' : 'placed.open'
  if (last.kind === 'kept' && last.back !== undefined) return scene.isInteractive ? 'kept.known' : 'kept.open'
  return last.kind
}

/** A log line, with the events before it that the same sentence describes; null uses the game's catalogue. */
export function logLine(scene: Scene, event: GameEvent, before: GameEvent[] = []): string | null {
  const view = surviveViewOf(scene)
  if (!view) return null
  const events = [...before, event]
  const first = events[0]!
  const seat = seatOfEvent(first, scene) ?? -1
  const crew = event.kind === 'wrecked' && event.crew.some((piece) => isReaderSeat(scene, seatOfPiece(view, piece)))
  const you = isReaderSeat(scene, seat) || crew
  const key = `survive.log.${sentenceKeyOf(scene, first, event)}`
  if (!hasClientText(key)) return null
  const steps = events.filter((one) => one.kind === 'moved' || one.kind === 'landed')
  const sunk = events.find((one) => one.kind === 'sunk')
  const place = sunk?.at ?? optionalField(event, 'to') ?? optionalField(event, 'at') ?? ''
  const from = events.map((one) => optionalField(one, 'from')).find((one) => one !== undefined)
  const travels = event.kind === 'creature_moved' || TRAVELS.includes(optionalField(event, 'how') ?? '')
  const where = whereaboutsText(sunk ? undefined : from, place, travels)
  const words: Record<string, unknown> = {
    name: seat >= 0 ? `**${nameOfSeat(scene, seat)}**` : '',
    land: t(`survive.a.${optionalField(sunk ?? event, 'terrain') ?? 'beach'}`),
    on: t(`survive.on.${view.tiles[place] ?? 'sea'}`),
    where,
    deeds: steps.length ? pieceDeedsText(scene, steps, you) : '',
    by: gameText(scene.game, `by.${optionalField(event, 'by')}`),
    value: optionalField(event, 'value'),
    n: (optionalField(event, 'path')?.length ?? 2) - 1,
    faces: first.kind === 'rolled' ? joinWords(first.faces.map(termText)) : '',
  }
  for (const field of ['back', 'tile'] as const) {
    const word = events.map((one) => optionalField(one, field)).find(Boolean)
    if (word) words[field] = termText(word)
  }
  const creature = optionalField(event, 'creature')
  if (creature) {
    words.creature = termText(creature)
    words.comes = t(`survive.comes.${creature}`)
    words.swims = t(`survive.swims.${creature}`, { where })
  }
  const sentence = t(you && hasClientText(`${key}.you`) ? `${key}.you` : key, words)
  return sunk ? withFallenSentences(scene, sunk, sentence) : sentence
}

/** A sunk tile's sentence, and one for each player whose explorers stood on it. */
function withFallenSentences(scene: Scene, sunk: GameEvent, sentence: string): string {
  const seats = piecesStruck(sunk).map((piece) => seatOfPiece(surviveViewOf(scene), piece))
  return [...new Set(seats)].reduce((before, seat) => {
    const words = { sentence: before, n: seats.filter((one) => one === seat).length }
    return isReaderSeat(scene, seat)
      ? t('survive.fell', words)
      : t('survive.fell.other', { ...words, name: `**${nameOfSeat(scene, seat)}**` })
  }, sentence)
}
