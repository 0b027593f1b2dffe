// Survive's moments as films: a tile that sinks and turns, what it releases, strikes, rescues, whirlpool and volcano.
import { AT_REST, CONFETTI, EASE, Film, shift, use, type Point, type Shot, type Stage } from '../../lib/film'
import { neighbours, BY_NAME, HEIGHT, isMirrored, placeCentre, rowOfPlace, terrainSymbol } from './boardGeometry'
import { symbolsOnTileBack } from './dock/TileBack.svelte'
import { layoutPieces, type Figure } from './pieceLayout'
import { capitalisedTerm } from './surviveText'
import { colourOfPiece, type Kind, type SurviveView, type Terrain } from './view'

const OVER = 340 // layer above everything on the board
const layerOf = (place: string): number => rowOfPlace(place) * 20

/** Art that is under water below its waterline; `.sinker` is what moves. */
const clippedAtWater = (id: string, art: string): string =>
  `<defs><clipPath id="film-${id}"><path d="M-90-150H90V17L36 19 0 37-36 19-90 17Z"/></clipPath></defs>` +
  `<g clip-path="url(#film-${id})"><g class="sinker" style="transform-origin:0 20px">${art}</g></g>`

function tileArt(place: string, terrain: Terrain): string {
  const space = BY_NAME.get(place)!
  const mirrored = isMirrored(space, terrain)
  const side = mirrored ? -1 : 1
  const palm = use('palm', `translate(${-20 * side} ${-HEIGHT.beach - 9}) scale(${0.8 * side} .8)`)
  return use(terrainSymbol(space, terrain), mirrored ? 'scale(-1 1)' : '') + (terrain === 'beach' ? palm : '')
}

/** What stands in front of a space steps back while something happens in it. */
function clearView(film: Film, place: string, from: number, ms: number): void {
  const space = BY_NAME.get(place)
  if (!space) return
  for (const { name } of neighbours(space).filter((one) => one.row === space.row + 1)) {
    const seen = (share: number): Keyframe[] => [
      { opacity: 1 },
      { opacity: share, offset: 0.08 },
      { opacity: share, offset: 0.93 },
      { opacity: 1 },
    ]
    film.move(`[data-tile='${name}']`, seen(0.5), from, ms, EASE.even)
    film.move(`[data-at='${name}']`, seen(0.75), from, ms, EASE.even)
  }
}

// --- the sinking tile: groan, fall ------------------------------------------------------------------------------------

const GROAN = { whole: 520, brief: 60 } // ms until the tile falls
const FALL = { whole: 620, brief: 460 }
/** When the view loses the tile. */
export const coastAt = (brief: boolean): number => (brief ? 300 : 820)
const SHAKEN: Keyframe[] = [
  AT_REST,
  shift(-2, 0, 'rotate(-.8deg)'),
  shift(2, 1, 'rotate(.8deg)'),
  shift(-2, 1, 'rotate(-1deg)'),
  shift(2, 2, 'rotate(1deg)'),
  shift(0, -5, 'rotate(-2deg)'),
  shift(0, 3, 'rotate(6deg)'),
]
const CHIPS = ['#e7c88e', '#b98a55', '#8a6a3a']

