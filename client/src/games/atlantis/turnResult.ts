// A turn's cards and what came of them.
import type { GameEvent } from './sceneTypes'
import { placeNumber, countTilesBetween, type AtlantisView, type Kind, type Route, type Tile } from './view'

/** One card of a plan: from where, to where. */
export interface Hop {
  card: Kind
  from: string
  to: string
  route: Route
}

/** The way of these cards, one after the other, as far as it leads. */
export function hopsOfCards(routes: Route[], start: string, cards: Kind[]): Hop[] {
  const hops: Hop[] = []
  let from = start
  for (const card of cards) {
    const route = routes.find((one) => one.card === card && !one.rule)
    if (!route) break
    hops.push({ card, from, to: route.to, route })
    from = route.to
    routes = route.then ?? []
  }
  return hops
}

/** What a move brought. */
export interface Result {
  /** The tile taken, if there was one. */
  tile: Tile | null
  cards: Kind[]
  /** Tiles from the start up to the end of the move. */
  ahead: number
  ashore: boolean
  paid: number
}

/** The result of a seat's move in the current turn; null before it, and in others' turns. */
export function turnResultOf(events: GameEvent[], seat: number, view: AtlantisView): Result | null {
  const since = events.findLastIndex((event) => event.kind === 'turn')
  const turn = events[since]
  if (turn?.kind !== 'turn' || turn.seat !== seat) return null
  const result: Result = { tile: null, cards: [], ahead: 0, ashore: false, paid: 0 }
  let [from, to] = ['', '']
  let done = false
  for (const event of events.slice(since + 1)) {
    if (event.kind === 'moved' || event.kind === 'hopped') {
      from ||= event.from
      to = event.to
      result.cards.push(event.card)
      result.ashore = to === 'mainland'
    } else if (event.kind === 'paid_card') result.paid += 1
    else if (event.kind === 'paid_tile') result.paid += event.value
    else if (event.kind === 'took_nothing') done = true
    else if (event.kind === 'took') {
      done = true
      result.tile = { kind: event.tile, value: event.value }
      const sunk = !view.path[event.at - 1]?.tile && event.at > placeNumber(from) && event.at <= placeNumber(to)
      result.ahead += Number(sunk) // it was there when the figure came by
    }
  }
  if (!done) return null
  result.ahead += countTilesBetween(view, from, to)
  return result
}
