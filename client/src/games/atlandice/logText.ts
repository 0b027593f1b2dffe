// The log's lines that describe several events: the deal, a round with its dice, a visit with its pieces and effects.
import { optionalField } from '../../lib/scene.svelte'
import { joinNames, joinSentences, joinWords, gameText, t } from '../../lib/i18n.svelte'
import type { GameEvent, Scene } from './sceneTypes'
import { RESOURCES, SECTORS } from './view'
import { pieceWordsByTwos } from './cityText'

const VISIT = ['take', 'take_neutral', 'roll', 'second_visit', 'move', 'swap', 'die_moved', 'submarine', 'clock_inn']
const catalogueWord = (kind: string, value: string): string => gameText('atlandice', `${kind}.${value}`)
const isDieEvent = (event: GameEvent): boolean => event.kind === 'die' || event.kind === 'die_neutral'

/** Whether the log tells an event in one sentence with the one before it. */
export function joinsPreviousSentence(before: GameEvent, event: GameEvent): boolean {
  if (event.kind === 'reveal') return before.kind === 'reveal'
  return VISIT.includes(event.kind) && (isDieEvent(before) || VISIT.includes(before.kind))
}

/** The line of an event and those before it that it tells, too; null: the catalogue's. */
export function logLine(scene: Scene, event: GameEvent, before: GameEvent[] = []): string | null {
  if (event.kind === 'round') return roundText(scene, event)
  if (!before.length) return null
  const events = [...before, event]
  if (event.kind === 'reveal') return t('atlandice.visit.deal')
  // What follows a scoring starts a new sentence.
  if (!isDieEvent(events[0]!))
    return joinSentences(events.map((one) => gameText('atlandice', `event.${one.kind}`, one, scene.names)))
  return visitText(scene, events)
}

/** A die, the pieces that it gave, and its effects. */
function visitText(scene: Scene, [die, ...events]: GameEvent[]): string | null {
  if (die?.kind !== 'die' && die?.kind !== 'die_neutral') return null
  const taken = new Map<string, number>()
  const effects: string[] = []
  for (const event of events)
    if (event.kind === 'take' || event.kind === 'take_neutral')
      taken.set(event.resource, (taken.get(event.resource) ?? 0) + 1)
    else effects.push(effectText(event))
  const list = RESOURCES.flatMap((resource) => pieceWordsByTwos(resource, taken.get(resource) ?? 0))
  const you = scene.people[die.seat]?.reader ? '.you' : ''
  const main = t(`atlandice.visit.${die.kind}${list.length ? '' : '.only'}${you}`, {
    name: `**${scene.names[die.seat]}**`,
    face: SECTORS.indexOf(die.sector) + 1,
    from: catalogueWord('from', die.sector),
    list: joinNames(list),
  })
  return t('atlandice.visit.full', { text: effects.reduce((a, b) => t('atlandice.visit.more', { a, b }), main) })
}

function effectText(event: GameEvent): string {
  const [resource, sector] = [optionalField(event, 'resource'), optionalField(event, 'sector')]
  const namedWord = (kind: string, value: unknown): string =>
    typeof value === 'string' ? catalogueWord(kind, value) : ''
  return t(`atlandice.visit.${event.kind}`, {
    face: optionalField(event, 'face'),
    what: namedWord('one', resource),
    other: namedWord('one', optionalField(event, 'other')),
    at: catalogueWord('term', 'jeweller'),
    place: namedWord('term', sector),
    from: namedWord('from', optionalField(event, 'from') ?? sector),
    to: event.kind === 'clock_inn' ? event.to : namedWord('to', optionalField(event, 'to') ?? sector),
  })
}

/** Who begins a round, and its dice. */
function roundText(scene: Scene, event: GameEvent & { kind: 'round' }): string {
  const thrown = new Map<string, number>()
  for (const gate of scene.events.slice(scene.events.lastIndexOf(event) + 1)) {
    if (gate.kind !== 'gate') break
    thrown.set(gate.sector, (thrown.get(gate.sector) ?? 0) + 1)
  }
  const begun = scene.people[event.seat]?.reader
    ? t('atlandice.visit.round.you', { round: event.round })
    : t('atlandice.visit.round', { round: event.round, name: `**${scene.names[event.seat]}**` })
  const dice = SECTORS.filter((sector) => thrown.has(sector)).map(
    (sector) => `${catalogueWord('term', sector)} **${thrown.get(sector)}**`,
  )
  return dice.length ? joinSentences([begun, t('atlandice.thrown', { list: joinWords(dice) })]) : begun
}