export function sinkingFilm(
  view: SurviveView,
  after: SurviveView,
  { at, terrain }: { at: string; terrain: Terrain },
  { brief, paint, reader }: Shot,
): Film {
  const film = new Film()
  const space = placeCentre(at)
  const height = HEIGHT[terrain]
  const [groan, fall] = brief ? [GROAN.brief, FALL.brief] : [GROAN.whole, FALL.whole]
  const tile = film.actor({
    ...space,
    z: layerOf(at) + 1,
    art: clippedAtWater(
      at,
      `${tileArt(at, terrain)}<g class="cracks" style="opacity:0">${use('cracks', `translate(0 ${-height - 4})`)}</g>`,
    ),
  })
  film.show(tile, 0, groan + fall + 10).hide(`[data-tile='${at}']`, 0)
  if (brief) film.move(`${tile} .sinker`, [AT_REST, shift(0, 2, 'rotate(5deg)')], 0, groan, EASE.even)
  else {
    film
      .move(`${tile} .cracks`, [{ opacity: 0 }, { opacity: 1 }], 0, 120, EASE.out)
      .move(`${tile} .cracks`, [{ opacity: 1 }, { opacity: 0 }], groan + 180, 160, EASE.even)
      .move(`${tile} .sinker`, SHAKEN, 60, groan - 60, EASE.even)
      .burst({
        at: 120,
        x: space.x,
        y: space.y - height + 14,
        count: 9,
        life: 460,
        speed: 60,
        from: 3.5,
        to: 5.9,
        gravity: 300,
        fill: CHIPS,
      })
    rockNeighbours(film, at, groan)
    clearView(film, at, 60, groan + fall)
  }
  film
    .move(
      `${tile} .sinker`,
      [
        shift(0, 3, 'rotate(6deg)'),
        { ...shift(5, height + 22, 'rotate(13deg)'), offset: 0.55 },
        shift(8, height + 96, 'rotate(19deg)'),
      ],
      groan,
      fall,
      EASE.fall,
    )
    .rings(groan + fall * 0.2, space, layerOf(at) + 1, 1.2, brief ? 1 : 3)
    .burst({
      at: groan + 100,
      x: space.x,
      y: space.y + 8,
      count: brief ? 10 : 22,
      life: 900,
      spread: 500,
      box: 60,
      rise: 34,
      size: 4.5,
      alpha: 0.85,
    })
  const swims = new Map(layoutPieces(after, reader, null).figures.map((figure) => [figure.key, figure]))
  const people = layoutPieces(view, reader, null).figures.filter((one) => one.place === at && one.kind === 'explorer')
  for (const person of people)
    addFall(film, person, swims.get(person.key), paint(colourOfPiece(person.key)), groan + (brief ? 100 : 220), brief)
  return film.still(brief ? groan : groan - 100, groan + fall)
}

function rockNeighbours(film: Film, at: string, from: number): void {
  const space = BY_NAME.get(at)!
  neighbours(space).forEach((one, i) => {
    const side = Math.sign(space.x - one.x)
    const rock: Keyframe[] = [
      AT_REST,
      { ...shift(0, 3, `rotate(${side * 1.6}deg)`), offset: 0.3 },
      { ...shift(0, -1.5, `rotate(${-side * 0.7}deg)`), offset: 0.65 },
      AT_REST,
    ]
    film.move(`[data-tile='${one.name}']`, rock, from + i * 25, 620)
    film.move(`[data-at='${one.name}'] svg`, rock, from + i * 25, 620)
  })
}

/** Whoever stood there clings to the tile, falls after it, and comes up as a swimmer. */
function addFall(
  film: Film,
  person: Figure,
  swimmer: Figure | undefined,
  colour: string,
  fall: number,
  brief: boolean,
): void {
  const { x, y } = person
  const end = { x: (swimmer?.x ?? x) - x, y: (swimmer?.y ?? y + 30) - y }
  const who = film.actor({
    x,
    y,
    z: person.z + 6,
    art:
      `<g class="dry" transform="scale(${person.scale})">${use(`explorer-up-${colour}`)}</g>` +
      `<g class="wet" style="opacity:0"><g transform="scale(${swimmer?.scale ?? person.scale})">${use(`swimmer-${colour}`)}</g></g>`,
  })
  film.hide(`[data-key='${person.key}']`, 0).show(who, 0)
  if (!brief)
    film.move(
      who,
      [shift(0, -8), AT_REST, shift(0, 0, 'rotate(7deg)'), shift(0, 0, 'rotate(-6deg)'), shift(0, 0, 'rotate(8deg)')],
      100,
      fall - 100,
      EASE.even,
    )
  film
    .move(
      who,
      [
        shift(0, 0, 'rotate(8deg)'),
        { ...shift(3, end.y * 0.5 - 16, 'rotate(-10deg)'), offset: 0.5 },
        shift(2, end.y + 14, 'rotate(4deg) scale(.8)'),
      ],
      fall,
      330,
      EASE.fall,
    )
    .plume(fall + 300, { x: x + end.x, y: y + end.y - 8 }, person.z + 7, brief ? 0.7 : 0.9)
    .hide(`${who} .dry`, fall + 330)
    .show(`${who} .wet`, fall + 330)
    .move(
      who,
      [
        shift(end.x, end.y + 20, 'scale(.6)'),
        { ...shift(end.x, end.y - 7, 'scale(1.08)'), offset: 0.6 },
        shift(end.x, end.y),
      ],
      fall + 350,
      brief ? 220 : 380,
      EASE.out,
    )
}

// --- the turn: what was under it --------------------------------------------------------------------------------------

