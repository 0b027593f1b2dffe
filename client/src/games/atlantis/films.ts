// Atlantis' moments as films: figures that hop stone by stone, the stone that is pulled out of the sea, what is paid,
// bridges, cards. Where motion is unwanted only the stone, the bridge and a shown hand are: the rest changes at once.
import { AT_REST, CONFETTI, EASE, Film, shift, use, type Point, type Shot, type Stage } from '../../lib/film'
import type { Kind as OfKind } from '../../lib/scene.svelte'
import { POSITIONS } from './board.generated'
import { figureSpot, placeCentre, tileLift, type Layout } from './pathLayout'
import type { GameEvent } from './sceneTypes'
import { stoneAt } from './stone'
import { gapAt, placeNumber, pricedGapsBetween, SYMBOL, type AtlantisView, type Kind, type Tile } from './view'

/** The board of a path: where its stones lie, and where cards are drawn from, in the window. */
export interface PathStage extends Stage {
  layout: Layout
  deck: Point
}
const layoutOf = (shot: Shot): Layout => (shot.stage as PathStage).layout
const OVER = 340

// --- drawings ---------------------------------------------------------------------------------------------------------

/** A loose stone, its face around its own middle. */
function stoneArt(position: number, tile: Tile): string {
  const stone = stoneAt(position)
  const kind = SYMBOL[tile.kind]
  return (
    `<g class="k-${kind}" stroke-linejoin="round">` +
    `<path d="${stone.top(13)}" fill="#4f6a62" stroke="#4f6a62" stroke-width="3"/>` +
    `<path d="${stone.top(9)}" fill="#857a6c" stroke="#6a6056" stroke-width="3"/>` +
    `<path d="${stone.top(0)}" fill="#efe6d2" stroke="#8d8270" stroke-width="1.6"/>` +
    `<path d="${stone.inlay(0)}" fill="var(--k)" stroke="var(--kd)" stroke-width="1.8"/>` +
    use(`kind-${kind}`, 'translate(-7 -1) scale(1.08)') +
    '<circle cx="14" cy="1" r="10.5" fill="#fdf8ec" stroke="var(--kd)" stroke-width="1.5"/>' +
    `<text x="14" y="7.4" font-size="19" font-weight="700" text-anchor="middle" fill="#3a2500">${tile.value}</text></g>`
  )
}

/** A card, face up if its kind is known. */
function cardArt(kind: Kind | 'hidden' | 'none'): string {
  const symbol = kind === 'hidden' || kind === 'none' ? undefined : SYMBOL[kind]
  return (
    `<g class="${symbol ? `k-${symbol}` : ''}">` +
    '<rect x="-19" y="-24" width="38" height="52" rx="7" fill="#cfc3ac"/>' +
    '<rect x="-19" y="-26" width="38" height="52" rx="7" fill="#fdf8ec" stroke="#14213d" stroke-opacity=".5"/>' +
    `<rect x="-15" y="-22" width="30" height="44" rx="4.5" fill="${symbol ? 'var(--k)' : '#1c648c'}"/>` +
    (symbol
      ? use(`kind-${symbol}`)
      : '<path d="M-9 4c4-5 7-5 9 0s5 5 9 0M-9-6c4-5 7-5 9 0s5 5 9 0" fill="none" stroke="#eafff8" stroke-width="2.4" stroke-linecap="round"/>') +
    '</g>'
  )
}

const anchorOf = (seat: number, { stage }: Shot): Point =>
  stage.seatAnchor(seat) ?? { x: (stage.room.left + stage.room.right) / 2, y: stage.room.top }

