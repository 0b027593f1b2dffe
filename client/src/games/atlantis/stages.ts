// How Atlantis's events become moments: a figure hops, a tile is taken and sinks, a bridge is laid, cards fly.
import type { GameEvent, Stage, View } from '../../lib/scene.svelte'
import { nth, type AtlantisView, type Kind, type Seat, type Spot, type Tile } from './view'

const HOP = 560
const TAKE = 460
const SINK = 420
const TURN = 380
const FLY = 340
const LAY = 620
const DRAW = 260
const SHOW = 1500

function withSpot(view: AtlantisView, at: number, change: Partial<Spot>): AtlantisView {
  const path = [...view.path]
  path[at - 1] = { ...path[at - 1]!, ...change }
  return { ...view, path }
}

function withSeat(view: AtlantisView, seat: number, change: (seat: Seat) => Partial<Seat>): AtlantisView {
  const seats = [...view.seats]
  seats[seat] = { ...seats[seat]!, ...change(seats[seat]!) }
  return { ...view, seats }
}

/** A hand with a card more or fewer, if it can be seen. */
function cards(seat: Seat, card: string, more: number): Partial<Seat> {
  const kind = card as Kind
  const hand =
    seat.hand && card !== 'hidden' ? { ...seat.hand, [kind]: Math.max(0, (seat.hand[kind] ?? 0) + more) } : seat.hand
  return { cards: seat.cards + more, hand }
}

function without(tiles: Tile[], kind: string, value: number): Tile[] {
  const at = tiles.findIndex((tile) => tile.kind === kind && tile.value === value)
  return at < 0 ? tiles : tiles.filter((_, i) => i !== at)
}

function hop(view: AtlantisView, event: GameEvent): AtlantisView {
  const seat = Number(event.seat)
  const figure = String(event.figure)
  const [from, to] = [String(event.from), String(event.to)]
  let next = withSeat(view, seat, (one) => ({
    ...cards(one, String(event.card), -1),
    figures: { ...one.figures, [figure]: to },
  }))
  const left = view.path[nth(from) - 1]
  if (left?.figure?.seat === seat && left.figure.figure === figure) next = withSpot(next, left.at, { figure: null })
  if (event.kind === 'moved' && to !== 'mainland') next = withSpot(next, nth(to), { figure: { seat, figure } })
  return next
}

export function stages(drawn: View, event: GameEvent): Stage[] {
  const view = drawn as AtlantisView
  const seat = Number(event.seat)
  const at = Number(event.at)
  const tile = { kind: event.tile as Kind, value: Number(event.value) }
  switch (event.kind) {
    case 'hopped':
    case 'moved':
      return [{ view: hop(view, event), effect: { ...event, kind: 'hop', over: event.kind === 'hopped' }, ms: HOP }]
    case 'took':
      return [
        {
          view: withSeat(withSpot(view, at, { tile: null }), seat, (one) => ({
            tiles: [...one.tiles, tile],
            worth: one.worth + tile.value,
          })),
          effect: { kind: 'take', seat, at, tile },
          ms: TAKE,
        },
      ]
    case 'uncovered':
      return [{ view: withSpot(view, at, { tile, below: 0 }), effect: { kind: 'uncover', at }, ms: TURN }]
    case 'gap':
      return [{ view: withSpot(view, at, { water: true }), effect: { kind: 'sink', at }, ms: SINK }]
    case 'shore':
      return [{ effect: { kind: 'sink', at }, ms: SINK }]
    case 'bridge':
      return [
        {
          view: {
            ...withSeat(withSpot(view, at, { bridge: true }), seat, () => ({ bridge: false })),
            gaps: view.gaps.map((gap) => (gap.at === at ? { ...gap, bridge: true, price: 0 } : gap)),
          },
          effect: { kind: 'bridge', at },
          ms: LAY,
        },
      ]
    case 'bridge_lost':
      return [{ view: withSpot(view, at, { bridge: false }), effect: { kind: 'sink', at }, ms: SINK }]
    case 'paid_card':
      return [
        {
          view: {
            ...withSeat(view, seat, (one) => cards(one, String(event.card), -1)),
            move: view.move && { ...view.move, paid: Number(event.paid) },
          },
          effect: { kind: 'pay', seat, card: event.card },
          ms: FLY,
        },
      ]
    case 'paid_tile':
      return [
        {
          view: {
            ...withSeat(view, seat, (one) => ({
              tiles: without(one.tiles, tile.kind, tile.value),
              worth: one.worth - tile.value,
            })),
            move: view.move && { ...view.move, paid: Number(event.paid) },
          },
          effect: { kind: 'pay', seat, tile },
          ms: FLY,
        },
      ]
    case 'bought':
      return [
        {
          view: withSeat(view, seat, (one) => ({
            tiles: without(one.tiles, tile.kind, tile.value),
            worth: one.worth - tile.value,
          })),
          effect: { kind: 'buy', seat, tile },
          ms: FLY,
        },
      ]
    case 'drew':
      return [
        {
          view: {
            ...withSeat(view, seat, (one) => cards(one, String(event.card), 1)),
            deck: Math.max(0, view.deck - 1),
          },
          effect: { kind: 'draw', seat, card: event.card },
          ms: DRAW,
        },
      ]
    case 'shuffled':
      return [{ view: { ...view, deck: Number(event.cards), discard: {} }, effect: { kind: 'shuffle' }, ms: TURN }]
    case 'shown':
      return [{ effect: { kind: 'show', seat, cards: event.cards }, ms: SHOW }]
    default:
      return []
  }
}