const PLAQUE = { most: 172, least: 132, share: 0.42, width: 76, height: 96 } // pixels; share of the room
const RISE = 420
const TURN = { from: 430, edge: 580, read: 820 }
const HOLD = { whole: 1450, brief: 1100 }

/** The large picture's place and scale: above the hole and clear of it; near the top edge beside it. */
export function revealPlace(stage: Stage, at: string): { hole: Point; x: number; y: number; scale: number } {
  const { room, scale } = stage
  const width = Math.max(PLAQUE.least, Math.min(PLAQUE.most, (room.right - room.left) * PLAQUE.share))
  const hole = stage.toWindow(placeCentre(at))
  const wanted = hole.y - 30 * scale - width * 0.92
  const lowest = room.top + width * 0.66
  const aside = wanted < lowest ? width * 0.6 + 40 * scale : 0
  const left = hole.x < (room.left + room.right) / 2
  return {
    hole,
    x: Math.max(room.left + width * 0.62, Math.min(room.right - width * 0.62, left ? hole.x + aside : hole.x - aside)),
    y: Math.max(lowest, wanted),
    scale: width / PLAQUE.width,
  }
}

/** The tile's ground comes out of the hole, turns once and is read; the result says when it lets go, and selects it. */
function addReveal(
  film: Film,
  at: string,
  back: string | null,
  { terrain, kept }: { terrain: Terrain | ''; kept: boolean },
  { stage, brief }: Shot,
): {
  box: string
  out: number
  place: ReturnType<typeof revealPlace>
  flight: (x: number, y: number, z: number, turn?: number) => Keyframe
} {
  const place = revealPlace(stage, at)
  const flight = (x: number, y: number, z: number, turn = 0): Keyframe => shift(x, y, `scale(${z}) rotate(${turn}deg)`)
  const art = back
    ? symbolsOnTileBack(back)
        .map((one) => use(one.symbol, one.at))
        .join('')
    : `<g color="#14213d" fill="#14213d" transform="scale(2.8)">${use('ui-hand')}</g>`
  const ground = terrain ? use(`tile-${terrain}`, 'translate(0 6)') : use('plaque')
  const box = film.actor({
    layer: 'page',
    x: 0,
    y: 0,
    art:
      `<g class="front">${ground}</g><g class="back" style="opacity:0">${use('plaque')}${use(kept ? 'pool-keep' : 'pool-now')}` +
      `<g class="art"><g color="#fdf4de" transform="translate(0 -2) scale(${back ? 0.56 : 0.66})">${art}</g></g></g>`,
  })
  const { hole, x, y, scale } = place
  film
    .show(box, 0)
    .move(
      box,
      [
        flight(hole.x, hole.y + 20 * stage.scale, stage.scale * 0.8, 14),
        { ...flight((hole.x + x) / 2, hole.y - 30, scale * 0.7, -5), offset: 0.5 },
        flight(x, y, scale),
      ],
      0,
      RISE,
      EASE.out,
    )
    .burst({
      at: 0,
      ...placeCentre(at),
      count: brief ? 10 : 20,
      life: 700,
      speed: 190,
      from: 3.7,
      to: 5.7,
      gravity: 520,
      floor: 18,
    })
  film
    .move(`${box} .front`, [{ transform: 'scaleX(1)' }, { transform: 'scaleX(.02)' }], TURN.from, 150, EASE.fall)
    .hide(`${box} .front`, TURN.edge)
    .show(`${box} .back`, TURN.edge)
    .move(
      `${box} .back`,
      [{ transform: 'scaleX(.02)' }, { transform: 'scaleX(1.06)', offset: 0.7 }, { transform: 'scaleX(1)' }],
      TURN.edge,
      240,
      EASE.out,
    )
    .move(
      `${box} .art`,
      [{ transform: 'scale(.4)' }, { transform: 'scale(1.12)', offset: 0.6 }, AT_REST],
      TURN.edge + 60,
      300,
      EASE.out,
    )
  const out = brief ? HOLD.brief : HOLD.whole
  if (back) {
    const caption = film.actor({
      layer: 'page',
      x,
      y: y + PLAQUE.height * 0.5 * scale,
      art: '',
      text: capitalisedTerm(back),
    })
    film
      .move(caption, [{ opacity: 0 }, { opacity: 1 }], TURN.read - 120, 120, EASE.even)
      .move(caption, [{ opacity: 1 }, { opacity: 0 }], out - 60, 140, EASE.even)
  }
  film.still(TURN.read + 200)
  return { box, out, place, flight }
}

