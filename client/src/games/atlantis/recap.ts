// Atlantis's events as actions: a figure moves, pays, takes a tile; whom a new gap or bridge affects.
import type { ActionPart } from '../../lib/eventActions'
import { joinNames, gameText, t } from '../../lib/i18n.svelte'
import type { RecapUi } from '../gameUi'
import { placeText } from './atlantisText'
import ActionArt from './ActionArt.svelte'
import { POSITIONS } from './board.generated'
import type { GameEvent, GameTypes, Scene } from './sceneTypes'
import { gapAt, placeNumber } from './view'

const NEAR = 8 // positions ahead of a figure that concern its player

/** The seats with a figure for which something holds; given the number of its place. */
function seatsWithFigureWhere(scene: Scene, holds: (place: number) => boolean): number[] {
  return scene
    .view!.seats.filter((seat) => Object.values(seat.figures).some((place) => holds(placeNumber(place))))
    .map((seat) => seat.seat)
}

/** The seats with a figure shortly before a position. */
const seatsShortlyBefore = (scene: Scene, at: number): number[] =>
  seatsWithFigureWhere(scene, (place) => place < at && at - place <= NEAR)

/** The seats with a figure on the path right after the water around a position. */
function seatsRightAfterGap(scene: Scene, at: number): number[] {
  const next = (gapAt(scene.view!, at)?.to ?? at) + 1
  return next > POSITIONS ? [] : seatsWithFigureWhere(scene, (place) => place === next)
}

/** What a new gap means for a reader near it: it is ahead of a figure or right behind one, and may join another gap. */
function newGapText(scene: Scene, n: number, at: number): string {
  const later = scene.events.slice(n + 1).flatMap((event) => (event.kind === 'gap' ? [event.at] : []))
  const wider = [at - 1, at + 1].some((one) => gapAt(scene.view!, one) && !later.includes(one))
  const where = seatsShortlyBefore(scene, at).includes(scene.seat ?? -1) ? 'gap' : 'gap.behind'
  return t(`atlantis.recap.${where}${wider ? '.wider' : ''}`, { at })
}

function actionPartOf(scene: Scene, n: number): ActionPart | null {
  const event = scene.events[n]!
  switch (event.kind) {
    case 'moved':
    case 'hopped':
      return { picture: 'move', group: `move ${event.figure}` }
    case 'paid_card':
    case 'paid_tile':
      return { picture: 'pay', group: 'pay', weight: 'notable' }
    case 'took':
      return { picture: 'take', group: 'take', weight: 'notable' }
    case 'gap':
      return {
        picture: '',
        touches: gapAt(scene.view!, event.at)?.bridge // it is crossed free
          ? []
          : [...new Set([...seatsShortlyBefore(scene, event.at), ...seatsRightAfterGap(scene, event.at)])],
        sentence: () => newGapText(scene, n, event.at),
      }
    case 'bridge':
      return {
        picture: 'bridge',
        weight: 'notable',
        touches: seatsShortlyBefore(scene, event.at),
        sentence: () => t('atlantis.recap.bridge', { at: event.at }),
        besides: true,
      }
    case 'uncovered':
    case 'took_nothing':
    case 'shore':
    case 'bridge_lost':
      return { picture: '' }
    case 'bought':
      return { picture: 'buy', group: 'buy', weight: 'notable' }
    case 'shown':
      return { picture: 'show', weight: 'reveal' }
    default:
      return null
  }
}

type Paid = GameEvent & { kind: 'paid_card' | 'paid_tile' }
const isPaymentEvent = (event: GameEvent): event is Paid => event.kind === 'paid_card' || event.kind === 'paid_tile'

/** A payment in one sentence: its price, and every card and tile that it was paid with. */
function paymentText(scene: Scene, events: GameEvent[]): string | null {
  const paid = events.filter(isPaymentEvent)
  const last = paid.at(-1)
  if (!last) return null
  const list = paid.map((event) =>
    event.kind === 'paid_card'
      ? t('atlantis.recap.card', { what: gameText(scene.game, `term.${event.card}`) })
      : t('atlantis.recap.tile', { what: gameText(scene.game, `term.${event.tile}`), value: event.value }),
  )
  const counted = [...new Set(list)].map((one) => {
    const n = list.filter((other) => other === one).length
    return n > 1 ? `${one} ×${n}` : one
  })
  const key = last.paid < last.bill ? 'paying' : last.paid > last.bill ? 'overpaid' : 'paid'
  const name = `**${scene.names[last.seat]}**`
  return t(`atlantis.recap.${key}`, { name, list: joinNames(counted), paid: last.paid, bill: last.bill })
}

type Moved = GameEvent & { kind: 'moved' | 'hopped' }
const isMoveEvent = (event: GameEvent): event is Moved => event.kind === 'moved' || event.kind === 'hopped'

/** A move of several cards in one sentence: all of them, and the whole way. */
function moveText(scene: Scene, events: GameEvent[]): string | null {
  const moves = events.filter(isMoveEvent)
  const [first, last] = [moves[0], moves.at(-1)]
  if (!first || !last || first === last) return null
  const { seat, figure } = last
  const list = joinNames(moves.map((event) => gameText(scene.game, `term.${event.card}`)))
  return t(scene.people[seat]?.reader ? 'atlantis.recap.moved.you' : 'atlantis.recap.moved', {
    name: `**${scene.names[seat]}**`,
    list,
    figure,
    from: placeText(scene, first.from),
    to: placeText(scene, last.to),
  })
}

const joinsPreviousSentence = (before: GameEvent, event: GameEvent): boolean =>
  (isPaymentEvent(before) && isPaymentEvent(event)) ||
  (before.kind === 'hopped' && isMoveEvent(event) && before.figure === event.figure)

export const recap: RecapUi<GameTypes> = {
  part: actionPartOf,
  turn: (event) => (event.kind === 'turn' ? event.seat : null),
  whose: (view) => view.turn,
  joins: joinsPreviousSentence,
  line: (scene, events) => moveText(scene, events) ?? paymentText(scene, events),
  ActionArt,
}
