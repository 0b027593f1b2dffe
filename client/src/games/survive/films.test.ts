// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import boardSymbols from '../../look/symbols.svg?raw'
import filmSymbols from '../../look/films.svg?raw'
import { dropsAt, type Film, type Shot, type Stage } from '../../lib/film'
import { animationStepsOf, loadFilms } from './animations'
import { placeCentre, SLOTS } from './boardGeometry'
import { revealPlace } from './films'
import type { GameEvent } from './sceneTypes'
import type { SurviveView } from './view'

const view = {
  game: 'survive',
  players: 2,
  actor: 0,
  phase: 'sinking',
  tiles: { E5: 'forest', E6: 'beach', F6: 'mountain' },
  explorers: { r1: 'E5', r2: 'E6', y1: 'E6', y2: 'D3', y3: 'C3', y4: 'C3' },
  aboard: { D3: ['y2'] },
  ships: [[0, 'D3']],
  creatures: [
    [5, 'shark', 'C3'],
    [6, 'serpent', 'D4'],
  ],
  wards: {},
  seats: [{ colours: ['red'] }, { colours: ['yellow'] }],
  dice: [],
  sunk: null,
} as unknown as SurviveView

const desk: Stage = {
  toWindow: ({ x, y }) => ({ x: 500 + x * 0.85, y: 400 + y * 0.85 }),
  scale: 0.85,
  room: { left: 0, top: 66, right: 1008, bottom: 706 },
  seatAnchor: () => ({ x: 1200, y: 200 }),
}
const phone: Stage = {
  toWindow: ({ x, y }) => ({ x: 195 + x * 0.4, y: 350 + y * 0.4 }),
  scale: 0.4,
  room: { left: 0, top: 90, right: 390, bottom: 620 },
  seatAnchor: () => null,
}
const shot = (more: Partial<Shot> = {}): Shot => ({
  stage: desk,
  brief: false,
  paint: (colour) => colour,
  reader: 0,
  before: undefined,
  following: [],
  ...more,
})
const SUNK: GameEvent = { kind: 'sunk', seat: 0, at: 'E6', terrain: 'beach', fell: ['r2', 'y1'] }
const EVENTS: GameEvent[] = [
  SUNK,
  { kind: 'revealed', back: 'shark', at: 'E6' },
  { kind: 'kept', seat: 1, terrain: 'beach' },
  { kind: 'kept', seat: 0, terrain: 'beach', back: 'dolphin' },
  { kind: 'arrived', creature: 'whale', id: 9, at: 'E6' },
  { kind: 'ship_came', at: 'E6', id: 3 },
  { kind: 'removed', piece: 'y3', at: 'C3', by: 'shark' },
  { kind: 'removed', piece: 'y3', at: 'C3', by: 'serpent' },
  { kind: 'wrecked', at: 'D3', by: 'serpent', crew: ['y2'] },
  { kind: 'wrecked', at: 'D3', by: 'whale', crew: ['y2'] },
  { kind: 'swallowed', at: 'D3', id: 0 },
  { kind: 'landed', piece: 'y2', from: 'D3', isle: '@NW' },
  { kind: 'whirlpool', at: 'C4' },
  { kind: 'guarded', piece: 'y3', at: 'C3' },
  { kind: 'over', reason: 'volcano' },
] as GameEvent[]

/** The film of an event. */
function filmOf(event: GameEvent, how: Partial<Shot> = {}): Film {
  const found = animationStepsOf(view, event, shot(how)).find((step) => step.film)?.film
  if (!found) throw new Error(`no film of ${event.kind}`)
  return found
}
/** When something first moves or appears. */
const begins = (film: Film, of: RegExp): number =>
  Math.min(...film.tracks.filter((track) => of.test(track.of)).map((track) => track.at))

await loadFilms()

describe('a sinking tile', () => {
  const film = filmOf(SUNK)
  const faller = `[data-actor='${film.actors.findIndex((actor) => actor.art.includes('explorer-up-red'))}']`
  const sinker = film.tracks.filter((track) => track.of.endsWith('.sinker'))
  test('groans before it falls', () => {
    expect(sinker.map((track) => [track.at, track.at + track.ms])).toStrictEqual([
      [60, 520],
      [520, 1140],
    ])
  })
  test('takes its people with it only after it has begun to fall; they come up at the end', () => {
    const [, fall, up] = film.tracks.filter((track) => track.of === faller && track.ms > 100)
    expect(fall!.at).toBeGreaterThan(520)
    expect(up!.at).toBeGreaterThanOrEqual(fall!.at + fall!.ms)
    expect(film.tracks.find((track) => track.of === `${faller} .wet`)!.at).toBe(fall!.at + fall!.ms)
    expect(begins(film, /data-key='r2'/)).toBe(0)
  })
  test('is gone from the view while it goes under, and nobody stands on the water', () => {
    const steps = animationStepsOf(view, SUNK, shot())
    expect(steps.map((step) => ['E6' in (step.view ?? view).tiles, step.film === steps[0]!.film])).toStrictEqual([
      [true, true],
      [false, true],
    ])
    expect(steps.reduce((sum, step) => sum + step.ms, 0)).toBe(film.ms)
  })
})