/** What happens now: a creature leaps into the space, everything else sinks back into it. */
export function revealFilm(at: string, back: string, terrain: Terrain | '', shot: Shot): Film {
  const film = new Film()
  const { box, out, place, flight } = addReveal(film, at, back, { terrain, kept: false }, shot)
  const { hole, x, y, scale } = place
  const ms = shot.brief ? 260 : 420
  film.move(
    box,
    [
      { ...flight(x, y, scale), opacity: 1 },
      { ...flight(x, y - 8, scale * 1.05), opacity: 1, offset: 0.25 },
      { ...flight(hole.x, hole.y + 10, shot.stage.scale * 0.4, back === 'whirlpool' ? 200 : 20), opacity: 0 },
    ],
    out,
    ms,
    EASE.fall,
  )
  if (['shark', 'whale', 'serpent', 'dolphin', 'squid'].includes(back) && !shot.brief) {
    const k = shot.stage.scale
    const [dx, dy] = [(x - hole.x) / k, (y - hole.y) / k]
    const leaper = film.actor({ ...placeCentre(at), z: OVER, art: `<g>${use(back)}</g>` })
    film
      .show(leaper, out + 60, out + 575)
      .move(
        `${leaper} g`,
        [
          shift(dx, dy, `scale(${(0.56 * scale) / k}) rotate(-18deg)`),
          { ...shift(dx * 0.5 - 20, dy * 0.9, 'scale(1.5) rotate(-38deg)'), offset: 0.4 },
          { ...shift(-8, 6, 'rotate(-62deg)'), offset: 0.8 },
          shift(-10, 46, 'scale(.3) rotate(-70deg)'),
        ],
        out + 60,
        520,
      )
      .plume(out + 490, placeCentre(at), layerOf(at) + 19, 1.2)
      .rings(out + 500, placeCentre(at), layerOf(at) + 5, 1.1)
  }
  return film
}

/** A tile that is kept flies to its owner's row; who may not know it sees only that it is kept. */
export function keepFilm(at: string, back: string | null, terrain: Terrain, seat: number, shot: Shot): Film {
  const film = new Film()
  const { box, out, place, flight } = addReveal(film, at, back, { terrain, kept: true }, shot)
  const { x, y, scale } = place
  const goal = shot.stage.seatAnchor(seat) ?? { x, y: shot.stage.room.top }
  return film
    .move(
      box,
      [
        flight(x, y, scale),
        { ...flight((x + goal.x) / 2, Math.min(y, goal.y) - 40, scale * 0.75, 8), offset: 0.45 },
        { ...flight(goal.x, goal.y, 0.34), opacity: 1, offset: 0.92 },
        { ...flight(goal.x, goal.y, 0.3), opacity: 0 },
      ],
      out,
      shot.brief ? 360 : 560,
    )
    .move(
      `[data-seat='${seat}']`,
      [{ transform: 'scale(1)' }, { transform: 'scale(1.04)' }, { transform: 'scale(1)' }],
      out + (shot.brief ? 300 : 480),
      260,
      EASE.out,
    )
}

/** A creature comes up in its space. */
export function arrivalFilm(at: string, key: string, creature: Kind, { brief }: Shot): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const comes = film.actor({
    x: centre.x,
    y: centre.y + 6,
    z: layerOf(at) + 15,
    art: clippedAtWater(`${at}-comes`, use(creature, 'scale(.92)')),
  })
  return film
    .hide(`[data-key='${key}']`, 0)
    .show(comes, 0)
    .move(
      `${comes} .sinker`,
      [shift(0, 48), { ...shift(0, -9), offset: 0.6 }, AT_REST],
      20,
      brief ? 300 : 420,
      EASE.out,
    )
    .rings(20, centre, layerOf(at) + 4, 1)
    .still(brief ? 300 : 420)
}

/** A ship falls onto the water and bounces twice. */
export function shipArrivalFilm(at: string, key: string): Film {
  const film = new Film()
  film.move(
    `[data-key='${key}'] svg`,
    [
      shift(0, -90, 'rotate(-8deg)'),
      { ...shift(0, 4, 'rotate(3deg)'), offset: 0.4 },
      { ...shift(0, -14, 'rotate(-3deg)'), offset: 0.6 },
      { ...shift(0, 2), offset: 0.8 },
      { ...shift(0, -4), offset: 0.9 },
      AT_REST,
    ],
    0,
    620,
    EASE.even,
  )
  return film
    .plume(230, placeCentre(at), layerOf(at) + 19, 1)
    .rings(240, placeCentre(at), layerOf(at) + 4, 1.3)
    .still(620)
}

