// Events as animation steps: intermediate views, the films that lead to them, and what is highlighted meanwhile.
import type { Film, Shot } from '../../lib/film'
import { gameText } from '../../lib/i18n.svelte'
import { optionalField, type Kind, type Shows } from '../../lib/scene.svelte'
import type { AnimationStep, Flight, GameEvent } from './sceneTypes'
import {
  homeSectorOf,
  SECTORS,
  sectorOfTile,
  SYMBOL,
  type CityView,
  type Holder,
  type Resource,
  type SectorName,
  type SectorView,
} from './view'
import { scoringAfterEvent } from './visitAndScoringFromEvents'

// Films are loaded with the first touch or the first turn of another: until then nothing needs them.
let films: typeof import('./films') | undefined
export async function loadFilms(): Promise<void> {
  films = await import('./films')
}
/** How an event is filmed; null: it is not. */
type Cinema = { films: NonNullable<typeof films>; shot: Shot } | null

/** A step with a film, for as long as that lasts; without one it is shown for `ms`. */
const filmed = (film: Film | undefined, ms: number, view?: CityView): AnimationStep =>
  film ? { view, film, ms: film.ms } : { view, ms }
const flying = (cinema: Cinema, ms: number, view: CityView, ...flights: Flight[]): AnimationStep =>
  filmed(cinema?.films.flightFilm(flights, cinema.shot), ms, view)

function withSectorChanged(
  view: CityView,
  name: SectorName,
  change: (sector: SectorView) => Partial<SectorView>,
): CityView {
  return { ...view, sectors: view.sectors.map((one) => (one.sector === name ? { ...one, ...change(one) } : one)) }
}
function withHolderChanged(view: CityView, index: number, change: (holder: Holder) => Partial<Holder>): CityView {
  return { ...view, holders: view.holders.map((one, i) => (i === index ? { ...one, ...change(one) } : one)) }
}
const withPiecesAddedToSector = (view: CityView, name: SectorName, resource: Resource, by: number): CityView =>
  withSectorChanged(view, name, (s) => ({ pieces: { ...s.pieces, [resource]: Math.max(0, s.pieces[resource] + by) } }))
const withPiecesAddedToStock = (view: CityView, index: number, resource: Resource, by: number): CityView =>
  withHolderChanged(view, index, (h) => ({
    stock: { ...h.stock, [resource]: Math.max(0, h.stock[resource] + by) },
    pieces: h.pieces + by,
  }))
const withDiceAddedAtGate = (view: CityView, name: SectorName, by: number): CityView =>
  withSectorChanged(view, name, (s) => ({ dice: Math.max(0, s.dice + by) }))
const QUICKLY = 260 // ms where there is no film

function pointsSteps(
  view: CityView,
  event: Kind<GameEvent, 'points' | 'points_neutral'>,
  who: number,
  cinema: Cinema,
): AnimationStep[] {
  const reason = event.reason
  if (reason !== 'region' && reason !== 'inventory' && reason !== 'donation') return []
  const won = withHolderChanged(view, who, (h) => ({ points: h.points + event.points }))
  const scoring = reason === 'donation' ? view.scoring : (scoringAfterEvent(view.scoring, event, view) ?? view.scoring)
  const from =
    reason === 'donation' || reason === 'inventory'
      ? 'clock'
      : view.scoring
        ? `pile-${homeSectorOf(view.scoring.resource as Resource)}`
        : 'clock'
  const flight = { symbol: 'points', label: `+${event.points}`, from, to: `holder-${who}` }
  return [flying(cinema, 600, { ...won, scoring }, flight)]
}

function dieTakenSteps(view: CityView, event: Kind<GameEvent, 'die'>, who: number, cinema: Cinema): AnimationStep[] {
  const at = event.sector
  const visit = { seat: event.seat, neutral: event.kind === 'die_neutral', sector: at }
  const taken = { ...withDiceAddedAtGate(view, at, -1), visit, scoring: undefined }
  const after = withHolderChanged(taken, who, (h) => ({ dice: h.dice + 1 }))
  return [
    filmed(
      cinema?.films.dieTakenFilm(SECTORS.indexOf(at) + 1, `gate-${at}`, `holder-${who}`, cinema.shot),
      QUICKLY,
      taken,
    ),
    { view: after, ms: 60 },
  ]
}

function pieceTakenSteps(view: CityView, event: Kind<GameEvent, 'take'>, who: number, cinema: Cinema): AnimationStep[] {
  const at = event.sector
  const resource = event.resource
  const lifted = withPiecesAddedToSector(view, at, resource, -1)
  return [
    flying(cinema, QUICKLY, lifted, {
      symbol: SYMBOL[resource]!,
      from: `pile-${at}`,
      to: `stock-${who}-${resource}`,
    }),
    { view: withPiecesAddedToStock(lifted, who, resource, 1), ms: 60 },
  ]
}