/** Something that flies over the page in an arc; the result selects it. */
function addFlight(
  film: Film,
  art: string,
  {
    from,
    to,
    at,
    ms,
    scale = [1, 1],
    rise = 40,
  }: {
    from: Point
    to: Point
    at: number
    ms: number
    scale?: [number, number]
    rise?: number
  },
): string {
  const flyer = film.actor({ layer: 'page', x: 0, y: 0, art: `<g>${art}</g>` })
  const place = ({ x, y }: Point, size: number, turn = 0): Keyframe => shift(x, y, `scale(${size}) rotate(${turn}deg)`)
  const middle = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - rise }
  film
    .show(flyer, at, at + ms)
    .move(
      flyer,
      [place(from, scale[0]), { ...place(middle, (scale[0] + scale[1]) * 0.58, 6), offset: 0.48 }, place(to, scale[1])],
      at,
      ms,
    )
  return flyer
}

/** The owner's row swells as something arrives. */
function swellRow(film: Film, seat: number, at: number): void {
  film.move(`[data-seat='${seat}']`, [AT_REST, { transform: 'scale(1.04)' }, AT_REST], at, 260, EASE.out)
}

// --- the hop ----------------------------------------------------------------------------------------------------------

const HOP = { stone: 195, all: 1100, brief: 90, briefAll: 420, least: 28 } // ms
const CARD_SHOWN = { whole: 300, brief: 120 } // ms until the figure leaves

/** Where a figure sets its feet on its way: stones and bridges. */
function stopsOnWay(layout: Layout, view: AtlantisView, from: string, to: string): (Point & { at: number })[] {
  const stops: (Point & { at: number })[] = []
  for (let at = placeNumber(from) + 1; at < Math.min(placeNumber(to), POSITIONS + 1); at++) {
    const spot = view.path[at - 1]!
    if (!spot.tile && !gapAt(view, at)?.bridge) continue
    const { x, y } = layout.spots[at - 1]!
    stops.push({ at, x, y: y + (6 - (spot.tile ? tileLift(spot.below) : 0)) * layout.ks })
  }
  return stops
}

export function hopFilm(
  view: AtlantisView,
  after: AtlantisView,
  { seat, figure, from, to, card }: OfKind<GameEvent, 'moved'>,
  shot: Shot,
): Film {
  const film = new Film()
  const layout = layoutOf(shot)
  const { brief, paint, stage } = shot
  const start = figureSpot(layout, view, seat, figure)
  const end = figureSpot(layout, after, seat, figure)
  const way = [...stopsOnWay(layout, view, from, to), { ...end, at: placeNumber(to) }]
  const each = brief
    ? Math.max(HOP.least, Math.min(HOP.brief, HOP.briefAll / way.length))
    : Math.max(HOP.least, Math.min(HOP.stone, HOP.all / way.length))
  const leaves = brief ? CARD_SHOWN.brief : CARD_SHOWN.whole
  const art = use(`explorer-${paint(view.seats[seat]!.colour)}`, `scale(${end.s})`)
  const who = film.actor({ x: 0, y: 0, z: OVER, art: `<g>${art}</g>` })
  film.hide(`[data-figure='${seat}${figure}']`, 0).show(who, 0)
  film.move(who, [shift(start.x, start.y), shift(start.x, start.y)], 0, leaves)
  let now: Point = start
  way.forEach((next, i) => {
    const at = leaves + i * each
    const [far, ashore] = [Math.hypot(next.x - now.x, next.y - now.y), to === 'mainland' && i === way.length - 1]
    const arc = Math.min(70, 26 + far * 0.12) * layout.ks
    film
      .move(
        who,
        [
          { ...shift(now.x, now.y), easing: 'cubic-bezier(.2,.7,.5,1)' },
          { ...shift((now.x + next.x) / 2, Math.min(now.y, next.y) - arc), easing: 'cubic-bezier(.5,0,.8,.4)' },
          shift(next.x, next.y),
        ],
        at,
        each,
        EASE.even,
      )
      .move(
        `${who} > g`,
        ashore
          ? [
              { transform: 'scale(1.12,.86)' },
              { transform: 'scale(.94,1.1) rotate(200deg)', offset: 0.5 },
              { transform: 'scale(1.1,.88) rotate(360deg)' },
            ]
          : [
              { transform: 'scale(1.12,.86)' },
              { transform: 'scale(.94,1.1)', offset: 0.4 },
              { transform: 'scale(1.14,.84)' },
            ],
        at,
        each,
        EASE.even,
      )
      .move(`[data-stone='${next.at}'] > g`, [AT_REST, shift(0, 3), AT_REST], at + each, 160)
    now = next
  })
  const landed = leaves + way.length * each
  film.move(`${who} > g`, [{ transform: 'scale(1.14,.84)' }, AT_REST], landed, 90, EASE.out)
  const window = stage.toWindow(start)
  addFlight(film, cardArt(card), {
    from: anchorOf(seat, shot),
    to: { x: window.x, y: window.y - 40 * stage.scale },
    at: 0,
    ms: leaves,
    scale: [0.9, 0.8],
  })
  if (to === 'mainland') addCheer(film, who, end, landed, brief)
  film.places = [from, to]
  film.ms = landed + (to === 'mainland' ? (brief ? 260 : 860) : 100)
  return film
}