// --- strikes ----------------------------------------------------------------------------------------------------------

/** A fin circles the swimmer once, then the shark bites. */
export function biteFilm(at: string, piece: string, shark: string, { brief, before }: Shot): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const circles = !brief && before?.kind !== 'removed'
  const strike = circles ? 740 : brief ? 0 : 60
  if (circles) {
    const fin = film.actor({ x: centre.x, y: centre.y + 4, z: layerOf(at) + 18, art: `<g>${use('fin')}</g>` })
    const circle = Array.from({ length: 13 }, (_, i) => {
      const angle = 2.6 - (i / 12) * 6.6
      const side = Math.sin(angle) < 0 ? 1 : -1
      const near = 0.9 + Math.sin(angle) * 0.15
      return shift(Math.cos(angle) * 34, Math.sin(angle) * 15 - 3, `scale(${side * near},${near})`)
    })
    film.show(fin, 0, 760).move(`${fin} g`, circle, 0, 760, EASE.even).still(300)
  }
  const jaws = film.actor({
    x: centre.x,
    y: centre.y + 6,
    z: layerOf(at) + 19,
    art: clippedAtWater(`${at}-bite`, use('shark', 'scale(1.15)')),
  })
  film
    .hide(`[data-key='${shark}']`, 0)
    .show(jaws, strike, strike + 620)
    .move(
      `${jaws} .sinker`,
      [
        shift(30, 52, 'rotate(30deg)'),
        { ...shift(8, -16, 'rotate(12deg) scale(1.08)'), offset: 0.34 },
        { ...shift(-2, -8, 'rotate(-6deg)'), offset: 0.5 },
        shift(-2, 52, 'rotate(-14deg)'),
      ],
      strike,
      620,
    )
    .move(
      `[data-key='${piece}'] svg`,
      [
        { ...AT_REST, opacity: 1 },
        { ...shift(-3, -10, 'rotate(-12deg)'), opacity: 1, offset: 0.5 },
        { ...shift(-4, 26, 'scale(.3)'), opacity: 0 },
      ],
      strike + 130,
      360,
      EASE.fall,
    )
    .plume(strike + 90, { x: centre.x + 6, y: centre.y }, layerOf(at) + 20, 1.1)
    .rings(strike + 460, centre, layerOf(at) + 5, 0.9)
  if (!brief) clearView(film, at, 0, film.ms)
  return film.still(strike + 240)
}

/** Whoever is taken by anything else goes under: arms of a squid, coils of a serpent. */
export function takenFilm(at: string, piece: string, by: string, beast: string, { brief }: Shot): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const strike = brief ? 0 : 260
  if (beast) film.move(`[data-key='${beast}'] svg`, LUNGE, 0, strike + 400)
  if (by === 'squid' && !brief) addArms(film, at, 0)
  return film
    .move(
      `[data-key='${piece}'] svg`,
      [
        { ...AT_REST, opacity: 1 },
        { ...shift(0, -8, 'rotate(-12deg)'), opacity: 1, offset: 0.4 },
        { ...shift(0, 30, 'scale(.4)'), opacity: 0 },
      ],
      strike,
      420,
      EASE.fall,
    )
    .plume(strike + 220, centre, layerOf(at) + 20, 0.9)
    .rings(strike + 300, centre, layerOf(at) + 5, 0.9)
    .still(strike + 200)
}

const LUNGE: Keyframe[] = [
  AT_REST,
  { ...shift(-14, -10, 'rotate(-14deg) scale(1.1)'), offset: 0.45 },
  { ...shift(26, 2, 'rotate(20deg) scale(1.22)'), offset: 0.68 },
  { ...shift(24, 4, 'rotate(16deg) scale(1.18)'), offset: 0.8 },
  AT_REST,
]
const WOOD = ['#c98a4b', '#8a5128', '#f0c07c', '#f2fffb']

