// Survive's events as animation steps: views and effects. The server's view is final.
import type { Kind, Shows } from '../../lib/scene.svelte'
import type { Film, Shot } from '../../lib/film'
import type { GameEvent, AnimationStep } from './sceneTypes'
import { hexDistance, neighbours, BY_NAME, LAKE, placeCentre } from './boardGeometry'
import { layoutPieces, type Figure } from './pieceLayout'
import { colourOfPiece, type SurviveView } from './view'

// Films are loaded when the first tile may sink: until then nothing needs them.
let films!: typeof import('./films')
export async function loadFilms(): Promise<void> {
  films = await import('./films')
}

const STEP = 200
const SAIL = 300
const SINK = 700
const QUICKLY = 260 // ms where there is no film

type Change = (view: SurviveView) => void
/** A view after a change; unchanged parts are shared. */
function viewAfter(view: SurviveView, change: Change): SurviveView {
  const fresh: SurviveView = {
    ...view,
    explorers: { ...view.explorers },
    aboard: { ...view.aboard },
    wards: { ...view.wards },
  }
  change(fresh)
  return fresh
}

function disembark(view: SurviveView, piece: string): void {
  for (const [at, crew] of Object.entries(view.aboard))
    if (crew.includes(piece)) view.aboard[at] = crew.filter((one) => one !== piece)
}
function dolphinGuarding(view: SurviveView, piece: string): string | undefined {
  return Object.keys(view.wards).find((dolphin) => view.wards[dolphin] === piece)
}
function removeGuard(view: SurviveView, piece: string): void {
  const dolphin = dolphinGuarding(view, piece)
  if (dolphin) delete view.wards[dolphin]
}
function moveShip(view: SurviveView, id: number, to: string): void {
  const from = view.ships.find((ship) => ship[0] === id)?.[1]
  if (from === undefined || from === to) return
  const crew = view.aboard[from] ?? []
  delete view.aboard[from]
  view.aboard[to] = crew
  for (const piece of crew) view.explorers[piece] = to
  view.ships = view.ships.map((ship) => (ship[0] === id ? [id, to] : ship))
}
function removeShip(view: SurviveView, at: string): string[] {
  const crew = view.aboard[at] ?? []
  delete view.aboard[at]
  view.ships = view.ships.filter((ship) => ship[1] !== at)
  return crew
}
function addShip(view: SurviveView, id: number | undefined, at: string): void {
  let number = id ?? 0
  while (id === undefined && view.ships.some((ship) => ship[0] === number)) number++
  view.ships = [...view.ships.filter((ship) => ship[0] !== number), [number, at]]
  view.aboard[at] = view.aboard[at] ?? []
}
function moveCreature(view: SurviveView, id: number, to: string): void {
  view.creatures = view.creatures.map((one) => (one[0] === id ? [id, one[1], to] : one))
}
/** The values yet to be placed, without one that is on the board now: the total stays the same. */
function valuesToPlaceWithout(left: SurviveView['to_place'], colour: string, value: number): SurviveView['to_place'] {
  const values = left?.[colour]
  const at = values?.indexOf(value) ?? -1
  return values && at >= 0 ? { ...left, [colour]: values.filter((_, i) => i !== at) } : left
}
/** The duration of a route: one space after the other, but bounded. */
function routeDurationMs(from: string, to: string, each: number): number {
  const [a, b] = [BY_NAME.get(from), BY_NAME.get(to)]
  return a && b ? Math.min(1100, each * Math.max(1, Math.sqrt(hexDistance(a, b)))) : each
}

function stepsAlongPath(
  view: SurviveView,
  path: string[],
  each: number,
  move: (fresh: SurviveView, to: string) => void,
): AnimationStep[] {
  let now = view
  return path.slice(1).map((to, i) => {
    now = viewAfter(now, (fresh) => move(fresh, to))
    return { view: now, ms: routeDurationMs(path[i]!, to, each) + 20 }
  })
}

function movedSteps(view: SurviveView, event: Kind<GameEvent, 'moved'>): AnimationStep[] {
  const { piece, how, from, to, path = [] } = event
  if (path.length > 2)
    return stepsAlongPath(
      viewAfter(view, (fresh) => removeGuard(fresh, piece)),
      path,
      STEP + 60,
      (fresh, at) => (fresh.explorers[piece] = at),
    )
  const fresh = viewAfter(view, (next) => {
    disembark(next, piece)
    const dolphin = dolphinGuarding(next, piece)
    if (dolphin && how === 'with_dolphin') moveCreature(next, Number(dolphin), to)
    else if (dolphin) delete next.wards[dolphin]
    next.explorers[piece] = to
    if (how === 'embark' || how === 'hop' || how === 'board') next.aboard[to] = [...(next.aboard[to] ?? []), piece]
    if (next.phase === 'moving') next.points = Math.max(0, next.points - 1)
  })
  return [{ view: fresh, ms: from === to ? STEP : STEP + 30 }]
}

