// Atlandice's moments as films: dice that tumble and are taken, goods that fly to their owner's row, the submarine that
// dives, water that climbs with the clock, a district that drowns. Where motion is unwanted only throws, rolls and what
// drowns are shown: everything else changes at once.
import { AT_REST, EASE, Film, shift, use, type Point, type Shot, type Stage } from '../../lib/film'
import { pointAtCity, waterLevel, type Layout } from './cityLayout'
import type { Flight } from './sceneTypes'
import type { SectorName } from './view'

/** The board of a city: where something that is marked (data-anchor) stands in the window. */
export interface CityStage extends Stage {
  layout: Layout
  anchor(name: string): Point | null
}
const stageOf = (shot: Shot): CityStage => shot.stage as CityStage
const OVER = 5

// --- dice: cubes of six faces -----------------------------------------------------------------------------------------

const [LEFT, MIDDLE, RIGHT] = [27, 50, 73] // per cent of a face
const CORNERS = [
  [LEFT, LEFT],
  [RIGHT, RIGHT],
] as const
const OTHERS = [
  [RIGHT, LEFT],
  [LEFT, RIGHT],
] as const
const CENTRE = [[MIDDLE, MIDDLE]] as const
const SIDES = [
  [LEFT, MIDDLE],
  [RIGHT, MIDDLE],
] as const
const PIPS: Record<number, (readonly [number, number])[]> = {
  1: [...CENTRE],
  2: [...CORNERS],
  3: [...CORNERS, ...CENTRE],
  4: [...CORNERS, ...OTHERS],
  5: [...CORNERS, ...OTHERS, ...CENTRE],
  6: [...CORNERS, ...OTHERS, ...SIDES],
}
const IVORY = { bright: '#fff8e8', shade: '#d9c9a3', ink: '#2a1c36', pale: '#8b7b66', one: '#c8433f' }
const DIE = { share: 38, least: 22, most: 38 } // pixels across, at scale 1
const TILTED = 'rotateX(-28deg) rotateY(14deg)' // so that its sides are seen

/** A cube that shows a face to the reader; `.cube` turns, `.air` rises. */
function dieCube(face: number, size: number): string {
  const half = size / 2
  const faces = [face, 7 - face, ...[1, 2, 3].filter((n) => n !== face && n !== 7 - face).flatMap((n) => [n, 7 - n])]
  const turns = ['', 'rotateY(180deg)', 'rotateX(90deg)', 'rotateX(-90deg)', 'rotateY(-90deg)', 'rotateY(90deg)']
  const sides = turns.map((turn, i) => {
    const ink = i === 0 ? (faces[0] === 1 ? IVORY.one : IVORY.ink) : IVORY.pale
    const pips = PIPS[faces[i]!]!.map(
      ([x, y]) => `radial-gradient(circle at ${x}% ${y}%,${ink} 11%,transparent 12.500%)`,
    )
    return (
      `<i style="position:absolute;inset:0;border-radius:20%;backface-visibility:hidden;transform:${turn} translateZ(${half}px);` +
      `background:${pips.join(',')},${i === 0 ? IVORY.bright : IVORY.shade};box-shadow:inset 0 0 0 1px #5b452688"></i>`
    )
  })
  return (
    `<div class="air" style="perspective:${size * 9}px"><div class="cube" style="position:absolute;left:${-half}px;top:${-half}px;` +
    `width:${size}px;height:${size}px;transform-style:preserve-3d;transform:${TILTED}">${sides.join('')}</div></div>`
  )
}
const dieSize = ({ stage }: Shot): number => Math.max(DIE.least, Math.min(DIE.most, DIE.share * stage.scale))

const turned = (x: number, y: number): Keyframe => ({ transform: `${TILTED} rotateX(${x}deg) rotateY(${y}deg)` })
const THROW = { ms: 820, apart: 32, read: 240, walk: 300 }

