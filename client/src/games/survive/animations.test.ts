// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { GameEvent } from './sceneTypes'
import { layoutPieces } from './pieceLayout'
import { animationStepsOf } from './animations'
import type { SurviveView } from './view'

const start = {
  game: 'survive',
  players: 2,
  actor: 0,
  phase: 'moving',
  ask: '',
  step: 'move',
  turn: 0,
  points: 3,
  tiles: { E5: 'forest', E6: 'beach', F6: 'mountain' },
  explorers: { r1: 'E5', r2: 'E6', y1: 'E6', y2: 'D3' },
  aboard: { D3: ['y2'] },
  ships: [[0, 'D3']],
  creatures: [
    [5, 'shark', 'C3'],
    [16, 'dolphin', 'F5'],
  ],
  wards: {},
  acted: [],
  seats: [{ colours: ['red'] }, { colours: ['yellow'] }],
  supply: {},
  dice: [],
  sunk: null,
} as unknown as SurviveView

/** The view after events were drawn, one after the other. */
function drawn(view: SurviveView, ...events: GameEvent[]): SurviveView {
  for (const event of events)
    for (const stage of animationStepsOf(view, event)) view = (stage.view as SurviveView | undefined) ?? view
  return view
}

describe('what happened, drawn', () => {
  it('moves explorers and takes them aboard', () => {
    const view = drawn(start, { kind: 'moved', piece: 'r1', how: 'embark', from: 'E5', to: 'D3' })
    expect(view.explorers.r1).toBe('D3')
    expect(view.aboard.D3).toStrictEqual(['y2', 'r1'])
    expect(start.aboard.D3).toStrictEqual(['y2'])
  })
  it('counts what is placed and what is yet to be placed as one', () => {
    const setup = {
      ...start,
      phase: 'placing',
      step: 'setup',
      explorers: {},
      to_place: { red: [6, 3, 3] },
      seats: [
        { colours: ['red'], ships_to_put: 2 },
        { colours: ['yellow'], ships_to_put: 2 },
      ],
    } as unknown as SurviveView
    const view = drawn(
      setup,
      { kind: 'placed', seat: 0, piece: 'r1', at: 'E5', value: 3 } as GameEvent,
      { kind: 'ship_put', seat: 1, at: 'D3' } as GameEvent,
    )
    expect(view.to_place).toStrictEqual({ red: [6, 3] })
    expect(view.seats.map((seat) => seat.ships_to_put)).toStrictEqual([2, 1])
  })
  it('sails space by space with all aboard', () => {
    const moments = animationStepsOf(start, {
      kind: 'ship_moved',
      how: 'wind',
      from: 'D3',
      to: 'B3',
      id: 0,
      path: ['D3', 'C3', 'B3'],
      crew: ['y2'],
    })
    expect(moments).toHaveLength(2)
    const view = moments[1]!.view as SurviveView
    expect([view.explorers.y2, view.aboard.B3, view.ships]).toStrictEqual(['B3', ['y2'], [[0, 'B3']]])
  })
  it('sinks tiles, turns them up and loses who is swallowed', () => {
    const view = drawn(
      start,
      { kind: 'sunk', seat: 0, at: 'E6', terrain: 'beach', fell: ['r2', 'y1'] },
      { kind: 'removed', piece: 'r2', at: 'E6', by: 'shark' },
      { kind: 'swallowed', at: 'D3', id: 0 },
    )
    expect(view.tiles.E6).toBeUndefined()
    expect([view.explorers.r2, view.explorers.y1, view.explorers.y2]).toStrictEqual(['lost', 'E6', 'lost'])
    expect(view.ships).toStrictEqual([])
  })
  it('brings creatures, moves them along their path and takes them away', () => {
    const view = drawn(
      start,
      { kind: 'arrived', creature: 'whale', id: 11, at: 'C4' },
      { kind: 'creature_moved', creature: 'shark', id: 5, seat: 0, from: 'C3', to: 'C5', path: ['C3', 'C4', 'C5'] },
      { kind: 'creature_removed', creature: 'whale', id: 11, at: 'C4', by: 'squid' },
    )
    expect(view.creatures).toStrictEqual([
      [5, 'shark', 'C5'],
      [16, 'dolphin', 'F5'],
    ])
  })
  it('knows nothing of other events', () =>
    expect(animationStepsOf(start, { kind: 'passed', seat: 0, phase: 'hand' })).toStrictEqual([]))
})

describe('figures', () => {
  it('stand apart and carry their places', () => {
    const { figures, crowds } = layoutPieces(
      { ...start, explorers: { r1: 'E5', r2: 'E5', y1: 'E5', y2: 'E5', y3: '@NW', y4: 'lost' }, aboard: { D3: [] } },
      0,
      null,
    )
    expect(
      figures
        .filter((one) => one.place === 'E5')
        .map((one) => one.key)
        .sort(),
    ).toStrictEqual(['r1', 'r2', 'y1'])
    expect(crowds).toMatchObject([{ place: 'E5', count: 4 }])
    expect(figures.some((one) => one.key === 'y4')).toBe(false)
  })
})