/** A serpent lunges, or a whale comes up under the ship: it breaks, and those aboard are thrown into the water. */
export function wreckFilm(
  view: SurviveView,
  at: string,
  by: string,
  beast: string,
  ship: string,
  { brief, paint }: Shot,
): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const hit = brief ? 120 : 460
  const hull = `[data-key='${ship}'] svg`
  const crew = view.aboard[at] ?? []
  if (by === 'serpent' && beast) film.move(`[data-key='${beast}'] svg`, LUNGE, 0, brief ? 360 : 760)
  if (by === 'whale') {
    const fluke = film.actor({
      x: centre.x - 30,
      y: centre.y + 8,
      z: layerOf(at) + 18,
      art: clippedAtWater(`${at}-fluke`, use('fluke', 'scale(1.3)')),
    })
    film.hide(`[data-key='${beast}']`, 0).show(fluke, 0, hit)
    film.move(
      `${fluke} .sinker`,
      [shift(0, 44), { ...shift(0, -4, 'rotate(-8deg)'), offset: 0.5 }, shift(0, 48, 'rotate(10deg)')],
      0,
      hit,
    )
    film.move(hull, [AT_REST, shift(0, -24, 'rotate(-16deg)')], hit - 110, 140, EASE.out)
  }
  film
    .move(
      hull,
      [
        by === 'whale' ? shift(0, -24, 'rotate(-16deg)') : AT_REST,
        { ...shift(10, 4, `rotate(${by === 'whale' ? -40 : 11}deg)`), offset: 0.25 },
        { ...shift(12, 16, 'rotate(19deg)'), opacity: 1, offset: 0.5 },
        { ...shift(14, 46, 'rotate(34deg)'), opacity: 0 },
      ],
      hit + 30,
      720,
      EASE.fall,
    )
    .burst({
      at: hit + 40,
      x: centre.x,
      y: centre.y - 6,
      count: 22,
      life: 760,
      speed: 190,
      from: 3.4,
      to: 6,
      gravity: 480,
      size: 4.5,
      fill: WOOD,
      floor: 20,
    })
    .plume(hit + 60, { x: centre.x, y: centre.y + 4 }, layerOf(at) + 19, 1.25)
    .rings(hit + 80, centre, layerOf(at) + 2, 1.5, 3)
  for (const piece of crew) film.hide(`[data-key='${piece}']`, hit + 60)
  if (!brief)
    for (const [i, dx] of [-20, 22, 4].entries()) {
      const plank = film.actor({
        x: centre.x + dx,
        y: centre.y + 12 + i * 4,
        z: layerOf(at) + 10,
        art: `<g>${use('plank')}</g>`,
      })
      film
        .show(plank, hit + 40, hit + 1300)
        .move(
          `${plank} g`,
          [
            shift(0, -30),
            { ...shift(dx * 0.6, -22, `rotate(${90 + i * 70}deg)`), offset: 0.3 },
            { ...shift(dx, 0, `rotate(${170 + i * 40}deg)`), offset: 0.6 },
            shift(dx * 1.2, 3, `rotate(${180 + i * 40}deg)`),
          ],
          hit + 40,
          1250,
          EASE.out,
        )
    }
  crew.forEach((piece, i) => {
    const dx = (i - (crew.length - 1) / 2) * 22
    const thrown = film.actor({
      x: centre.x + dx,
      y: centre.y + 12,
      z: layerOf(at) + 18 + i,
      art: `<g>${use(`swimmer-${paint(colourOfPiece(piece))}`, 'scale(.8)')}</g>`,
    })
    film
      .show(thrown, hit + 60)
      .move(
        `${thrown} g`,
        [
          shift(0, -40),
          { ...shift(dx * 0.4, -52, `rotate(${i % 2 ? 40 : -40}deg)`), offset: 0.3 },
          { ...shift(0, 14, 'scale(.7)'), offset: 0.62 },
          { ...shift(0, -4), offset: 0.85 },
          AT_REST,
        ],
        hit + 60,
        820,
      )
  })
  if (!brief) clearView(film, at, 0, hit + 900)
  return film.still(hit + 160, hit + 860)
}

function addArms(film: Film, at: string, from: number): void {
  const { x, y } = placeCentre(at)
  for (const [i, [dx, dy]] of (
    [
      [-30, 8],
      [-12, 16],
      [14, 16],
      [32, 6],
    ] as const
  ).entries()) {
    const arm = film.actor({
      x: x + dx,
      y: y + dy,
      z: layerOf(at) + 18,
      art: `<g class="sinker">${use('squid', 'scale(.42)')}</g>`,
    })
    film
      .show(arm, from + i * 90)
      .move(
        `${arm} .sinker`,
        [shift(0, 30, 'scale(.6)'), { ...shift(0, -8, `rotate(${dx / 3}deg)`), offset: 0.4 }, shift(-dx * 0.4, 40)],
        from + i * 90,
        900,
      )
  }
}

