// One event as moments to watch: views on the way, and what flies, rolls or is counted while they last.
import type { Effect, GameEvent, Stage, Stages, View } from '../../lib/scene.svelte'
import {
  homeOf,
  SECTORS,
  sectorOf,
  SYMBOL,
  type CityView,
  type Holder,
  type Resource,
  type SectorName,
  type SectorView,
} from './city'
import { scored } from './flow'

/** Something that flies between two marked places of the page (data-anchor). */
export interface Flight {
  symbol: string
  from: string
  to: string
  delay?: number
  label?: string
}

const fly = (...flights: Flight[]): Effect => ({ kind: 'fly', flights })
const asView = (view: CityView): View => view as unknown as View

function sector(view: CityView, name: SectorName, change: (sector: SectorView) => Partial<SectorView>): CityView {
  return { ...view, sectors: view.sectors.map((one) => (one.sector === name ? { ...one, ...change(one) } : one)) }
}
function holder(view: CityView, index: number, change: (holder: Holder) => Partial<Holder>): CityView {
  return { ...view, holders: view.holders.map((one, i) => (i === index ? { ...one, ...change(one) } : one)) }
}
const lie = (view: CityView, name: SectorName, resource: Resource, by: number): CityView =>
  sector(view, name, (s) => ({ pieces: { ...s.pieces, [resource]: Math.max(0, s.pieces[resource] + by) } }))
const hold = (view: CityView, index: number, resource: Resource, by: number): CityView =>
  holder(view, index, (h) => ({
    stock: { ...h.stock, [resource]: Math.max(0, h.stock[resource] + by) },
    pieces: h.pieces + by,
  }))
const die = (view: CityView, name: SectorName, by: number): CityView =>
  sector(view, name, (s) => ({ dice: Math.max(0, s.dice + by) }))
const dieOf = (name: SectorName): string => `die-${SECTORS.indexOf(name) + 1}`

type Teller = (view: CityView, event: GameEvent, who: number) => Stage[]

