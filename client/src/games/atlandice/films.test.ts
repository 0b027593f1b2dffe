// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import boardSymbols from '../../look/symbols.svg?raw'
import filmSymbols from '../../look/films.svg?raw'
import type { Film, Shot } from '../../lib/film'
import { animationStepsOf, loadFilms } from './animations'
import { layoutCity, waterLevel } from './cityLayout'
import type { CityStage } from './films'
import type { GameEvent } from './sceneTypes'
import { SECTORS, type CityView } from './view'

const stock = { gems: 1, books: 1, provisions: 1, tools: 1, weapons: 1 }
const view = {
  game: 'atlandice',
  phase: 'die',
  actor: 0,
  round: 2,
  submarine: 'workshop',
  clock: { hand: 3, last: 20, icons: {} },
  visit: null,
  sectors: SECTORS.map((sector, i) => ({ sector, number: i + 1, pieces: stock, dice: 1, used_up: false, unseen: [] })),
  holders: [0, 1].map((seat) => ({ seat, neutral: false, stock, pieces: 5, dice: 0, points: 0, tiles: [] })),
} as unknown as CityView

const layout = layoutCity('laptop', 1000, 620)
const stage: CityStage = {
  toWindow: ({ x, y }) => ({ x: x * layout.px, y: y * layout.px }),
  scale: layout.px * layout.u,
  room: { left: 0, top: 66, right: 1000, bottom: 686 },
  anchor: (name) => ({ x: 300 + name.length, y: 300 }),
  seatAnchor: () => ({ x: 1200, y: 200 }),
  layout,
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
const gate = (face: number): GameEvent => ({ kind: 'gate', face, sector: SECTORS[face - 1]! })
const DIE: GameEvent = { kind: 'die', seat: 0, sector: 'forge' }
const TAKE: GameEvent = { kind: 'take', seat: 0, sector: 'forge', resource: 'weapons', reason: 'visit' }
const CLOCK: GameEvent = { kind: 'clock', sector: 'forge', from: 3, to: 7 }
const DIVE: GameEvent = { kind: 'submarine', seat: 0, from: 'workshop', to: 'library' }
const ROLL: GameEvent = { kind: 'roll', seat: 0, face: 6, tile: 'forge_c' }
const EVENTS: GameEvent[] = [gate(2), DIE, TAKE, CLOCK, DIVE, ROLL]

function filmOf(event: GameEvent, how: Partial<Shot> = {}): Film {
  const found = animationStepsOf(view, event, shot(how)).find((step) => step.film)?.film
  if (!found) throw new Error(`no film of ${event.kind}`)
  return found
}
const diceAt = (now: CityView): number[] => now.sectors.map((one) => one.dice)

test('without films every event leads to its view', () => {
  for (const event of EVENTS) {
    const steps = animationStepsOf(view, event)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) expect(step.film).toBeUndefined()
  }
})

await loadFilms()

describe('a throw', () => {
  const known = [gate(2), gate(5), gate(5)]
  const step = animationStepsOf(view, known[0]!, shot({ following: [...known.slice(1), DIE] }))[0]!
  test('is one film of all its dice, which end at their gates', () => {
    expect(step.film!.actors).toHaveLength(3)
    expect(diceAt(step.view!)).toStrictEqual([1, 2, 1, 1, 3, 1])
    for (const actor of step.film!.actors) {
      const last = step.film!.tracks.filter(
        (track) => track.of === `[data-actor='${step.film!.actors.indexOf(actor)}']` && track.ms > 1,
      )
      expect(last.at(-1)!.frames.at(-1)!.transform).toMatch(/translate\(31\dpx,300px\)/)
    }
  })
  test('adds no die twice', () => {
    let now = step.view!
    for (const event of known.slice(1)) now = animationStepsOf(now, event, shot()).at(-1)!.view!
    expect(diceAt(now)).toStrictEqual([1, 2, 1, 1, 3, 1])
    expect(now.thrown).toBe(0)
    expect(diceAt(animationStepsOf(now, gate(1), shot())[0]!.view!)[0]).toBe(2)
  })
  test('shows each die with the face that it has', () => {
    for (let face = 1; face <= 6; face++) {
      const cube = filmOf(gate(face)).actors[0]!.html!
      const front = cube.slice(cube.indexOf('background:'), cube.indexOf('</i>'))
      expect(front.match(/radial-gradient/g)).toHaveLength(face)
      expect(cube.match(/<i /g)).toHaveLength(6)
      expect(cube.match(/radial-gradient/g)).toHaveLength(21) // all faces of a die together
    }
  })
})

test('a piece flies to the cell of its owner, which counts it only then', () => {
  const steps = animationStepsOf(view, TAKE, shot())
  expect(steps.map((step) => step.view!.holders[0]!.stock.weapons)).toStrictEqual([1, 2])
  expect(steps[0]!.film!.tracks.some((track) => track.of === "[data-anchor='stock-0-weapons']")).toBe(true)
})

test('the water rises with the clock and never falls', () => {
  const levels = Array.from({ length: 21 }, (_, hand) => waterLevel(hand, 20))
  expect(levels[0]).toBeGreaterThan(1)
  for (const [i, level] of levels.slice(1).entries()) expect(level).toBeLessThan(levels[i]!)
  const tide = filmOf(CLOCK).tracks.find((track) => track.of === '[data-tide]')!
  expect([tide.frames[0]!.transform, tide.frames.at(-1)!.transform]).toStrictEqual([
    `scale(${levels[3]})`,
    `scale(${levels[7]})`,
  ])
})

test('the submarine is at its new wall only when it comes up', () => {
  const steps = animationStepsOf(view, DIVE, shot())
  expect(steps.map((step) => (step.view ?? view).submarine)).toStrictEqual(['workshop', 'library'])
  expect(steps[0]!.ms + steps[1]!.ms).toBe(steps[0]!.film!.ms)
})

test.each(EVENTS.map((event) => [event.kind, event] as const))(
  '%s: drawn with known symbols, shorter for others; without motion only dice are shown',
  (_, event) => {
    const [whole, brief] = [filmOf(event), filmOf(event, { brief: true })]
    for (const film of [whole, brief]) {
      for (const [, symbol] of film.actors.flatMap((actor) => [...actor.art.matchAll(/href="#([^"]+)"/g)]))
        expect(boardSymbols + filmSymbols).toContain(`id="${symbol}"`)
      expect(film.stills.length > 0).toBe(['gate', 'roll'].includes(event.kind))
      for (const moment of film.stills) expect(moment).toBeLessThanOrEqual(film.ms)
      for (const track of film.tracks) expect(track.frames.length).toBeGreaterThan(0)
    }
    expect(brief.ms).toBeLessThanOrEqual(whole.ms)
    expect(whole.ms).toBeLessThanOrEqual(4000)
  },
)
