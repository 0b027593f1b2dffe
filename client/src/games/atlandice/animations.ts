// Events as animation steps: intermediate views, and what flies, rolls or is counted meanwhile.
import { optionalField, type Kind, type Shows } from '../../lib/scene.svelte'
import type { Effect, GameEvent, AnimationStep } from './sceneTypes'
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

/** Something that flies between two marked places of the page (data-anchor). */
export interface Flight {
  symbol: string
  from: string
  to: string
  delay?: number
  label?: string
}

const flightEffect = (...flights: Flight[]): Effect => ({ kind: 'fly', flights })

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
const dieSymbol = (name: SectorName): string => `die-${SECTORS.indexOf(name) + 1}`

function pointsSteps(
  view: CityView,
  event: Kind<GameEvent, 'points' | 'points_neutral'>,
  who: number,
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
  return [
    {
      view: { ...won, scoring },
      effect: flightEffect({ symbol: 'points', label: `+${event.points}`, from, to: `holder-${who}` }),
      ms: reason === 'donation' ? 600 : 900,
    },
  ]
}

function dieTakenSteps(view: CityView, event: Kind<GameEvent, 'die'>, who: number): AnimationStep[] {
  const at = event.sector
  const visit = { seat: event.seat, neutral: event.kind === 'die_neutral', sector: at }
  const taken = { ...withDiceAddedAtGate(view, at, -1), visit, scoring: undefined }
  const after = withHolderChanged(taken, who, (h) => ({ dice: h.dice + 1 }))
  return [
    { view: taken, effect: flightEffect({ symbol: dieSymbol(at), from: `gate-${at}`, to: `holder-${who}` }), ms: 520 },
    { view: after, ms: 60 },
  ]
}

function pieceTakenSteps(view: CityView, event: Kind<GameEvent, 'take'>, who: number): AnimationStep[] {
  const at = event.sector
  const resource = event.resource
  const lifted = withPiecesAddedToSector(view, at, resource, -1)
  return [
    {
      view: lifted,
      effect: flightEffect({ symbol: SYMBOL[resource]!, from: `pile-${at}`, to: `stock-${who}-${resource}` }),
      ms: 560,
    },
    { view: withPiecesAddedToStock(lifted, who, resource, 1), ms: 60 },
  ]
}

function tileWonSteps(view: CityView, event: Kind<GameEvent, 'tile' | 'tile_neutral'>, who: number): AnimationStep[] {
  const at = sectorOfTile(event.tile)
  const won = withHolderChanged(view, who, (h) => ({ tiles: [...h.tiles, event.tile] }))
  return [
    {
      view: { ...won, scoring: scoringAfterEvent(view.scoring, event, view) ?? undefined },
      effect: flightEffect({ symbol: 'tile', from: `plaque-${at}`, to: `holder-${who}` }),
      ms: 1100,
    },
  ]
}