/** Arms come up around the ship one by one and pull it straight down. */
export function swallowFilm(at: string, ship: string, crew: string[], { brief }: Shot): Film {
  const film = new Film()
  const pull = brief ? 60 : 420
  if (!brief) addArms(film, at, 0)
  for (const key of [ship, ...crew])
    film.move(
      `[data-key='${key}'] svg`,
      [
        { ...AT_REST, opacity: 1 },
        { ...shift(0, 26, 'rotate(-6deg)'), opacity: 1, offset: 0.6 },
        { ...shift(0, 70, 'rotate(-12deg) scale(.8)'), opacity: 0 },
      ],
      pull,
      700,
      EASE.fall,
    )
  return film
    .rings(pull + 200, placeCentre(at), layerOf(at) + 2, 1.4, 3)
    .burst({ at: pull + 250, ...placeCentre(at), count: 20, life: 900, spread: 400, box: 60, rise: 34, size: 4.5 })
    .still(pull + 300)
}

// --- rescue, whirlpool, volcano ---------------------------------------------------------------------------------------

/** A dolphin closes a ring around the swimmer. */
export function guardedFilm(at: string): Film {
  const film = new Film()
  const { x, y } = placeCentre(at)
  const ring = film.actor({
    x,
    y: y + 4,
    z: layerOf(at) + 4,
    art: '<ellipse rx="34" ry="24" fill="#bff1ff" fill-opacity=".5" stroke="#eefaf5" stroke-width="3"/>',
  })
  return film
    .move(ring, [{ opacity: 0 }, { opacity: 1, offset: 0.4 }, { opacity: 0 }], 0, 420, EASE.out)
    .move(`${ring} ellipse`, [{ transform: 'scale(.5)' }, { transform: 'scale(1.15)' }], 0, 420, EASE.out)
    .still(170)
}

/** A shield over the place of an attack, with the creature that it holds off. */
export function defendedFilm(at: string, creature: Kind): Film {
  const film = new Film()
  const { x, y } = placeCentre(at)
  const shield = film.actor({
    x,
    y: y - 6,
    z: OVER,
    art: `<g>${use('back-defence', 'scale(1.15)')}${use(creature, 'translate(0 8) scale(.55)')}</g>`,
  })
  return film
    .show(shield, 0)
    .move(`${shield} g`, [{ transform: 'scale(0)' }, AT_REST], 0, 300, EASE.out)
    .still(300)
}

/** Whoever is ashore jumps for joy. */
export function rescueFilm(isle: string, piece: string, { brief }: Shot): Film {
  const film = new Film()
  const ashore = 380 // the figure's own way there
  const jumps = brief ? 1 : 3
  film.move(
    `[data-key='${piece}'] svg`,
    [...Array.from({ length: jumps }, (_, i) => [AT_REST, shift(0, -13 + i * 3)]).flat(), AT_REST],
    ashore,
    brief ? 240 : 820,
  )
  const { x, y } = placeCentre(isle)
  if (!brief)
    film.burst({
      at: ashore + 60,
      x,
      y: y - 30,
      count: 26,
      life: 1100,
      speed: 170,
      from: 3.6,
      to: 5.8,
      gravity: 230,
      size: 4,
      fill: CONFETTI,
    })
  return film.still(ashore + 60)
}