function tileWonSteps(
  view: CityView,
  event: Kind<GameEvent, 'tile' | 'tile_neutral'>,
  who: number,
  cinema: Cinema,
): AnimationStep[] {
  const at = sectorOfTile(event.tile)
  const won = withHolderChanged(view, who, (h) => ({ tiles: [...h.tiles, event.tile] }))
  return [
    flying(
      cinema,
      1100,
      { ...won, scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined },
      { symbol: 'tile', from: `plaque-${at}`, to: `holder-${who}` },
    ),
    { ms: 500 },
  ]
}

const TELLERS: Shows<CityView, GameEvent, [who: number, cinema: Cinema]> = {
  round: (view, event) => {
    const bare = { ...view, round: event.round, first: event.seat, phase: 'gates', visit: null }
    const swept = {
      ...bare,
      scoring: undefined,
      sectors: bare.sectors.map((s) => ({ ...s, dice: 0 })),
      holders: bare.holders.map((h) => ({ ...h, dice: 0, neutral_die_taken: false })),
    }
    return [{ view: swept, effect: { kind: 'round', round: event.round, seat: event.seat }, ms: 700 }]
  },
  gate: (view, event, _, cinema) => {
    // A throw is one film; the dice that it showed need no more.
    if (view.thrown) return [{ view: { ...view, thrown: view.thrown - 1 }, ms: 0 }]
    const known = cinema?.shot.following as GameEvent[] | undefined
    const ends = known?.findIndex((one) => one.kind !== 'gate') ?? 0
    const thrown = [event, ...(known ?? []).slice(0, ends < 0 ? undefined : ends)] as Kind<GameEvent, 'gate'>[]
    if (!cinema) return [{ view: withDiceAddedAtGate(view, event.sector, 1), ms: 190 }]
    const after = thrown.reduce((now, one) => withDiceAddedAtGate(now, one.sector, 1), view)
    return [filmed(cinema.films.throwFilm(thrown, cinema.shot), 0, { ...after, thrown: thrown.length - 1 })]
  },
  die: dieTakenSteps,
  die_neutral: dieTakenSteps,
  take: pieceTakenSteps,
  take_neutral: pieceTakenSteps,
  roll: (_view, event, _, cinema) => {
    const words = gameText('atlandice', `effect.${event.tile}`)
    return [filmed(cinema?.films.rollFilm(event.face, sectorOfTile(event.tile), words, cinema.shot), QUICKLY)]
  },
  second_visit: (view, event, _, cinema) => {
    const at = event.sector
    const before = view.visit?.sector ?? 'jeweller'
    return [
      filmed(cinema?.films.rollFilm(event.face, before, '', cinema.shot), QUICKLY),
      {
        view: { ...view, visit: view.visit && { ...view.visit, sector: at } },
        effect: { kind: 'point', sectors: [at] },
        ms: 350,
      },
    ]
  },
  clock: (view, event, _, cinema) => {
    const { hand, last } = view.clock
    const moved = { ...view, visit: null, clock: { ...view.clock, hand: event.to } }
    return [
      { view: { ...view, visit: null }, effect: { kind: 'last', sector: event.sector }, ms: 600 },
      {
        ...filmed(cinema?.films.tideFilm(hand, event.to, last, cinema.shot), 900, moved),
        effect: { kind: 'last', sector: event.sector, space: event.to },
      },
    ]
  },
  clock_inn: (view, event, _, cinema) => [
    {
      ...filmed(cinema?.films.tideFilm(view.clock.hand, event.to, view.clock.last, cinema.shot), 900, {
        ...view,
        clock: { ...view.clock, hand: event.to },
      }),
      effect: { kind: 'last', sector: 'inn', space: event.to },
    },
  ],
  move: (view, event, _, cinema) => {
    const [from, to, resource] = [event.from, event.to, event.resource]
    const lifted = withPiecesAddedToSector(view, from, resource, -1)
    return [
      flying(cinema, QUICKLY, lifted, { symbol: SYMBOL[resource]!, from: `pile-${from}`, to: `pile-${to}` }),
      { view: withPiecesAddedToSector(lifted, to, resource, 1), ms: 60 },
    ]
  },
  swap: (view, event, _, cinema) => {
    const here = view.visit?.sector ?? 'jeweller'
    const there = event.sector
    const [mine, other] = [event.resource, event.other]
    const lifted = withPiecesAddedToSector(withPiecesAddedToSector(view, here, mine, -1), there, other, -1)
    const flights: Flight[] = [
      { symbol: SYMBOL[mine]!, from: `pile-${here}`, to: `pile-${there}` },
      { symbol: SYMBOL[other]!, from: `pile-${there}`, to: `pile-${here}` },
    ]
    return [
      flying(cinema, QUICKLY, lifted, ...flights),
      { view: withPiecesAddedToSector(withPiecesAddedToSector(lifted, here, other, 1), there, mine, 1), ms: 60 },
    ]
  },
  die_moved: (view, event, _, cinema) => {
    const [from, to] = [event.from, event.to]
    const lifted = withDiceAddedAtGate(view, from, -1)
    return [
      filmed(cinema?.films.dieTakenFilm(event.face, `gate-${from}`, `gate-${to}`, cinema.shot), QUICKLY, lifted),
      { view: withDiceAddedAtGate(lifted, to, 1), ms: 60 },
    ]
  },
  submarine: (view, event, _, cinema) => {
    const to = event.to
    const there = { ...view, submarine: to, sectors: view.sectors.map((s) => ({ ...s, submarine: s.sector === to })) }
    if (!cinema) return [{ view: there, ms: QUICKLY }]
    const film = cinema.films.diveFilm(view.submarine, to, cinema.shot)
    return [
      { film, ms: cinema.films.SURFACES_AT },
      { view: there, film, ms: film.ms - cinema.films.SURFACES_AT },
    ]
  },
  emptied: (view, event) => [
    {
      view: { ...view, visit: null, scoring: scoringAfterEvent(undefined, event, view)! },
      effect: { kind: 'point', sectors: [event.sector] },
      ms: 1500,
    },
  ],
  tile: tileWonSteps,
  tile_neutral: tileWonSteps,
  tile_gone: (view, event) => [
    { view: { ...view, scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined }, ms: 1100 },
  ],
  points: pointsSteps,
  points_neutral: pointsSteps,
  returned: (view, event, _, cinema) => {
    const resource = event.resource
    const home = homeSectorOf(resource)
    const flights: Flight[] = []
    let toMarket = event.market
    event.from.forEach((n, who) => {
      for (let i = 0; i < n; i++)
        flights.push({
          symbol: SYMBOL[resource]!,
          from: `stock-${who}-${resource}`,
          to: toMarket-- > 0 ? 'pile-black_market' : `pile-${home}`,
          delay: flights.length * 60,
        })
    })
    const emptied = {
      ...view,
      holders: view.holders.map((h) => ({
        ...h,
        pieces: h.pieces - h.stock[resource],
        stock: { ...h.stock, [resource]: 0 },
      })),
      scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined,
    }
    const back = withPiecesAddedToSector(
      withPiecesAddedToSector(emptied, 'black_market', resource, event.market),
      home,
      resource,
      event.region,
    )
    return [flying(cinema, QUICKLY, emptied, ...flights), { view: back, ms: 500 }]
  },
  used_up: (view, event, _, cinema) => {
    const resource = event.resource
    const at = event.sector
    const dice = view.sectors.find((s) => s.sector === at)?.dice ?? 0
    const without = {
      ...view,
      scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined,
      holders: view.holders.map((h) => ({
        ...h,
        pieces: h.pieces - h.stock[resource],
        stock: { ...h.stock, [resource]: 0 },
      })),
      sectors: view.sectors.map((s) => ({ ...s, pieces: { ...s.pieces, [resource]: 0 } })),
    }
    const sunk = withDiceAddedAtGate(
      withSectorChanged(without, at, () => ({ used_up: true, tile: null, hands: null, dice: 0 })),
      'black_market',
      dice,
    )
    const film = cinema?.films.drownFilm(at, cinema.shot)
    return [
      ...(film ? [{ ...filmed(film, 0), effect: { kind: 'point', sectors: [at] } }] : []),
      { view: sunk, effect: { kind: 'point', sectors: [at] }, ms: 900 },
    ]
  },
  reveal: (view, event) => {
    const shown = withSectorChanged(view, event.sector, (s) => ({
      tile: event.tile,
      hands: event.hands,
      unseen: s.unseen.filter((tile) => tile !== event.tile),
    }))
    if (!view.scoring) return [{ view: shown, effect: { kind: 'point', sectors: [event.sector] }, ms: 160 }]
    return [
      {
        view: { ...shown, scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined },
        effect: { kind: 'point', sectors: [event.sector] },
        ms: 2000,
      },
    ]
  },
  inventory: (view, event) => [
    {
      view: { ...view, scoring: scoringAfterEvent(undefined, event, view)! },
      effect: { kind: 'point', sectors: ['clock'] },
      ms: 1200,
    },
  ],
  donation: (view) => [
    { view: { ...view, scoring: undefined }, effect: { kind: 'point', sectors: ['clock'] }, ms: 700 },
  ],
  give: (view, event, who, cinema) => {
    const resource = event.resource
    const given = withPiecesAddedToStock(view, who, resource, -1)
    return [
      flying(cinema, QUICKLY, given, {
        symbol: SYMBOL[resource]!,
        from: `stock-${who}-${resource}`,
        to: `pile-${homeSectorOf(resource)}`,
      }),
      { view: withPiecesAddedToSector(given, homeSectorOf(resource), resource, 1), ms: 60 },
    ]
  },
  end: () => [{ effect: { kind: 'end' }, ms: 1200 }],
}

export function animationStepsOf(view: CityView, event: GameEvent, shot?: Shot): AnimationStep[] {
  const neutral = view.holders.findIndex((one) => one.neutral)
  const who = event.kind.endsWith('_neutral') ? neutral : (optionalField(event, 'seat') ?? 0)
  const teller = TELLERS[event.kind] as
    ((view: CityView, event: GameEvent, who: number, cinema: Cinema) => AnimationStep[]) | undefined
  return teller?.(view, event, who, films && shot ? { films, shot } : null) ?? []
}
