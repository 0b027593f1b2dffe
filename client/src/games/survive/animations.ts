// Survive's events as animation steps: views and effects. The server's view is final.
import type { Kind, Shows } from '../../lib/scene.svelte'
import type { Effect, GameEvent, AnimationStep } from './sceneTypes'
import { hexDistance, BY_NAME, LAKE, placeCentre } from './boardGeometry'
import { colourOfPiece, type SurviveView } from './view'

const STEP = 200
const SAIL = 300
const SINK = 700

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
const explorerOrSwimmer = (view: SurviveView, piece: string, at: string): 'swimmer' | 'explorer' =>
  view.tiles[at] || (view.aboard[at] ?? []).includes(piece) ? 'explorer' : 'swimmer'

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
  const splash: Effect | undefined = how === 'enter' || how === 'dive' ? { kind: 'splash', at: to } : undefined
  const fresh = viewAfter(view, (next) => {
    disembark(next, piece)
    const dolphin = dolphinGuarding(next, piece)
    if (dolphin && how === 'with_dolphin') moveCreature(next, Number(dolphin), to)
    else if (dolphin) delete next.wards[dolphin]
    next.explorers[piece] = to
    if (how === 'embark' || how === 'hop' || how === 'board') next.aboard[to] = [...(next.aboard[to] ?? []), piece]
    if (next.phase === 'moving') next.points = Math.max(0, next.points - 1)
  })
  return [{ view: fresh, effect: splash, ms: from === to ? STEP : STEP + 30 }]
}

const SHOWS: Shows<SurviveView, GameEvent> = {
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
      effect: { kind: 'splash', at: event.at },
      ms: 320,
    },
  ],
  turn: (view, event) => [{ view: { ...view, turn: event.seat, dice: [] }, ms: 120 }],
  moved: movedSteps,
  landed: (view, event) => {
    const [piece, isle] = [event.piece, event.isle]
    const fresh = viewAfter(view, (next) => {
      disembark(next, piece)
      removeGuard(next, piece)
      next.explorers[piece] = isle
    })
    return [
      { view: fresh, ms: SAIL + 100 },
      { effect: { kind: 'saved', at: isle, piece }, ms: 650 },
    ]
  },
  ship_moved: (view, event) => stepsAlongPath(view, event.path, SAIL, (fresh, to) => moveShip(fresh, event.id, to)),
  wrecked: (view, event) => {
    const at = event.at
    const fresh = viewAfter(view, (next) => void removeShip(next, at))
    return [
      { effect: { kind: 'lunge', at, by: event.by, beast: nearestCreatureKey(view, at, event.by) }, ms: 260 },
      { view: fresh, effect: { kind: 'wreck', at }, ms: 560 },
    ]
  },
  swallowed: (view, event) => {
    const at = event.at
    const fresh = viewAfter(view, (next) => {
      for (const piece of removeShip(next, at)) next.explorers[piece] = 'lost'
    })
    return [{ view: fresh, effect: { kind: 'swallowed', at, crew: view.aboard[at] ?? [] }, ms: 700 }]
  },
  removed: (view, event) => {
    const [piece, at, by] = [event.piece, event.at, event.by]
    if (view.explorers[piece] === 'lost') return []
    const fresh = viewAfter(view, (next) => {
      disembark(next, piece)
      removeGuard(next, piece)
      next.explorers[piece] = 'lost'
    })
    const gone: Effect = {
      kind: 'eaten',
      at,
      by,
      piece,
      figure: explorerOrSwimmer(view, piece, at),
      beast: nearestCreatureKey(view, at, by),
    }
    return [{ view: fresh, effect: gone, ms: by === 'whirlpool' ? 260 : 620 }]
  },
  sunk: (view, event) => {
    const at = event.at
    const fresh = viewAfter(view, (next) => {
      const { [at]: _, ...left } = next.tiles
      next.tiles = left
      next.sunk = at
    })
    return [{ view: fresh, effect: { kind: 'sink', at, terrain: event.terrain }, ms: SINK }]
  },
  revealed: (_, event) => [{ effect: { kind: 'turned', at: event.at, back: event.back }, ms: 750 }],
  kept: (view, event) => [
    {
      effect: {
        kind: 'kept',
        at: view.sunk ?? LAKE.name,
        back: event.back ?? null,
        terrain: event.terrain,
        seat: event.seat,
      },
      ms: event.back ? 700 : 350,
    },
  ],
  arrived: (view, event) => {
    const [id, at] = [event.id, event.at]
    const fresh = viewAfter(
      view,
      (next) => (next.creatures = [...next.creatures.filter((one) => one[0] !== id), [id, event.creature, at]]),
    )
    return [{ view: fresh, effect: { kind: 'splash', at }, ms: 420 }]
  },
  ship_came: (view, event) => [
    {
      view: viewAfter(view, (fresh) => addShip(fresh, event.id, event.at)),
      effect: { kind: 'splash', at: event.at },
      ms: 420,
    },
  ],
  taken_aboard: (view, event) => {
    const [piece, at] = [event.piece, event.at]
    const fresh = viewAfter(view, (next) => {
      removeGuard(next, piece)
      next.aboard[at] = [...(next.aboard[at] ?? []), piece]
    })
    return [{ view: fresh, ms: STEP }]
  },
  whirlpool: (_, event) => [{ effect: { kind: 'whirlpool', at: event.at }, ms: 1300 }],
  creature_moved: (view, event) => {
    const id = event.id
    const loose = viewAfter(view, (fresh) => delete fresh.wards[String(id)])
    return stepsAlongPath(loose, event.path, 300, (fresh, to) => moveCreature(fresh, id, to))
  },
  creature_removed: (view, event) => {
    const id = event.id
    const fresh = viewAfter(view, (next) => {
      next.creatures = next.creatures.filter((one) => one[0] !== id)
      delete next.wards[String(id)]
    })
    return [
      {
        view: fresh,
        effect: { kind: 'beaten', at: event.at, creature: event.creature, by: event.by },
        ms: event.by === 'whirlpool' ? 260 : 600,
      },
    ]
  },
  rolled: (view, event) => [
    { view: { ...view, dice: event.faces }, effect: { kind: 'rolled', faces: event.faces }, ms: 500 },
  ],
  guarded: (view, event) => {
    const [piece, at] = [event.piece, event.at]
    const here = view.creatures.filter(([, kind, space]) => kind === 'dolphin' && space === at)
    const dolphin = here.find(([id]) => !(String(id) in view.wards)) ?? here[0]
    const fresh = viewAfter(view, (next) => void (dolphin && (next.wards[String(dolphin[0])] = piece)))
    return [{ view: fresh, effect: { kind: 'guarded', at }, ms: 420 }]
  },
  tile_played: (_, event) => [{ effect: { kind: 'played', tile: event.tile, seat: event.seat }, ms: 700 }],
  defended: (view, event) => [
    { effect: { kind: 'defended', at: view.attack?.at ?? '', creature: event.creature }, ms: 700 },
  ],
  over: (_, event) =>
    event.reason === 'volcano' ? [{ effect: { kind: 'volcano' }, ms: 2200 }] : [{ effect: { kind: 'over' }, ms: 300 }],
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

export function animationStepsOf(view: SurviveView, event: GameEvent): AnimationStep[] {
  const show = SHOWS[event.kind] as ((view: SurviveView, event: GameEvent) => AnimationStep[]) | undefined
  return show?.(view, event) ?? []
}