describe('the secret under a tile', () => {
  test('is not drawn before the tile turns', () => {
    for (const brief of [false, true]) {
      const film = filmOf({ kind: 'revealed', back: 'shark', at: 'E6' }, { brief })
      const shows = film.tracks.filter((track) => track.of.endsWith('.back'))
      expect(Math.min(...shows.map((track) => track.at))).toBe(580)
      const box = film.actors.find((actor) => actor.art.includes('class="back"'))!
      expect(box.art).toContain('class="back" style="opacity:0"')
      const spoilers = film.actors.flatMap((actor, i) =>
        actor !== box && /#shark/.test(actor.art + (actor.text ?? '')) ? [begins(film, RegExp(`actor='${i}'`))] : [],
      )
      for (const at of spoilers) expect(at).toBeGreaterThan(580)
    }
  })
  test('stays one where somebody else keeps it', () => {
    const film = filmOf({ kind: 'kept', seat: 1, terrain: 'beach' })
    expect(film.actors.some((actor) => actor.text)).toBe(false)
    expect(film.actors.map((actor) => actor.art).join('')).not.toMatch(/#(shark|whale|dolphin|back-)/)
  })
  test.each([
    ['a desk', desk],
    ['a phone', phone],
  ])('is shown within the window of %s, beside its hole, wherever that is', (_, stage) => {
    for (const { name } of SLOTS) {
      const { x, y, scale } = revealPlace(stage, name)
      const [half, high] = [38 * scale, 48 * scale]
      expect([x - half >= stage.room.left, x + half <= stage.room.right, y - high >= stage.room.top - 1]).toStrictEqual(
        [true, true, true],
      )
      const hole = stage.toWindow(placeCentre(name))
      expect(Math.abs(hole.x - x) > half || hole.y > y + high * 0.8, name).toBe(true)
    }
  })
})

describe('strikes', () => {
  test('a fin circles before the first bite, and only before that', () => {
    const bite = (before: GameEvent | undefined): Film => filmOf(EVENTS[6]!, { before })
    const jaws = (film: Film): number => begins(film, /sinker/)
    expect(bite(undefined).actors.some((actor) => actor.art.includes('#fin'))).toBe(true)
    expect(jaws(bite(undefined))).toBe(740)
    const second = bite({ kind: 'removed', piece: 'y4', at: 'C3', by: 'shark' })
    expect(second.actors.some((actor) => actor.art.includes('#fin'))).toBe(false)
    expect(jaws(second)).toBeLessThan(100)
  })
  test('a serpent draws back before the ship breaks', () => {
    const film = filmOf(EVENTS[8]!)
    expect(begins(film, /data-key='c6'/)).toBe(0)
    expect(begins(film, /data-key='s0'/)).toBeGreaterThan(400)
  })
  test('a whirlpool takes what the events after it name, and their own films are over then', () => {
    const following: GameEvent[] = [{ kind: 'removed', piece: 'y3', at: 'C3', by: 'whirlpool' }]
    const steps = animationStepsOf(view, { kind: 'whirlpool', at: 'C4' }, shot({ following }))
    const after = steps.at(-1)!.view!
    expect([after.explorers.y3, after.explorers.y4]).toStrictEqual(['lost', 'C3'])
    expect(animationStepsOf(after, following[0]!, shot())).toStrictEqual([])
    expect(steps[0]!.film!.tracks.some((track) => track.of === "[data-key='y3'] svg")).toBe(true)
  })
})

test.each(EVENTS.map((event) => [`${event.kind} ${'by' in event ? event.by : ''}`, event] as const))(
  '%s: drawn with known symbols, told by stills, shorter for others',
  (_, event) => {
    const [whole, brief] = [filmOf(event), filmOf(event, { brief: true })]
    for (const film of [whole, brief]) {
      for (const [, symbol] of film.actors.flatMap((actor) => [...actor.art.matchAll(/href="#([^"]+)"/g)]))
        expect(boardSymbols + filmSymbols).toContain(`id="${symbol}"`)
      for (const [, gradient] of film.actors.flatMap((actor) => [...actor.art.matchAll(/url\(#(g-[^)]+)\)/g)]))
        expect(boardSymbols + filmSymbols).toContain(`id="${gradient}"`)
      expect(film.stills.length).toBeGreaterThan(0)
      for (const moment of film.stills) expect(moment).toBeLessThanOrEqual(film.ms)
      for (const track of film.tracks) expect(track.frames.length).toBeGreaterThan(0)
    }
    expect(brief.ms).toBeLessThanOrEqual(whole.ms)
    expect(whole.ms).toBeLessThanOrEqual(4000)
    expect(brief.ms).toBeLessThanOrEqual(event.kind === 'over' || event.kind === 'whirlpool' ? 4000 : 1750)
  },
)

test('spray is a function of time', () => {
  const burst = { at: 100, x: 0, y: 0, count: 20, life: 500 }
  expect(dropsAt(burst, 50)).toStrictEqual([])
  expect(dropsAt(burst, 700)).toStrictEqual([])
  expect(dropsAt(burst, 300)).toHaveLength(20)
  expect(dropsAt(burst, 300)).toStrictEqual(dropsAt(burst, 300))
  expect(dropsAt(burst, 300)).not.toStrictEqual(dropsAt(burst, 320))
})