/** Whoever is ashore jumps for joy. */
function addCheer(film: Film, who: string, { x, y }: Point, at: number, brief: boolean): void {
  const jumps = brief ? 1 : 3
  film
    .move(
      `${who} > g`,
      [...Array.from({ length: jumps }, (_, i) => [AT_REST, shift(0, -13 + i * 3)]).flat(), AT_REST],
      at + 90,
      brief ? 160 : 760,
    )
    .burst({
      at,
      x,
      y: y - 30,
      count: brief ? 12 : 26,
      life: brief ? 600 : 1100,
      speed: 170,
      from: 3.6,
      to: 5.8,
      gravity: 230,
      size: 4,
      fill: CONFETTI,
    })
}

// --- the stone that is taken ------------------------------------------------------------------------------------------

const PULL = { whole: 340, brief: 120 }
const CARRY = { whole: 840, brief: 380 }
/** When the stone leaves its place in the view. */
export const pulledAt = (brief: boolean): number => (brief ? PULL.brief : PULL.whole)

/** It resists, comes out with a pop, sheds the sea and flies to its owner's row. */
export function takeFilm(view: AtlantisView, { seat, at, tile, value }: OfKind<GameEvent, 'took'>, shot: Shot): Film {
  const film = new Film()
  const { brief, stage } = shot
  const layout = layoutOf(shot)
  const spot = layout.spots[at - 1]!
  const lift = tileLift(view.path[at - 1]!.below) * layout.ks
  const [pull, carry] = brief ? [PULL.brief, CARRY.brief] : [PULL.whole, CARRY.whole]
  const rock = (turn: number): Keyframe => ({ transform: `rotate(${turn}deg)` })
  film
    .move(
      `[data-stone='${at}'] > g`,
      brief ? [rock(0), rock(4)] : [rock(0), rock(-4), rock(4), rock(-3), rock(3)],
      0,
      pull,
    )
    .rings(0, spot, OVER, 0.8 * layout.ks, 1)
  const face = { x: spot.x, y: spot.y - lift }
  const start = stage.toWindow(face)
  const size = stage.scale * layout.ks
  const goal = anchorOf(seat, shot)
  const art = stoneArt(at, { kind: tile, value })
  const flyer = film.actor({ layer: 'page', x: 0, y: 0, art: `<g>${art}</g>` })
  const place = (x: number, y: number, scale: number, turn = 0): Keyframe =>
    shift(x, y, `scale(${scale}) rotate(${turn}deg)`)
  const top = Math.max(stage.room.top + 20, start.y - 64 * Math.max(0.7, stage.scale))
  film
    .show(flyer, pull)
    .move(
      flyer,
      [
        { ...place(start.x, start.y, size, 4), easing: EASE.out },
        { ...place(start.x, top, Math.max(size, 1) * 1.25, -5), offset: 0.34, easing: EASE.travel },
        { ...place(goal.x, goal.y, 0.62), opacity: 1, offset: 0.94 },
        { ...place(goal.x, goal.y, 0.4), opacity: 0 },
      ],
      pull,
      carry,
    )
    .rings(pull, spot, OVER, 1.1 * layout.ks, brief ? 1 : 2)
    .burst({
      at: pull + 30,
      ...face,
      count: brief ? 10 : 22,
      life: 640,
      speed: 150,
      from: 3.5,
      to: 5.9,
      gravity: 520,
      size: 3.2,
      floor: lift + 16,
    })
  swellRow(film, seat, pull + carry - 120)
  film.places = [String(at)]
  film.ms = pull + carry
  return film.still(pull + carry * 0.34)
}

