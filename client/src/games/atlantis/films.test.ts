// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import boardSymbols from '../../look/symbols.svg?raw'
import filmSymbols from '../../look/films.svg?raw'
import type { Film, Shot } from '../../lib/film'
import { animationStepsOf, loadFilms } from './animations'
import { POSITIONS } from './board.generated'
import type { PathStage } from './films'
import { figureSpot, pathLayoutFor } from './pathLayout'
import type { GameEvent } from './sceneTypes'
import type { AtlantisView, Spot } from './view'

const GAP = 5
const path: Spot[] = Array.from({ length: POSITIONS }, (_, i) => ({
  at: i + 1,
  back: 'A',
  tile: i + 1 === GAP ? null : { kind: 'blue', value: 3 },
  below: i % 3 ? 0 : 1,
  water: i + 1 === GAP,
  bridge: false,
  figure: null,
}))
const view = {
  game: 'atlantis',
  phase: 'start',
  actor: 0,
  seat: 0,
  path,
  gaps: [{ at: GAP, to: GAP, price: 3, bridge: false }],
  deck: 40,
  move: { figure: 'A', from: '2', at: '8', bill: 3, paid: 0 },
  seats: [0, 1].map((seat) => ({
    seat,
    colour: ['red', 'blue'][seat],
    cards: 4,
    hand: seat ? null : { blue: 2 },
    tiles: [{ kind: 'grey', value: 4 }],
    worth: 4,
    bridge: true,
    atlantis: 2,
    figures: { A: '2', B: 'atlantis', C: 'atlantis' },
  })),
} as unknown as AtlantisView

const layout = pathLayoutFor('wide', 1068, 604)
const stage: PathStage = {
  toWindow: ({ x, y }) => ({ x: x * layout.px, y: y * layout.px }),
  scale: layout.px,
  room: { left: 0, top: 66, right: 1008, bottom: 560 },
  seatAnchor: (seat) => (seat ? { x: 1200, y: 200 } : { x: 500, y: 700 }),
  layout,
  deck: { x: 900, y: 600 },
}
const shot = (more: Partial<Shot> = {}): Shot => ({
  stage,
  brief: false,
  paint: (colour) => colour,
  reader: 0,
  before: undefined,
  following: [],
  ...more,
})
const MOVED: GameEvent = { kind: 'moved', seat: 0, figure: 'A', from: '2', to: '8', card: 'blue' }
const TOOK: GameEvent = { kind: 'took', seat: 0, at: 7, tile: 'blue', value: 3 }
const EVENTS: GameEvent[] = [
  MOVED,
  { kind: 'hopped', seat: 1, figure: 'A', from: '2', to: '40', card: 'blue' },
  { kind: 'moved', seat: 1, figure: 'B', from: 'atlantis', to: 'mainland', card: 'grey' },
  TOOK,
  { kind: 'uncovered', at: 7, tile: 'pink', value: 5 },
  { kind: 'gap', at: 7 },
  { kind: 'shore', at: 1, side: 'atlantis' },
  { kind: 'bridge', seat: 0, at: GAP, to: GAP },
  { kind: 'bridge_lost', at: GAP },
  { kind: 'paid_card', seat: 0, card: 'blue', paid: 1, bill: 3 },
  { kind: 'paid_tile', seat: 0, tile: 'grey', value: 4, paid: 4, bill: 3 },
  { kind: 'bought', seat: 0, tile: 'grey', value: 4, cards: 2 },
  { kind: 'drew', seat: 0, card: 'blue' },
  { kind: 'drew', seat: 1, card: 'hidden' },
  { kind: 'shown', seat: 1, cards: ['blue', 'grey'] },
]

function filmOf(event: GameEvent, how: Partial<Shot> = {}): Film {
  const found = animationStepsOf(view, event, shot(how)).find((step) => step.film)?.film
  if (!found) throw new Error(`no film of ${event.kind}`)
  return found
}

test('without films every event leads to its view', () => {
  for (const event of EVENTS) {
    const steps = animationStepsOf(view, event)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) expect(step.film).toBeUndefined()
  }
})

await loadFilms()

describe('a figure that hops', () => {
  const film = filmOf(MOVED)
  const walker = film.actors.findIndex((actor) => actor.art.includes('explorer-red'))
  const hops = film.tracks.filter((track) => track.of === `[data-actor='${walker}']` && track.frames.length === 3)
  test('sets foot on every stone and leaps over the gap', () => {
    expect(film.tracks.filter((track) => track.of.startsWith('[data-stone')).map((track) => track.of)).toStrictEqual(
      ['3', '4', '6', '7', '8'].map((at) => `[data-stone='${at}'] > g`),
    )
    expect(hops).toHaveLength(5)
  })
  test('begins where the figure stands, ends where it will stand, one hop after the other', () => {
    const after = animationStepsOf(view, MOVED, shot()).find((step) => step.view)!.view!
    const feet = (at: { x: number; y: number }): string => `translate(${at.x}px,${at.y}px) `
    expect(hops[0]!.frames[0]!.transform).toBe(feet(figureSpot(layout, view, 0, 'A')))
    expect(hops.at(-1)!.frames.at(-1)!.transform).toBe(feet(figureSpot(layout, after, 0, 'A')))
    for (const [i, hop] of hops.slice(1).entries()) expect(hop.at).toBeCloseTo(hops[i]!.at + hops[i]!.ms)
    expect(film.tracks.find((track) => track.of === "[data-figure='0A']")!.frames[0]!.opacity).toBe(0)
  })
  test('never takes longer than 1.6 seconds, however far it goes; of another half a second', () => {
    expect(filmOf(EVENTS[1]!).ms).toBeLessThanOrEqual(1600)
    expect(filmOf({ ...MOVED, to: '20' }).ms).toBeLessThanOrEqual(1600)
    expect(filmOf({ ...MOVED, to: '9' }, { brief: true }).ms).toBeLessThanOrEqual(700)
  })
})

test('a stone stays in its place until it comes out of the sea', () => {
  const steps = animationStepsOf(view, TOOK, shot())
  expect(steps.map((step) => [(step.view ?? view).path[6]!.tile !== null, step.ms])).toStrictEqual([
    [true, 340],
    [false, 840],
  ])
  const flyer = steps[0]!.film!.tracks.find((track) => track.frames.length === 4)!
  expect(flyer.at).toBe(340)
})

test('what others draw shows no face', () => {
  const art = filmOf(EVENTS[13]!)
    .actors.map((actor) => actor.art)
    .join('')
  expect(art).not.toContain('kind-')
})

test.each(EVENTS.map((event) => [event.kind, event] as const))(
  '%s: drawn with known symbols, shorter for others',
  (_, event) => {
    const [whole, brief] = [filmOf(event), filmOf(event, { brief: true })]
    for (const film of [whole, brief]) {
      for (const [, symbol] of film.actors.flatMap((actor) => [...actor.art.matchAll(/href="#([^"]+)"/g)]))
        expect(boardSymbols + filmSymbols).toContain(`id="${symbol}"`)
      for (const moment of film.stills) expect(moment).toBeLessThanOrEqual(film.ms)
      for (const track of film.tracks) expect(track.frames.length).toBeGreaterThan(0)
      expect(film.ms).toBeGreaterThan(0)
    }
    expect(brief.ms).toBeLessThanOrEqual(whole.ms)
  },
)