/** Thrown dice bounce twice on the plaza, are read, and hop to their gates. */
export function throwFilm(gates: { face: number; sector: SectorName }[], shot: Shot): Film {
  const film = new Film()
  const { room } = shot.stage
  const centre = stageOf(shot).anchor('clock') ?? { x: (room.left + room.right) / 2, y: (room.top + room.bottom) / 2 }
  const size = dieSize(shot)
  const all = THROW.ms + gates.length * THROW.apart + THROW.read
  gates.forEach(({ face, sector }, i) => {
    const column = (i % 4) - 1.5
    const land = {
      x: centre.x + column * size * 1.35 + ((i * 7) % 5) - 2,
      y: centre.y + (Math.floor(i / 4) - 0.5) * size * 1.35 + ((i * 11) % 7) - 3,
    }
    const from = { x: (room.left + room.right) / 2 + (room.right - room.left) * 0.2 + i * 14, y: room.bottom + 50 }
    const goal = stageOf(shot).anchor(`gate-${sector}`) ?? land
    const at = i * THROW.apart
    const side = i % 2 ? 1 : -1
    const die = film.actor({ layer: 'page', x: 0, y: 0, art: '', html: dieCube(face, size) })
    const partly = (share: number): Keyframe =>
      shift(from.x + (land.x - from.x) * share, from.y + (land.y - from.y) * share)
    const walk = all + i * 40
    film
      .show(die, at, walk + THROW.walk)
      .move(
        die,
        [partly(0), { ...partly(0.6), offset: 0.45 }, { ...partly(0.88), offset: 0.75 }, partly(1)],
        at,
        THROW.ms,
        EASE.even,
      )
      .move(
        `${die} .air`,
        [
          { transform: 'translateY(-30px)' },
          { transform: `translateY(${-size * 2.8}px)`, offset: 0.22, easing: EASE.fall },
          { transform: 'none', offset: 0.45, easing: EASE.out },
          { transform: `translateY(${-size * 1.1}px)`, offset: 0.6, easing: EASE.fall },
          { transform: 'none', offset: 0.75, easing: EASE.out },
          { transform: `translateY(${-size * 0.35}px)`, offset: 0.84, easing: EASE.fall },
          AT_REST,
        ],
        at,
        THROW.ms,
        EASE.even,
      )
      .move(
        `${die} .cube`,
        [
          turned(-810 - i * 90, 540 * side),
          { ...turned(-250, 180 * side), offset: 0.5 },
          { ...turned(0, 0), offset: 0.9 },
          turned(0, 0),
        ],
        at,
        THROW.ms,
        EASE.out,
      )
      .move(die, [shift(land.x, land.y), shift(goal.x, goal.y)], walk, THROW.walk)
      .move(`${die} .air`, [AT_REST, { transform: `translateY(${-size * 0.9}px)` }, AT_REST], walk, THROW.walk)
  })
  for (const sector of new Set(gates.map((one) => one.sector))) film.hide(`[data-dice='${sector}'] .die`, 0)
  film.ms = all + gates.length * 40 + THROW.walk
  return film.still(all - 20)
}

/** A die is lifted from its gate and flies, turning, to whoever took it. */
export function dieTakenFilm(face: number, from: string, to: string, shot: Shot): Film {
  const film = new Film()
  const [start, goal] = [stageOf(shot).anchor(from), stageOf(shot).anchor(to)]
  if (!start || !goal) return film
  const size = dieSize(shot)
  const [lift, fly] = shot.brief ? [100, 320] : [240, 520]
  const die = film.actor({ layer: 'page', x: 0, y: 0, art: '', html: dieCube(face, size) })
  film
    .show(die, 0)
    .move(die, [shift(start.x, start.y), shift(start.x, start.y)], 0, lift)
    .move(`${die} .air`, [AT_REST, { transform: `translateY(${-size * 1.1}px) scale(1.25)` }], 0, lift, EASE.out)
    .move(
      die,
      [
        shift(start.x, start.y),
        {
          ...shift((start.x + goal.x) / 2, Math.max(shot.stage.room.top, Math.min(start.y, goal.y) - 50)),
          offset: 0.55,
        },
        { ...shift(goal.x, goal.y), opacity: 1, offset: 0.95 },
        { ...shift(goal.x, goal.y), opacity: 0 },
      ],
      lift,
      fly,
    )
    .move(
      `${die} .air`,
      [{ transform: `translateY(${-size * 1.1}px) scale(1.25)` }, { transform: 'scale(.6)' }],
      lift,
      fly,
    )
    .move(`${die} .cube`, [turned(0, 0), turned(-360, 360)], lift, fly)
  film.ms = lift + fly
  return film
}

/** The roll for a tile's effect, large and in the middle of its district. */
export function rollFilm(face: number, sector: SectorName, effect: string, shot: Shot): Film {
  const film = new Film()
  const { room } = shot.stage
  const at = stageOf(shot).anchor(`pile-${sector}`) ?? {
    x: (room.left + room.right) / 2,
    y: (room.top + room.bottom) / 2,
  }
  const size = 64
  const die = film.actor({ layer: 'page', x: at.x, y: at.y, art: '', html: dieCube(face, size) })
  film
    .show(die, 0)
    .move(
      `${die} .air`,
      [
        { transform: `translateY(${-size * 2}px) scale(.6)` },
        { transform: 'none', offset: 0.55, easing: EASE.out },
        { transform: `translateY(${-size * 0.4}px)`, offset: 0.75, easing: EASE.fall },
        AT_REST,
      ],
      0,
      620,
      EASE.fall,
    )
    .move(`${die} .cube`, [turned(-720, 450), turned(0, 0)], 0, 600, EASE.out)
  if (effect) {
    const reach = 125 // of the words, to either side
    const words = film.actor({
      layer: 'page',
      x: Math.max(room.left + reach, Math.min(room.right - reach, at.x)),
      y: Math.min(room.bottom - 70, at.y + size * 0.75),
      art: '',
      text: effect,
      small: true,
    })
    film.move(words, [{ opacity: 0 }, { opacity: 1 }], 560, 120, EASE.even)
  }
  film.ms = shot.brief ? 1000 : 1350
  return film.still(700)
}

