// Atlantis's events as animation steps: views, and the films that lead to them.
import type { Film, Shot } from '../../lib/film'
import type { Kind as OfKind, Shows } from '../../lib/scene.svelte'
import type { GameEvent, AnimationStep } from './sceneTypes'
import { placeNumber, type AtlantisView, type Kind, type Seat, type Spot, type Tile } from './view'

// Films are loaded with the first touch or the first turn of another: until then nothing needs them.
let films: typeof import('./films') | undefined
export async function loadFilms(): Promise<void> {
  films = await import('./films')
}
type Films = NonNullable<typeof films>

const QUICKLY = 260 // ms where there is no film

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

/** A film, and the view from `at` ms into it on. */
function filmed(view: AtlantisView, film: Film | undefined, at = 0): AnimationStep[] {
  if (!film) return [{ view, ms: QUICKLY }]
  if (at <= 0) return [{ view, film, ms: film.ms }]
  if (at >= film.ms)
    return [
      { film, ms: film.ms },
      { view, ms: 0 },
    ]
  return [
    { film, ms: at },
    { view, film, ms: film.ms - at },
  ]
}
type Cinema = { films: Films; shot: Shot } | null

function hopSteps(view: AtlantisView, event: OfKind<GameEvent, 'moved'>, cinema: Cinema): AnimationStep[] {
  const after = viewAfterHop(view, event)
  return filmed(after, cinema?.films.hopFilm(view, after, event, cinema.shot))
}

const SHOWS: Shows<AtlantisView, GameEvent, [Cinema]> = {
  hopped: hopSteps,
  moved: hopSteps,
  took: (view, event, cinema) => {
    const tile = tileOfEvent(event)
    const after: AtlantisView = {
      ...withSeatChanged(withSpotChanged(view, event.at, { tile: null }), event.seat, (one) => ({
        tiles: [...one.tiles, tile],
        worth: one.worth + tile.value,
      })),
      phase: 'uncovering',
    }
    return filmed(
      after,
      cinema?.films.takeFilm(view, event, cinema.shot),
      cinema ? cinema.films.pulledAt(cinema.shot.brief) : 0,
    )
  },
  uncovered: (view, event, cinema) =>
    filmed(
      withSpotChanged(view, event.at, { tile: tileOfEvent(event), below: 0 }),
      cinema?.films.uncoverFilm(event.at, cinema.shot),
    ),
  gap: (view, event, cinema) =>
    filmed(withSpotChanged(view, event.at, { water: true }), cinema?.films.closingFilm(event.at, cinema.shot)),
  shore: (view, event, cinema) => filmed(view, cinema?.films.closingFilm(event.at, cinema.shot)),
  bridge: (view, event, cinema) =>
    filmed(
      {
        ...withSeatChanged(withSpotChanged(view, event.at, { bridge: true }), event.seat, () => ({ bridge: false })),
        gaps: view.gaps.map((gap) => (gap.at === event.at ? { ...gap, bridge: true, price: 0 } : gap)),
      },
      cinema?.films.bridgeFilm(event.at, event.to, cinema.shot),
    ),
  bridge_lost: (view, event, cinema) =>
    filmed(withSpotChanged(view, event.at, { bridge: false }), cinema?.films.closingFilm(event.at, cinema.shot)),
  paid_card: (view, event, cinema) =>
    filmed(
      {
        ...withSeatChanged(view, event.seat, (one) => withCardsAdded(one, event.card, -1)),
        move: view.move && { ...view.move, paid: event.paid },
      },
      cinema?.films.payFilm(view, event.seat, { card: event.card }, cinema.shot),
    ),
  paid_tile: (view, event, cinema) => {
    const tile = tileOfEvent(event)
    return filmed(
      {
        ...withSeatChanged(view, event.seat, (one) => ({
          tiles: tilesWithout(one.tiles, tile.kind, tile.value),
          worth: one.worth - tile.value,
        })),
        move: view.move && { ...view.move, paid: event.paid },
      },
      cinema?.films.payFilm(view, event.seat, { tile }, cinema.shot),
    )
  },
  bought: (view, event, cinema) => {
    const tile = tileOfEvent(event)
    return filmed(
      withSeatChanged(view, event.seat, (one) => ({
        tiles: tilesWithout(one.tiles, tile.kind, tile.value),
        worth: one.worth - tile.value,
      })),
      cinema?.films.buyFilm(event.seat, tile, cinema.shot),
    )
  },
  drew: (view, event, cinema) => {
    const film = cinema?.films.drawFilm(event.seat, event.card, cinema.shot)
    return filmed(
      {
        ...withSeatChanged(view, event.seat, (one) => withCardsAdded(one, event.card, 1)),
        deck: Math.max(0, view.deck - 1),
        phase: 'drawing',
      },
      film,
      film?.ms,
    )
  },
  shuffled: (view, event) => [{ view: { ...view, deck: event.cards, discard: {} }, ms: QUICKLY }],
  shown: (view, event, cinema) => filmed(view, cinema?.films.showHandFilm(event.seat, event.cards, cinema.shot)),
}

export function animationStepsOf(view: AtlantisView, event: GameEvent, shot?: Shot): AnimationStep[] {
  const show = SHOWS[event.kind] as
    ((view: AtlantisView, event: GameEvent, cinema: Cinema) => AnimationStep[]) | undefined
  return show?.(view, event, films && shot ? { films, shot } : null) ?? []
}