/** The stone beneath turns up. */
export function uncoverFilm(at: number, { brief }: Shot): Film {
  const film = new Film()
  film.move(
    `[data-stone='${at}'] > g`,
    [{ transform: 'translateY(9px) scaleX(.1)' }, { transform: 'translateY(-3px) scaleX(1.05)', offset: 0.7 }, AT_REST],
    0,
    brief ? 180 : 320,
    EASE.out,
  )
  return film
}

/** The sea closes over a place. */
export function closingFilm(at: number, shot: Shot): Film {
  const film = new Film()
  const layout = layoutOf(shot)
  const spot = layout.spots[at - 1]!
  const ms = shot.brief ? 160 : 300
  film
    .rings(0, spot, 0, layout.ks, shot.brief ? 1 : 2)
    .burst({ at: 0, ...spot, count: 10, life: 700, spread: 200, box: 40, rise: 30, size: 3.5, alpha: 0.85 })
  film.ms = ms
  return film
}

// --- what is paid, bought, drawn, shown -------------------------------------------------------------------------------

/** The middle of a row of places. */
function middleOf(layout: Layout, at: number, to: number): Point {
  const [p, q] = [layout.spots[Math.floor((at + to) / 2) - 1]!, layout.spots[Math.ceil((at + to) / 2) - 1]!]
  return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 }
}

/** What is paid drops into the gap that it is for, and goes under. */
export function payFilm(view: AtlantisView, seat: number, what: { card: Kind } | { tile: Tile }, shot: Shot): Film {
  const film = new Film()
  const { brief, stage } = shot
  const layout = layoutOf(shot)
  const { move } = view
  let owed = move?.paid ?? 0
  const gap = (move ? pricedGapsBetween(view, move.from, move.at) : []).find((one) => (owed -= one.price) < 0)
  const spot = gap ? middleOf(layout, gap.at, gap.to) : placeCentre(layout, move?.at ?? 'atlantis')
  const [fly, sink] = brief ? [240, 160] : [460, 420]
  const size = Math.max(0.6, stage.scale * layout.ks)
  const art = 'tile' in what ? stoneArt(Number(gap?.at ?? 1), what.tile) : cardArt(what.card)
  addFlight(film, art, {
    from: anchorOf(seat, shot),
    to: stage.toWindow(spot),
    at: 0,
    ms: fly,
    scale: [0.9, 'tile' in what ? size : size * 0.8],
    rise: 60,
  })
  const raft = film.actor({
    ...spot,
    z: OVER,
    art: `<g transform="scale(${layout.ks * ('tile' in what ? 1 : 0.8)})">${art}</g>`,
  })
  film
    .show(raft, fly)
    .move(
      raft,
      [AT_REST, shift(0, 4), { ...shift(0, 2), opacity: 1, offset: 0.5 }, { ...shift(0, 26), opacity: 0 }],
      fly,
      sink,
    )
    .rings(fly, spot, OVER, layout.ks, brief ? 1 : 2)
    .burst({
      at: fly,
      ...spot,
      count: brief ? 8 : 14,
      life: 560,
      speed: 140,
      from: 3.6,
      to: 5.8,
      gravity: 520,
      floor: 12,
    })
  film.ms = fly + (brief ? sink : sink * 0.7)
  return film
}