// --- goods ------------------------------------------------------------------------------------------------------------

const FLY = { whole: 560, brief: 380 }

function flightArt({ symbol, label }: Flight): string {
  if (symbol === 'points')
    return `<circle r="20" fill="#ffd25e" stroke="#5a3a00" stroke-width="2"/><text y="6" text-anchor="middle" font-size="18" font-weight="700" fill="#3a2500">${label ?? ''}</text>`
  if (symbol === 'tile')
    return '<rect x="-20" y="-15" width="40" height="30" rx="7" fill="#e7c88e" stroke="#fffdf4" stroke-width="3"/>'
  return use(symbol, 'scale(1.13)')
}

/** Pieces fly one after another, each in an arc, to the very cells of their owners, which swell. */
export function flightFilm(flights: Flight[], shot: Shot): Film {
  const film = new Film()
  const fly = shot.brief ? FLY.brief : FLY.whole
  for (const flight of flights) {
    const [from, to] = [stageOf(shot).anchor(flight.from), stageOf(shot).anchor(flight.to)]
    if (!from || !to) continue
    const at = flight.delay ?? 0
    const one = film.actor({ layer: 'page', x: 0, y: 0, art: `<g>${flightArt(flight)}</g>` })
    const top = Math.max(30, Math.min(from.y, to.y) - 70)
    film
      .show(one, at)
      .move(
        one,
        [
          shift(from.x, from.y),
          { ...shift(from.x + (to.x - from.x) * 0.4, top, 'scale(1.7)'), offset: 0.45 },
          { ...shift(to.x, to.y, 'scale(.9)'), opacity: 1, offset: 0.95 },
          { ...shift(to.x, to.y, 'scale(.9)'), opacity: 0 },
        ],
        at,
        fly,
      )
      .move(
        `[data-anchor='${flight.to}']`,
        [AT_REST, { transform: 'scale(1.25)' }, AT_REST],
        at + fly - 40,
        200,
        EASE.out,
      )
  }
  film.ms = fly + Math.max(0, ...flights.map((one) => one.delay ?? 0)) + 120
  return film
}

// --- water ------------------------------------------------------------------------------------------------------------

/** The tide after the clock's hand: it surges around every district, and falls back to its new line. */
export function tideFilm(from: number, to: number, last: number, shot: Shot): Film {
  const film = new Film()
  const { layout } = stageOf(shot)
  const [was, is] = [waterLevel(from, last), waterLevel(to, last)]
  const level = (share: number): Keyframe => ({ transform: `scale(${share})` })
  const ms = shot.brief ? 620 : 1100
  film.move(
    '[data-tide]',
    [level(was), { ...level((was + is) / 2), offset: 0.4 }, { ...level(is - 0.022), offset: 0.72 }, level(is)],
    0,
    ms,
  )
  for (const [i, plot] of layout.plots.entries())
    film.burst({
      at: ms * 0.4 + i * 40,
      ...pointAtCity(layout, layout.R * is, plot.m + 0.2),
      count: 8,
      life: 460,
      speed: 70,
      from: 3.6,
      to: 5.8,
      gravity: 330,
      size: 2.6,
      floor: 8,
    })
  film.ms = ms
  return film
}

