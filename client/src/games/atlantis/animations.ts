// Atlantis's events as animation steps: a figure hops, a tile is taken and sinks, a bridge is laid, cards fly.
import type { Kind as OfKind } from '../../lib/scene.svelte'
import type { GameEvent, AnimationStep } from './sceneTypes'
import { placeNumber, type AtlantisView, type Kind, type Seat, type Spot, type Tile } from './view'

const HOP = 560
const TAKE = 460
const SINK = 420
const TURN = 380
const FLY = 340
const LAY = 620
const DRAW = 260
const SHOW = 1500

function withSpotChanged(view: AtlantisView, at: number, change: Partial<Spot>): AtlantisView {
  const path = [...view.path]
  path[at - 1] = { ...path[at - 1]!, ...change }
  return { ...view, path }
}

function withSeatChanged(view: AtlantisView, seat: number, change: (seat: Seat) => Partial<Seat>): AtlantisView {
  const seats = [...view.seats]
  seats[seat] = { ...seats[seat]!, ...change(seats[seat]!) }
  return { ...view, seats }
}

/** A hand with a card more or fewer, if it is visible. */
function withCardsAdded(seat: Seat, card: Kind | 'hidden', more: number): Partial<Seat> {
  const hand =
    seat.hand && card !== 'hidden' ? { ...seat.hand, [card]: Math.max(0, (seat.hand[card] ?? 0) + more) } : seat.hand
  return { cards: seat.cards + more, hand }
}

function tilesWithout(tiles: Tile[], kind: string, value: number): Tile[] {
  const at = tiles.findIndex((tile) => tile.kind === kind && tile.value === value)
  return at < 0 ? tiles : tiles.filter((_, i) => i !== at)
}

function viewAfterHop(view: AtlantisView, event: OfKind<GameEvent, 'moved'>): AtlantisView {
  const { seat, figure, from, to } = event
  let next = withSeatChanged(view, seat, (one) => ({
    ...withCardsAdded(one, event.card, -1),
    figures: { ...one.figures, [figure]: to },
  }))
  const left = view.path[placeNumber(from) - 1]
  if (left?.figure?.seat === seat && left.figure.figure === figure)
    next = withSpotChanged(next, left.at, { figure: null })
  if (event.kind === 'moved' && to !== 'mainland')
    next = withSpotChanged(next, placeNumber(to), { figure: { seat, figure } })
  return next
}

const tileOfEvent = (event: { tile: Kind; value: number }): Tile => ({ kind: event.tile, value: event.value })

export function animationStepsOf(view: AtlantisView, event: GameEvent): AnimationStep[] {
  switch (event.kind) {
    case 'hopped':
    case 'moved':
      return [
        { view: viewAfterHop(view, event), effect: { ...event, kind: 'hop', over: event.kind === 'hopped' }, ms: HOP },
      ]
    case 'took': {
      const { seat, at } = event
      const tile = tileOfEvent(event)
      return [
        {
          view: {
            ...withSeatChanged(withSpotChanged(view, at, { tile: null }), seat, (one) => ({
              tiles: [...one.tiles, tile],
              worth: one.worth + tile.value,
            })),
            phase: 'uncovering',
          },
          effect: { kind: 'take', seat, at, tile },
          ms: TAKE,
        },
      ]
    }
    case 'uncovered': {
      const { at } = event
      const tile = tileOfEvent(event)
      return [{ view: withSpotChanged(view, at, { tile, below: 0 }), effect: { kind: 'uncover', at }, ms: TURN }]
    }
    case 'gap': {
      const { at } = event
      return [{ view: withSpotChanged(view, at, { water: true }), effect: { kind: 'sink', at }, ms: SINK }]
    }
    case 'shore': {
      const { at } = event
      return [{ effect: { kind: 'sink', at }, ms: SINK }]
    }
    case 'bridge': {
      const { seat, at } = event
      return [
        {
          view: {
            ...withSeatChanged(withSpotChanged(view, at, { bridge: true }), seat, () => ({ bridge: false })),
            gaps: view.gaps.map((gap) => (gap.at === at ? { ...gap, bridge: true, price: 0 } : gap)),
          },
          effect: { kind: 'bridge', at },
          ms: LAY,
        },
      ]
    }
    case 'bridge_lost': {
      const { at } = event
      return [{ view: withSpotChanged(view, at, { bridge: false }), effect: { kind: 'sink', at }, ms: SINK }]
    }
    case 'paid_card': {
      const { seat } = event
      return [
        {
          view: {
            ...withSeatChanged(view, seat, (one) => withCardsAdded(one, event.card, -1)),
            move: view.move && { ...view.move, paid: event.paid },
          },
          effect: { kind: 'pay', seat, card: event.card },
          ms: FLY,
        },
      ]
    }
    case 'paid_tile': {
      const { seat } = event
      const tile = tileOfEvent(event)
      return [
        {
          view: {
            ...withSeatChanged(view, seat, (one) => ({
              tiles: tilesWithout(one.tiles, tile.kind, tile.value),
              worth: one.worth - tile.value,
            })),
            move: view.move && { ...view.move, paid: event.paid },
          },
          effect: { kind: 'pay', seat, tile },
          ms: FLY,
        },
      ]
    }
    case 'bought': {
      const { seat } = event
      const tile = tileOfEvent(event)
      return [
        {
          view: withSeatChanged(view, seat, (one) => ({
            tiles: tilesWithout(one.tiles, tile.kind, tile.value),
            worth: one.worth - tile.value,
          })),
          effect: { kind: 'buy', seat, tile },
          ms: FLY,
        },
      ]
    }
    case 'drew': {
      const { seat } = event
      return [
        {
          view: {
            ...withSeatChanged(view, seat, (one) => withCardsAdded(one, event.card, 1)),
            deck: Math.max(0, view.deck - 1),
            phase: 'drawing',
          },
          effect: { kind: 'draw', seat, card: event.card },
          ms: DRAW,
        },
      ]
    }
    case 'shuffled':
      return [{ view: { ...view, deck: event.cards, discard: {} }, effect: { kind: 'shuffle' }, ms: TURN }]
    case 'shown':
      return [{ effect: { kind: 'show', seat: event.seat, cards: event.cards }, ms: SHOW }]
    default:
      return []
  }
}