/** A stone goes back to the box for cards. */
export function buyFilm(seat: number, tile: Tile, shot: Shot): Film {
  const film = new Film()
  const ms = shot.brief ? 220 : 420
  addFlight(film, stoneArt(1, tile), { from: anchorOf(seat, shot), to: (shot.stage as PathStage).deck, at: 0, ms })
  return film
}

/** A card slides from the pile into the hand; one's own turns on the way. */
export function drawFilm(seat: number, card: Kind | 'hidden', shot: Shot): Film {
  const film = new Film()
  const ms = shot.brief ? 180 : 320
  const deck = (shot.stage as PathStage).deck
  const flyer = addFlight(
    film,
    `<g class="down">${cardArt('hidden')}</g><g class="up" style="opacity:0">${cardArt(card)}</g>`,
    {
      from: deck,
      to: anchorOf(seat, shot),
      at: 0,
      ms,
      scale: [0.9, 1.1],
      rise: 20,
    },
  )
  if (card !== 'hidden')
    film
      .move(
        `${flyer} > g`,
        [{ transform: 'scaleX(1)' }, { transform: 'scaleX(.04)' }, { transform: 'scaleX(1)' }],
        ms * 0.3,
        ms * 0.5,
        EASE.even,
      )
      .hide(`${flyer} .down`, ms * 0.55)
      .show(`${flyer} .up`, ms * 0.55)
  return film
}

const SHOWN = 1500 // ms that a shown hand lies open

/** Who is stuck lays the hand open in the middle of the board. */
export function showHandFilm(seat: number, cards: (Kind | 'none')[], shot: Shot): Film {
  const film = new Film()
  const { room } = shot.stage
  const from = anchorOf(seat, shot)
  const known = cards.filter((card) => card !== 'none')
  const step = Math.min(48, (room.right - room.left - 80) / Math.max(1, known.length))
  known.forEach((card, i) => {
    const to = {
      x: (room.left + room.right) / 2 + (i - (known.length - 1) / 2) * step,
      y: (room.top + room.bottom) / 2,
    }
    const shown = film.actor({ layer: 'page', x: 0, y: 0, art: `<g>${cardArt(card)}</g>` })
    film
      .show(shown, i * 40)
      .move(shown, [shift(from.x, from.y, 'scale(.6)'), shift(to.x, to.y, 'scale(1.1)')], i * 40, 380, EASE.out)
  })
  film.ms = SHOWN
  return film.still(380 + known.length * 40)
}

// --- the bridge -------------------------------------------------------------------------------------------------------

const PLANK = 60 // ms between two

/** Planks run out over the water one by one; then the bridge stands. */
export function bridgeFilm(at: number, to: number, shot: Shot): Film {
  const film = new Film()
  const layout = layoutOf(shot)
  const [a, b] = [layout.spots[Math.max(0, at - 2)]!, layout.spots[Math.min(POSITIONS - 1, to)]!]
  const ways = [a, ...layout.spots.slice(at - 1, to), b]
  const count = 4 + 2 * (to - at)
  const bridge = `[data-bridge='${at}']`
  film.hide(bridge, 0)
  for (let i = 0; i < count; i++) {
    const along = ((i + 0.5) / count) * (ways.length - 1)
    const [p, q] = [ways[Math.floor(along)]!, ways[Math.min(ways.length - 1, Math.floor(along) + 1)]!]
    const share = along - Math.floor(along)
    const spot = { x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share - 6 * layout.ks }
    const plank = film.actor({ ...spot, z: OVER, art: `<g>${use('plank', `scale(${1.2 * layout.ks})`)}</g>` })
    film
      .show(plank, i * PLANK)
      .move(
        `${plank} > g`,
        [shift(0, -34, 'rotate(-30deg)'), { ...shift(0, 3), offset: 0.7 }, AT_REST],
        i * PLANK,
        220,
        EASE.out,
      )
  }
  const done = (count - 1) * PLANK + 220
  film.show(bridge, done).rings(done - 60, middleOf(layout, at, to), 0, layout.ks, 1)
  film.places = [String(at)]
  film.ms = done + 160
  return film.still(done + 100)
}