/** A used-up district: the ground shakes, its house leans and goes under, bubbles rise. */
export function drownFilm(sector: SectorName, shot: Shot): Film {
  const film = new Film()
  const { layout } = stageOf(shot)
  const plot = layout.plots.find((one) => one.sector === sector)
  if (!plot) return film
  const ground = `[data-ground='${sector}']`
  const house = `[data-house='${sector}']`
  film
    .move(ground, [AT_REST, shift(2, 1), shift(-2, 0), shift(2, 2)], 0, 360, EASE.even)
    .move(
      ground,
      [
        { ...shift(2, 2), opacity: 1 },
        { ...shift(8, 14), opacity: 0.85, offset: 0.5 },
        { ...shift(14, 30), opacity: 0 },
      ],
      380,
      900,
      EASE.fall,
    )
    .move(
      house,
      [
        { ...AT_REST, opacity: 1 },
        { ...shift(0, 2, 'rotate(-3deg)'), opacity: 1, offset: 0.25 },
        { ...shift(0, 3, 'rotate(5deg)'), opacity: 1, offset: 0.4 },
        { ...shift(0, 26, 'rotate(12deg) scale(1,.7)'), opacity: 1, offset: 0.75 },
        { ...shift(0, 44, 'rotate(16deg) scale(1,.2)'), opacity: 0 },
      ],
      60,
      1160,
      EASE.even,
    )
    .move(`[data-heap='${sector}']`, [{ opacity: 1 }, { opacity: 0 }], 560, 380, EASE.fall)
    .rings(700, plot.mid, OVER, 1.6, 3)
    .burst({ at: 700, ...plot.mid, count: 40, life: 1000, spread: 900, box: 150, rise: 36, size: 4.5, alpha: 0.8 })
    .burst({
      at: 760,
      ...plot.mid,
      count: 24,
      life: 640,
      speed: 160,
      from: 3.6,
      to: 5.8,
      gravity: 480,
      size: 3.4,
      floor: 16,
    })
  film.ms = 1700
  return film.still(800)
}

// --- the submarine ----------------------------------------------------------------------------------------------------

const DIVE = { down: 480, round: 700, up: 560 }
export const DIVE_MS = DIVE.down + DIVE.round + DIVE.up
/** When the view has the submarine at its new wall. */
export const SURFACES_AT = DIVE.down + DIVE.round

/** It dives, its wake runs round the city, it bursts out at the new wall. */
export function diveFilm(from: SectorName, to: SectorName, shot: Shot): Film {
  const film = new Film()
  const { layout } = stageOf(shot)
  const place = (sector: SectorName): Point =>
    layout.plots.find((one) => one.sector === sector)?.sub ?? layout.marketSub
  const angle = (sector: SectorName): number => layout.plots.find((one) => one.sector === sector)?.m ?? Math.PI / 2
  const [start, goal] = [place(from), place(to)]
  const boat = '[data-boat]'
  const bubbles = { count: 22, life: 800, spread: 500, box: 50, rise: 30, size: 4 }
  film
    .move(
      boat,
      [
        { ...AT_REST, opacity: 1 },
        { ...shift(0, -4, 'rotate(-6deg)'), opacity: 1, offset: 0.25 },
        { ...shift(0, 10, 'rotate(9deg) scale(.96)'), opacity: 1, offset: 0.7 },
        { ...shift(0, 24, 'rotate(14deg) scale(.8)'), opacity: 0 },
      ],
      0,
      DIVE.down,
      EASE.fall,
    )
    .burst({ at: 260, ...start, ...bubbles })
  const wake = film.actor({
    x: 0,
    y: 0,
    z: OVER,
    art: `<g transform="scale(${0.55 * layout.u})">${use('wake')}<path d="M-2 2V-22H8" fill="none" stroke="#6b3607" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></g>`,
  })
  const steps = 16
  const turn = angle(to) - angle(from)
  const way = Array.from({ length: steps + 1 }, (_, i) => {
    const spot = pointAtCity(layout, layout.R * 1.12, angle(from) + (turn * i) / steps)
    return shift(spot.x, spot.y + 14, `scaleX(${turn > 0 === spot.y > layout.cy ? 1 : -1})`)
  })
  film
    .move(
      wake,
      [{ opacity: 0 }, { opacity: 1, offset: 0.12 }, { opacity: 1, offset: 0.88 }, { opacity: 0 }],
      DIVE.down - 60,
      DIVE.round,
      EASE.even,
    )
    .move(wake, way, DIVE.down - 60, DIVE.round)
    .move(
      boat,
      [
        { ...shift(0, 26, 'rotate(-14deg) scale(.8)'), opacity: 0 },
        { ...shift(0, -14, 'rotate(-8deg) scale(1.05)'), opacity: 1, offset: 0.5 },
        { ...shift(0, 4, 'rotate(3deg)'), opacity: 1, offset: 0.8 },
        { ...AT_REST, opacity: 1 },
      ],
      SURFACES_AT,
      DIVE.up,
      EASE.out,
    )
    .rings(SURFACES_AT + 60, goal, OVER, 1, 2)
    .burst({
      at: SURFACES_AT + 40,
      ...goal,
      count: 26,
      life: 700,
      speed: 180,
      from: 3.5,
      to: 5.9,
      gravity: 460,
      size: 3.4,
      floor: 14,
    })
  film.ms = DIVE_MS
  return film
}