/** Everything afloat in reach spirals in as itself. */
export function whirlpoolFilm(at: string, swept: Figure[], { stage }: Shot): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const whirl = film.actor({
    x: centre.x,
    y: centre.y + 6,
    z: layerOf(at) + 4,
    art: `<g transform="scale(1 .72)"><g class="whirl">${use('maelstrom')}</g></g>`,
  })
  const hole = stage.toWindow(centre)
  const radius = Math.round(90 * stage.scale)
  const dim = film.actor({
    layer: 'page',
    x: 0,
    y: 0,
    art:
      `<defs><radialGradient id="film-dim" gradientUnits="userSpaceOnUse" cx="${hole.x}" cy="${hole.y}" r="${radius * 3}">` +
      '<stop offset=".33" stop-color="#06142c" stop-opacity="0"/><stop offset="1" stop-color="#06142c" stop-opacity=".5"/></radialGradient></defs>' +
      `<rect x="${stage.room.left}" y="${stage.room.top}" width="${stage.room.right - stage.room.left}" height="${stage.room.bottom - stage.room.top}" fill="url(#film-dim)"/>`,
  })
  film
    .move(
      dim,
      [{ opacity: 0 }, { opacity: 1, offset: 0.14 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }],
      0,
      2000,
      EASE.even,
    )
    .show(whirl, 0, 1899)
    .move(
      `${whirl} .whirl`,
      [
        { transform: 'scale(.1) rotate(0)' },
        { transform: 'scale(.95) rotate(-300deg)', offset: 0.3 },
        { transform: 'scale(1) rotate(-900deg)', offset: 0.8 },
        { transform: 'scale(.2) rotate(-1180deg)' },
      ],
      0,
      1900,
      EASE.even,
    )
    .burst({ at: 200, x: centre.x, y: centre.y + 6, count: 44, life: 900, spread: 800, speed: 110, swirl: true })
  const away = (one: Figure): number => Math.hypot(one.x - centre.x, (one.y - centre.y) / 0.62)
  ;[...swept]
    .sort((a, b) => away(a) - away(b))
    .forEach((one, i) => {
      const [dx, dy] = [one.x - centre.x, one.y - centre.y - 6]
      const [start, far] = [Math.atan2(dy / 0.62, dx), Math.max(away(one), 8)]
      const spiral = Array.from({ length: 21 }, (_, n) => {
        const share = n / 20
        const angle = start - share * share * 11
        const r = far * (1 - share ** 1.6)
        return {
          ...shift(
            Math.cos(angle) * r - dx,
            Math.sin(angle) * r * 0.62 - dy,
            `rotate(${-share * share * 150}deg) scale(${1 - share * 0.8})`,
          ),
          opacity: share > 0.93 ? 0 : 1,
        }
      })
      film.move(`[data-key='${one.key}'] svg`, spiral, 250 + Math.min(i * 80, 400), 1250, EASE.even)
    })
  return film.still(700, 1890)
}

/** The end: tremor, red light, the cone, fire and ash. */
export function volcanoFilm(at: string, { stage }: Shot): Film {
  const film = new Film()
  const centre = placeCentre(at)
  const tremor = Array.from({ length: 9 }, (_, i) => ({
    translate: i % 8 ? `${i % 2 ? 3 : -3}px ${(i % 3) - 1}px` : '0px 0px',
  }))
  film.move('.world', tremor, 0, 620, EASE.even)
  const glow = film.actor({ ...centre, z: OVER, art: `<g><circle r="190" fill="url(#g-lava)"/></g>` })
  film.move(
    glow,
    [
      { opacity: 0 },
      { opacity: 1, offset: 0.3 },
      { opacity: 0.75, offset: 0.5 },
      { opacity: 1, offset: 0.75 },
      { opacity: 0.8 },
    ],
    500,
    3000,
  )
  const red = film.actor({
    layer: 'page',
    x: 0,
    y: 0,
    art: `<rect x="${stage.room.left}" y="${stage.room.top}" width="${stage.room.right - stage.room.left}" height="${stage.room.bottom - stage.room.top}" fill="#96141f"/>`,
  })
  film.move(
    red,
    [{ opacity: 0 }, { opacity: 0.1, offset: 0.1 }, { opacity: 0.32, offset: 0.35 }, { opacity: 0.26 }],
    0,
    3600,
    EASE.even,
  )
  const cone = film.actor({
    x: centre.x,
    y: centre.y + 16,
    z: OVER + 1,
    art: `<g style="transform-origin:0 70px"><g transform="scale(1.9)">${use('eruption')}</g></g>`,
  })
  film
    .show(cone, 560)
    .move(
      `${cone} > g`,
      [shift(0, 90, 'scale(.3,.05)'), { ...shift(0, 0, 'scale(1.05,1.1)'), offset: 0.6 }, AT_REST],
      560,
      700,
      EASE.out,
    )
    .burst({
      at: 900,
      x: centre.x,
      y: centre.y - 90,
      count: 60,
      life: 1900,
      spread: 1500,
      speed: 430,
      from: 4.1,
      to: 5.3,
      gravity: 420,
      size: 5,
      fill: ['#ffd25e', '#ffb64d', '#f2644b', '#7f1424'],
    })
    .burst({
      at: 1000,
      x: centre.x,
      y: centre.y - 120,
      count: 40,
      life: 2200,
      spread: 900,
      box: 150,
      rise: 90,
      size: 11,
      fill: ['#3a3040', '#57495a', '#2a2438'],
      alpha: 0.5,
    })
  film.ms = 3800
  return film.still(1700)
}