const TELLERS: Shows<CityView, GameEvent, [who: number]> = {
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
  gate: (view, event) => [
    { view: withDiceAddedAtGate(view, event.sector, 1), effect: { kind: 'gate', sector: event.sector }, ms: 190 },
  ],
  die: dieTakenSteps,
  die_neutral: dieTakenSteps,
  take: pieceTakenSteps,
  take_neutral: pieceTakenSteps,
  roll: (_view, event) => [
    { effect: { kind: 'roll', sector: sectorOfTile(event.tile), face: event.face, tile: event.tile }, ms: 1350 },
  ],
  second_visit: (view, event) => {
    const at = event.sector
    const before = view.visit?.sector ?? 'jeweller'
    return [
      { effect: { kind: 'roll', sector: before, face: event.face, tile: '' }, ms: 1150 },
      {
        view: { ...view, visit: view.visit && { ...view.visit, sector: at } },
        effect: { kind: 'point', sectors: [at] },
        ms: 350,
      },
    ]
  },
  clock: (view, event) => {
    const moved = { ...view, visit: null, clock: { ...view.clock, hand: event.to } }
    return [
      { view: { ...view, visit: null }, effect: { kind: 'last', sector: event.sector }, ms: 750 },
      { view: moved, effect: { kind: 'last', sector: event.sector, space: event.to }, ms: 1150 },
    ]
  },
  clock_inn: (view, event) => [
    {
      view: { ...view, clock: { ...view.clock, hand: event.to } },
      effect: { kind: 'last', sector: 'inn', space: event.to },
      ms: 900,
    },
  ],
  move: (view, event) => {
    const [from, to, resource] = [event.from, event.to, event.resource]
    const lifted = withPiecesAddedToSector(view, from, resource, -1)
    return [
      {
        view: lifted,
        effect: flightEffect({ symbol: SYMBOL[resource]!, from: `pile-${from}`, to: `pile-${to}` }),
        ms: 620,
      },
      { view: withPiecesAddedToSector(lifted, to, resource, 1), ms: 60 },
    ]
  },
  swap: (view, event) => {
    const here = view.visit?.sector ?? 'jeweller'
    const there = event.sector
    const [mine, other] = [event.resource, event.other]
    const lifted = withPiecesAddedToSector(withPiecesAddedToSector(view, here, mine, -1), there, other, -1)
    const flights: Flight[] = [
      { symbol: SYMBOL[mine]!, from: `pile-${here}`, to: `pile-${there}` },
      { symbol: SYMBOL[other]!, from: `pile-${there}`, to: `pile-${here}` },
    ]
    return [
      { view: lifted, effect: flightEffect(...flights), ms: 680 },
      { view: withPiecesAddedToSector(withPiecesAddedToSector(lifted, here, other, 1), there, mine, 1), ms: 60 },
    ]
  },
  die_moved: (view, event) => {
    const [from, to] = [event.from, event.to]
    const lifted = withDiceAddedAtGate(view, from, -1)
    return [
      {
        view: lifted,
        effect: flightEffect({ symbol: `die-${event.face}`, from: `gate-${from}`, to: `gate-${to}` }),
        ms: 680,
      },
      { view: withDiceAddedAtGate(lifted, to, 1), ms: 60 },
    ]
  },
  submarine: (view, event) => {
    const to = event.to
    const there = { ...view, submarine: to, sectors: view.sectors.map((s) => ({ ...s, submarine: s.sector === to })) }
    return [
      { effect: { kind: 'dive' }, ms: 480 },
      { view: there, effect: { kind: 'dive' }, ms: 160 },
      { view: there, ms: 480 },
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
  returned: (view, event) => {
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
    return [
      { view: emptied, effect: flightEffect(...flights), ms: 700 + flights.length * 60 },
      { view: back, ms: 500 },
    ]
  },
  used_up: (view, event) => {
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
    return [{ view: sunk, effect: { kind: 'point', sectors: [at] }, ms: 1900 }]
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
  give: (view, event, who) => {
    const resource = event.resource
    const given = withPiecesAddedToStock(view, who, resource, -1)
    return [
      {
        view: given,
        effect: flightEffect({
          symbol: SYMBOL[resource]!,
          from: `stock-${who}-${resource}`,
          to: `pile-${homeSectorOf(resource)}`,
        }),
        ms: 480,
      },
      { view: withPiecesAddedToSector(given, homeSectorOf(resource), resource, 1), ms: 60 },
    ]
  },
  end: () => [{ effect: { kind: 'end' }, ms: 1200 }],
}

export function animationStepsOf(view: CityView, event: GameEvent): AnimationStep[] {
  const neutral = view.holders.findIndex((one) => one.neutral)
  const who = event.kind.endsWith('_neutral') ? neutral : (optionalField(event, 'seat') ?? 0)
  const teller = TELLERS[event.kind] as ((view: CityView, event: GameEvent, who: number) => AnimationStep[]) | undefined
  return teller?.(view, event, who) ?? []
}