const TELLERS: Record<string, Teller> = {
  round: (view, event) => {
    const bare = { ...view, round: event.round as number, first: event.seat as number, phase: 'gates', visit: null }
    const swept = {
      ...bare,
      scoring: undefined,
      sectors: bare.sectors.map((s) => ({ ...s, dice: 0 })),
      holders: bare.holders.map((h) => ({ ...h, dice: 0, neutral_die_taken: false })),
    }
    return [{ view: asView(swept), effect: { kind: 'round', round: event.round, seat: event.seat }, ms: 700 }]
  },
  gate: (view, event) => [
    { view: asView(die(view, event.sector as SectorName, 1)), effect: { kind: 'gate', sector: event.sector }, ms: 190 },
  ],
  die: (view, event, who) => {
    const at = event.sector as SectorName
    const visit = { seat: event.seat as number, neutral: event.kind === 'die_neutral', sector: at }
    const taken = { ...die(view, at, -1), visit, scoring: undefined }
    const after = holder(taken, who, (h) => ({ dice: h.dice + 1 }))
    return [
      { view: asView(taken), effect: fly({ symbol: dieOf(at), from: `gate-${at}`, to: `holder-${who}` }), ms: 520 },
      { view: asView(after), ms: 60 },
    ]
  },
  take: (view, event, who) => {
    const at = event.sector as SectorName
    const resource = event.resource as Resource
    const lifted = lie(view, at, resource, -1)
    return [
      {
        view: asView(lifted),
        effect: fly({ symbol: SYMBOL[resource]!, from: `pile-${at}`, to: `stock-${who}-${resource}` }),
        ms: 560,
      },
      { view: asView(hold(lifted, who, resource, 1)), ms: 60 },
    ]
  },
  roll: (_view, event) => [
    { effect: { kind: 'roll', sector: sectorOf(event.tile as string), face: event.face, tile: event.tile }, ms: 1350 },
  ],
  second_visit: (view, event) => {
    const at = event.sector as SectorName
    const before = view.visit?.sector ?? 'jeweller'
    return [
      { effect: { kind: 'roll', sector: before, face: event.face, tile: '' }, ms: 1150 },
      {
        view: asView({ ...view, visit: view.visit && { ...view.visit, sector: at } }),
        effect: { kind: 'point', sectors: [at] },
        ms: 350,
      },
    ]
  },
  clock: (view, event) => {
    const moved = { ...view, visit: null, clock: { ...view.clock, hand: event.to as number } }
    return [
      { view: asView({ ...view, visit: null }), effect: { kind: 'last', sector: event.sector }, ms: 750 },
      { view: asView(moved), effect: { kind: 'last', sector: event.sector, space: event.to }, ms: 1150 },
    ]
  },
  clock_inn: (view, event) => [
    {
      view: asView({ ...view, clock: { ...view.clock, hand: event.to as number } }),
      effect: { kind: 'last', sector: 'inn', space: event.to },
      ms: 900,
    },
  ],
  move: (view, event) => {
    const [from, to, resource] = [event.from as SectorName, event.to as SectorName, event.resource as Resource]
    const lifted = lie(view, from, resource, -1)
    return [
      {
        view: asView(lifted),
        effect: fly({ symbol: SYMBOL[resource]!, from: `pile-${from}`, to: `pile-${to}` }),
        ms: 620,
      },
      { view: asView(lie(lifted, to, resource, 1)), ms: 60 },
    ]
  },
  swap: (view, event) => {
    const here = view.visit?.sector ?? 'jeweller'
    const there = event.sector as SectorName
    const [mine, other] = [event.resource as Resource, event.other as Resource]
    const lifted = lie(lie(view, here, mine, -1), there, other, -1)
    const flights: Flight[] = [
      { symbol: SYMBOL[mine]!, from: `pile-${here}`, to: `pile-${there}` },
      { symbol: SYMBOL[other]!, from: `pile-${there}`, to: `pile-${here}` },
    ]
    return [
      { view: asView(lifted), effect: fly(...flights), ms: 680 },
      { view: asView(lie(lie(lifted, here, other, 1), there, mine, 1)), ms: 60 },
    ]
  },
  die_moved: (view, event) => {
    const [from, to] = [event.from as SectorName, event.to as SectorName]
    const lifted = die(view, from, -1)
    return [
      {
        view: asView(lifted),
        effect: fly({ symbol: `die-${event.face}`, from: `gate-${from}`, to: `gate-${to}` }),
        ms: 680,
      },
      { view: asView(die(lifted, to, 1)), ms: 60 },
    ]
  },
  submarine: (view, event) => {
    const to = event.to as SectorName
    const there = { ...view, submarine: to, sectors: view.sectors.map((s) => ({ ...s, submarine: s.sector === to })) }
    return [
      { effect: { kind: 'dive' }, ms: 480 },
      { view: asView(there), effect: { kind: 'dive' }, ms: 160 },
      { view: asView(there), ms: 480 },
    ]
  },
  emptied: (view, event) => [
    {
      view: asView({ ...view, visit: null, scoring: scored(undefined, event, view)! }),
      effect: { kind: 'point', sectors: [event.sector] },
      ms: 1500,
    },
  ],
  tile: (view, event, who) => {
    const at = sectorOf(event.tile as string)
    const won = holder(view, who, (h) => ({ tiles: [...h.tiles, event.tile as string] }))
    return [
      {
        view: asView({ ...won, scoring: scored(view.scoring, event, view) ?? undefined }),
        effect: fly({ symbol: 'tile', from: `plaque-${at}`, to: `holder-${who}` }),
        ms: 1100,
      },
    ]
  },
  tile_gone: (view, event) => [
    { view: asView({ ...view, scoring: scored(view.scoring, event, view) ?? undefined }), ms: 1100 },
  ],
  points: (view, event, who) => {
    const reason = event.reason as string
    if (reason !== 'region' && reason !== 'inventory' && reason !== 'donation') return []
    const won = holder(view, who, (h) => ({ points: h.points + (event.points as number) }))
    const scoring = reason === 'donation' ? view.scoring : (scored(view.scoring, event, view) ?? view.scoring)
    const from =
      reason === 'donation' || reason === 'inventory'
        ? 'clock'
        : view.scoring
          ? `pile-${homeOf(view.scoring.resource as Resource)}`
          : 'clock'
    return [
      {
        view: asView({ ...won, scoring }),
        effect: fly({ symbol: 'points', label: `+${event.points}`, from, to: `holder-${who}` }),
        ms: reason === 'donation' ? 600 : 900,
      },
    ]
  },
  returned: (view, event) => {
    const resource = event.resource as Resource
    const home = homeOf(resource)
    const from = (event.from as number[] | undefined) ?? []
    const flights: Flight[] = []
    let toMarket = event.market as number
    from.forEach((n, who) => {
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
      scoring: scored(view.scoring, event, view) ?? undefined,
    }
    const back = lie(
      lie(emptied, 'black_market', resource, event.market as number),
      home,
      resource,
      event.region as number,
    )
    return [
      { view: asView(emptied), effect: fly(...flights), ms: 700 + flights.length * 60 },
      { view: asView(back), ms: 500 },
    ]
  },
  used_up: (view, event) => {
    const resource = event.resource as Resource
    const at = event.sector as SectorName
    const dice = view.sectors.find((s) => s.sector === at)?.dice ?? 0
    const without = {
      ...view,
      scoring: scored(view.scoring, event, view) ?? undefined,
      holders: view.holders.map((h) => ({
        ...h,
        pieces: h.pieces - h.stock[resource],
        stock: { ...h.stock, [resource]: 0 },
      })),
      sectors: view.sectors.map((s) => ({ ...s, pieces: { ...s.pieces, [resource]: 0 } })),
    }
    const sunk = die(
      sector(without, at, () => ({ used_up: true, tile: null, hands: null, dice: 0 })),
      'black_market',
      dice,
    )
    return [{ view: asView(sunk), effect: { kind: 'point', sectors: [at] }, ms: 1900 }]
  },
  reveal: (view, event) => {
    const shown = sector(view, event.sector as SectorName, (s) => ({
      tile: event.tile as string,
      hands: event.hands as number,
      unseen: s.unseen.filter((tile) => tile !== event.tile),
    }))
    if (!view.scoring) return [{ view: asView(shown), effect: { kind: 'point', sectors: [event.sector] }, ms: 160 }]
    return [
      {
        view: asView({ ...shown, scoring: scored(view.scoring, event, view) ?? undefined }),
        effect: { kind: 'point', sectors: [event.sector] },
        ms: 2000,
      },
    ]
  },
  inventory: (view, event) => [
    {
      view: asView({ ...view, scoring: scored(undefined, event, view)! }),
      effect: { kind: 'point', sectors: ['clock'] },
      ms: 1200,
    },
  ],
  donation: (view) => [
    { view: asView({ ...view, scoring: undefined }), effect: { kind: 'point', sectors: ['clock'] }, ms: 700 },
  ],
  give: (view, event, who) => {
    const resource = event.resource as Resource
    const given = hold(view, who, resource, -1)
    return [
      {
        view: asView(given),
        effect: fly({ symbol: SYMBOL[resource]!, from: `stock-${who}-${resource}`, to: `pile-${homeOf(resource)}` }),
        ms: 480,
      },
      { view: asView(lie(given, homeOf(resource), resource, 1)), ms: 60 },
    ]
  },
  end: () => [{ effect: { kind: 'end' }, ms: 1200 }],
}

export const stages: Stages = (view, event) => {
  const now = view as unknown as CityView
  const kind = event.kind.replace(/_neutral$/, '')
  const neutral = now.holders.findIndex((one) => one.neutral)
  const who = event.kind.endsWith('_neutral') ? neutral : ((event.seat as number | undefined) ?? 0)
  return TELLERS[kind]?.(now, event, who) ?? []
}