/** A film, then the view it led to. */
const filmThenView = (film: Film, view: SurviveView): AnimationStep[] => [
  { film, ms: film.ms },
  { view, ms: 0 },
]
const shipAt = (view: SurviveView, at: string): string => `s${view.ships.find((ship) => ship[1] === at)?.[0] ?? ''}`

/** What floats within a whirlpool's reach. */
function figuresSweptAway(view: SurviveView, at: string): Figure[] {
  const centre = BY_NAME.get(at)
  if (!centre) return []
  const places = new Set([centre, ...neighbours(centre)].map((one) => one.name).filter((name) => !view.tiles[name]))
  return layoutPieces(view, null, null).figures.filter((figure) => places.has(figure.place))
}

/** The view without what a whirlpool took, by the events that follow it. */
function viewAfterWhirlpool(view: SurviveView, following: GameEvent[]): SurviveView {
  let now = view
  for (const event of following) {
    const swept =
      ((event.kind === 'removed' || event.kind === 'creature_removed') && event.by === 'whirlpool') ||
      event.kind === 'swallowed'
    if (!swept) break
    for (const step of animationStepsOf(now, event)) now = step.view ?? now
  }
  return now
}

const SHOWS: Shows<SurviveView, GameEvent, [Shot | undefined]> = {
  placed: (view, event) => [
    {
      view: viewAfter(view, (fresh) => {
        fresh.explorers[event.piece] = event.at
        if (event.value === undefined) return
        fresh.values = { ...fresh.values, [event.piece]: event.value }
        fresh.to_place = valuesToPlaceWithout(fresh.to_place, colourOfPiece(event.piece), event.value)
      }),
      ms: 260,
    },
  ],
  ship_put: (view, event) => [
    {
      view: viewAfter(view, (fresh) => {
        addShip(fresh, undefined, event.at)
        fresh.seats = fresh.seats.map((seat, i) =>
          i === event.seat ? { ...seat, ships_to_put: Math.max(0, seat.ships_to_put - 1) } : seat,
        )
      }),
      ms: 320,
    },
  ],
  turn: (view, event) => [{ view: { ...view, turn: event.seat, dice: [] }, ms: 120 }],
  moved: movedSteps,
  landed: (view, event, shot) => {
    const [piece, isle] = [event.piece, event.isle]
    const fresh = viewAfter(view, (next) => {
      disembark(next, piece)
      removeGuard(next, piece)
      next.explorers[piece] = isle
    })
    if (!shot) return [{ view: fresh, ms: SAIL + 100 }]
    const film = films.rescueFilm(isle, piece, shot)
    return [{ view: fresh, film, ms: film.ms }]
  },
  ship_moved: (view, event) => stepsAlongPath(view, event.path, SAIL, (fresh, to) => moveShip(fresh, event.id, to)),
  wrecked: (view, event, shot) => {
    const { at, by } = event
    const fresh = viewAfter(view, (next) => void removeShip(next, at))
    if (!shot) return [{ view: fresh, ms: QUICKLY }]
    return filmThenView(films.wreckFilm(view, at, by, nearestCreatureKey(view, at, by), shipAt(view, at), shot), fresh)
  },
  swallowed: (view, event, shot) => {
    const at = event.at
    if (!view.ships.some((ship) => ship[1] === at)) return []
    const crew = view.aboard[at] ?? []
    const fresh = viewAfter(view, (next) => {
      for (const piece of removeShip(next, at)) next.explorers[piece] = 'lost'
    })
    return shot
      ? filmThenView(films.swallowFilm(at, shipAt(view, at), crew, shot), fresh)
      : [{ view: fresh, ms: QUICKLY }]
  },
  removed: (view, event, shot) => {
    const { piece, at, by } = event
    if (view.explorers[piece] === 'lost') return []
    const fresh = viewAfter(view, (next) => {
      disembark(next, piece)
      removeGuard(next, piece)
      next.explorers[piece] = 'lost'
    })
    if (!shot) return [{ view: fresh, ms: QUICKLY }]
    const beast = nearestCreatureKey(view, at, by)
    return filmThenView(
      by === 'shark' ? films.biteFilm(at, piece, beast, shot) : films.takenFilm(at, piece, by, beast, shot),
      fresh,
    )
  },
  sunk: (view, event, shot) => {
    const at = event.at
    const fresh = viewAfter(view, (next) => {
      const { [at]: _, ...left } = next.tiles
      next.tiles = left
      next.sunk = at
    })
    if (!shot) return [{ view: fresh, ms: SINK }]
    const film = films.sinkingFilm(view, fresh, event, shot)
    const coast = films.coastAt(shot.brief)
    return [
      { film, ms: coast },
      { view: fresh, film, ms: film.ms - coast },
    ]
  },
  revealed: (_, event, shot) => {
    if (!shot) return []
    const sunk = shot.before as GameEvent | undefined
    const film = films.revealFilm(event.at, event.back, sunk?.kind === 'sunk' ? sunk.terrain : '', shot)
    return [{ film, ms: film.ms }]
  },
  kept: (view, event, shot) => {
    if (!shot) return []
    const film = films.keepFilm(view.sunk ?? LAKE.name, event.back ?? null, event.terrain, event.seat, shot)
    return [{ film, ms: film.ms }]
  },
  arrived: (view, event, shot) => {
    const [id, at] = [event.id, event.at]
    const fresh = viewAfter(
      view,
      (next) => (next.creatures = [...next.creatures.filter((one) => one[0] !== id), [id, event.creature, at]]),
    )
    if (!shot) return [{ view: fresh, ms: QUICKLY }]
    const film = films.arrivalFilm(at, `c${id}`, event.creature, shot)
    return [{ view: fresh, film, ms: film.ms }]
  },
  ship_came: (view, event, shot) => {
    const fresh = viewAfter(view, (next) => addShip(next, event.id, event.at))
    if (!shot) return [{ view: fresh, ms: QUICKLY }]
    const film = films.shipArrivalFilm(event.at, `s${event.id}`)
    return [{ view: fresh, film, ms: film.ms }]
  },
  taken_aboard: (view, event) => {
    const [piece, at] = [event.piece, event.at]
    const fresh = viewAfter(view, (next) => {
      removeGuard(next, piece)
      next.aboard[at] = [...(next.aboard[at] ?? []), piece]
    })
    return [{ view: fresh, ms: STEP }]
  },
  whirlpool: (view, event, shot) => {
    if (!shot) return []
    const fresh = viewAfterWhirlpool(view, shot.following as GameEvent[])
    return filmThenView(films.whirlpoolFilm(event.at, figuresSweptAway(view, event.at), shot), fresh)
  },
  creature_moved: (view, event) => {
    const id = event.id
    const loose = viewAfter(view, (fresh) => delete fresh.wards[String(id)])
    return stepsAlongPath(loose, event.path, 300, (fresh, to) => moveCreature(fresh, id, to))
  },
  creature_removed: (view, event, shot) => {
    const id = event.id
    if (!view.creatures.some((one) => one[0] === id)) return []
    const fresh = viewAfter(view, (next) => {
      next.creatures = next.creatures.filter((one) => one[0] !== id)
      delete next.wards[String(id)]
    })
    if (!shot) return [{ view: fresh, ms: QUICKLY }]
    return filmThenView(films.takenFilm(event.at, `c${id}`, event.by, '', shot), fresh)
  },
  rolled: (view, event) => [{ view: { ...view, dice: event.faces }, ms: 500 }],
  guarded: (view, event, shot) => {
    const [piece, at] = [event.piece, event.at]
    const here = view.creatures.filter(([, kind, space]) => kind === 'dolphin' && space === at)
    const dolphin = here.find(([id]) => !(String(id) in view.wards)) ?? here[0]
    const fresh = viewAfter(view, (next) => void (dolphin && (next.wards[String(dolphin[0])] = piece)))
    return [{ view: fresh, film: shot && films.guardedFilm(at), ms: 420 }]
  },
  tile_played: () => [{ ms: 700 }],
  defended: (view, event, shot) => [
    { film: shot && films.defendedFilm(view.attack?.at ?? '', event.creature), ms: 700 },
  ],
  over: (view, event, shot) => {
    if (event.reason !== 'volcano' || !shot) return [{ ms: 300 }]
    const film = films.volcanoFilm(view.sunk ?? LAKE.name, shot)
    return [{ film, ms: film.ms }]
  },
}

/** The creature that acted, so that it can be highlighted. */
function nearestCreatureKey(view: SurviveView, at: string, kind: string): string {
  const here = view.creatures.find((one) => one[1] === kind && one[2] === at)
  const near =
    here ??
    view.creatures
      .filter((one) => one[1] === kind)
      .sort((a, b) => distanceBetweenPlaces(a[2], at) - distanceBetweenPlaces(b[2], at))[0]
  return near ? `c${near[0]}` : ''
}
const distanceBetweenPlaces = (a: string, b: string): number =>
  Math.hypot(placeCentre(a).x - placeCentre(b).x, placeCentre(a).y - placeCentre(b).y)

export function animationStepsOf(view: SurviveView, event: GameEvent, shot?: Shot): AnimationStep[] {
  const show = SHOWS[event.kind] as
    ((view: SurviveView, event: GameEvent, shot: Shot | undefined) => AnimationStep[]) | undefined
  return show?.(view, event, films && shot) ?? []
}
