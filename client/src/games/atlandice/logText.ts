// The log's lines that tell of several events: the deal, a round with its dice, a visit with its pieces and effects.
import { part } from '../../lib/scene.svelte'
import { say, t } from '../../lib/i18n.svelte'
import { isReader, listed } from '../../table/endingText'
import type { GameEvent, Scene } from './scene'
import { RESOURCES, SECTORS } from './view'

const VISIT = ['take', 'take_neutral', 'roll', 'second_visit', 'move', 'swap', 'die_moved', 'submarine', 'clock_inn']
const word = (kind: string, value: string): string => say('atlandice', `${kind}.${value}`)

/** Whether a tile is one of those that are turned up before the first round. */
const isDealt = (n: number, events: GameEvent[]): boolean =>
  n < 5 && events.slice(0, n + 1).every((event) => event.kind === 'reveal')

/** Whether an event is told by the line of an earlier one. */
export function joins(event: GameEvent, n: number, events: GameEvent[]): boolean {
  return VISIT.includes(event.kind) || (event.kind === 'reveal' && n > 0 && isDealt(n, events))
}

/** The line of an event with those that joined it. */
export function whole(scene: Scene, n: number, seen: number): string | null {
  const event = scene.events[n]!
  if (event.kind === 'reveal') return isDealt(n, scene.events) ? t('atlandice.log.deal') : null
  if (event.kind === 'round') return roundText(scene, n)
  if (event.kind !== 'die' && event.kind !== 'die_neutral') return null
  const taken = new Map<string, number>()
  const effects: string[] = []
  for (const next of scene.events.slice(n + 1, seen)) {
    if (['die', 'die_neutral', 'round', 'clock'].includes(next.kind)) break
    if (next.kind === 'take' || next.kind === 'take_neutral')
      taken.set(next.resource, (taken.get(next.resource) ?? 0) + 1)
    else if (VISIT.includes(next.kind)) effects.push(effectText(next))
  }
  if (!taken.size && !effects.length) return null
  const list = RESOURCES.flatMap((resource) => {
    const count = taken.get(resource) ?? 0
    const pairs = Array.from({ length: Math.floor(count / 2) }, () => t(`atlandice.two.${resource}`))
    return count % 2 ? [...pairs, word('one', resource)] : pairs
  })
  const you = isReader(scene.people, event.seat) ? '.you' : ''
  const key = `atlandice.log.${event.kind}${list.length ? '' : '.only'}${you}`
  const main = t(key, {
    name: `**${scene.names[event.seat]}**`,
    face: SECTORS.indexOf(event.sector) + 1,
    from: word('from', event.sector),
    list: listed(list),
  })
  return t('atlandice.log.full', { text: effects.reduce((a, b) => t('atlandice.log.more', { a, b }), main) })
}

function effectText(event: GameEvent): string {
  const [resource, sector] = [part(event, 'resource'), part(event, 'sector')]
  const named = (kind: string, value: unknown): string => (typeof value === 'string' ? word(kind, value) : '')
  return t(`atlandice.log.${event.kind}`, {
    face: part(event, 'face'),
    what: named('one', resource),
    other: named('one', part(event, 'other')),
    home: word('from', 'jeweller'),
    at: word('term', 'jeweller'),
    place: named('term', sector),
    from: named('from', part(event, 'from') ?? sector),
    to: event.kind === 'clock_inn' ? event.to : named('to', part(event, 'to') ?? sector),
  })
}

/** Who begins a round, and its dice. */
function roundText(scene: Scene, n: number): string {
  const event = scene.events[n]!
  if (event.kind !== 'round') return ''
  const thrown = new Map<string, number>()
  for (const gate of scene.events.slice(n + 1)) {
    if (gate.kind !== 'gate') break
    thrown.set(gate.sector, (thrown.get(gate.sector) ?? 0) + 1)
  }
  const begun = isReader(scene.people, event.seat)
    ? t('atlandice.log.round.you', { round: event.round })
    : t('atlandice.log.round', { round: event.round, name: `**${scene.names[event.seat]}**` })
  const list = SECTORS.filter((sector) => thrown.has(sector)).map(
    (sector) => `${word('term', sector)} **${thrown.get(sector)}**`,
  )
  return list.length ? `${begun} ${t('atlandice.thrown', { list: list.join(', ') })}` : begun
}
