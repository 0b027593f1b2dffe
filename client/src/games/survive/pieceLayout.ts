// Positions of figures: a view becomes a list of figures with world coordinates, none hiding another.
import { neighbourInDirection, BY_NAME, HEIGHT, placeCentre, rowOfPlace, type Point } from './boardGeometry'
import { colourOfPiece, seatOfPiece, type Kind, type SurviveView } from './view'

export interface Figure {
  /** The piece's stable key: r3, s4, c12. */
  key: string
  /** Its name in choices: "r3", "ship I9", "shark F7". */
  words: string
  kind: 'explorer' | 'swimmer' | 'ship' | Kind
  place: string
  x: number
  y: number
  scale: number
  z: number
  /** The game's colour, for explorers. */
  colour: string
  /** Whether it floats on the water. */
  afloat: boolean
  /** Those aboard a ship. */
  crew: string[]
  /** Colours whose owners may sail it, most aboard first. */
  pennants: string[]
  /** Whether a dolphin guards, or a swimmer is guarded. */
  guarded: boolean
}
/** A crowd of which only three are drawn. */
export interface Crowd {
  place: string
  x: number
  y: number
  z: number
  count: number
}
export interface Layout {
  figures: Figure[]
  crowds: Crowd[]
}

const TILE_SEATS: Point[][] = [
  [],
  [{ x: 0, y: 0 }],
  [
    { x: -13, y: 0 },
    { x: 13, y: 0 },
  ],
  [
    { x: -19, y: -2 },
    { x: 19, y: -2 },
    { x: 0, y: 4 },
  ],
]
const TILE_SCALES = [1, 0.86, 0.78, 0.68]
const SWIM_SEATS: Point[][] = [
  [],
  [{ x: 0, y: 10 }],
  [
    { x: -13, y: 8 },
    { x: 13, y: 12 },
  ],
  [
    { x: -17, y: 5 },
    { x: 17, y: 6 },
    { x: 0, y: 18 },
  ],
]
const BESIDE_SEATS: Point[][] = [
  [],
  [{ x: 14, y: 16 }],
  [
    { x: 5, y: 20 },
    { x: 24, y: 12 },
  ],
  [
    { x: -10, y: 21 },
    { x: 9, y: 24 },
    { x: 26, y: 13 },
  ],
]
const SHIP_SEATS: Point[][] = [
  [],
  [{ x: 27, y: 19 }],
  [
    { x: 11, y: 24 },
    { x: 31, y: 17 },
  ],
  [
    { x: -6, y: 25 },
    { x: 13, y: 26 },
    { x: 32, y: 17 },
  ],
]
const BEAST_SEATS: Point[][] = [
  [],
  [{ x: 0, y: 6 }],
  [
    { x: -14, y: -4 },
    { x: 14, y: 10 },
  ],
  [
    { x: -16, y: -8 },
    { x: 16, y: -3 },
    { x: -2, y: 14 },
  ],
]
const BEAST_SCALES = [1, 0.92, 0.72, 0.6]
export const SEATS_ABOARD = [-17, 0, 17]
export const SHIP_SCALE = 0.92

/** Three of a crowd: own first, then one of each other colour; own stands in front. */
function frontThreeOfCrowd(pieces: string[], own: (piece: string) => boolean): string[] {
  const seen = new Map<string, number>()
  const ranked = pieces.map((piece, i) => {
    const nth = seen.get(piece[0]!) ?? 0
    seen.set(piece[0]!, nth + 1)
    return { piece, rank: (own(piece) ? 0 : 1000) + nth * 100 + i }
  })
  const [front, left, right] = ranked.sort((a, b) => a.rank - b.rank).map((one) => one.piece)
  return [left!, right!, front!]
}

/** The seats that may sail a ship: those with most aboard (by the view's crew), and one explorer of each. */
export function seatsSteering(view: SurviveView, crew: string[]): { seat: number; piece: string }[] {
  const aboard = new Map<number, string[]>()
  for (const piece of crew) {
    const seat = seatOfPiece(view, piece)
    aboard.set(seat, [...(aboard.get(seat) ?? []), piece])
  }
  const most = Math.max(0, ...[...aboard.values()].map((pieces) => pieces.length))
  return [...aboard]
    .filter(([, pieces]) => pieces.length === most)
    .map(([seat, pieces]) => ({ seat, piece: pieces[0]! }))
}

/** How far things on the water move back so that the land in front hides less of them. */
function backwardShift(view: SurviveView, place: string): number {
  const space = BY_NAME.get(place)
  if (!space || view.tiles[place]) return 0
  const before = [neighbourInDirection(space, 'SW'), neighbourInDirection(space, 'SE')].map((one) =>
    one && view.tiles[one.name] ? HEIGHT[view.tiles[one.name]!] : 0,
  )
  return Math.max(...before) > 7 ? 9 : Math.max(...before) > 0 ? 4 : 0
}

/** The values that may be known now. Figures do not store theirs, because a figure may outlive the knowledge. */
export function knownValues(view: SurviveView): Record<string, number> {
  const own = Object.values(view.own ?? {}).map((one) => one.values ?? {})
  return Object.assign({}, ...own, view.values) as Record<string, number>
}

/** The positions of everything. `own` is the viewing seat; `keep` names pieces that must be drawn even in a crowd. */
export function layoutPieces(view: SurviveView, own: number | null, keep: string | null): Layout {
  const figures: Figure[] = []
  const crowds: Crowd[] = []
  const folk = new Map<string, string[]>()
  const isMine = (piece: string): boolean => piece === keep || (own !== null && seatOfPiece(view, piece) === own)
  const aboard = new Set(Object.values(view.aboard).flat())
  const wards = new Set(Object.values(view.wards))
  for (const [piece, place] of Object.entries(view.explorers)) {
    if (place === 'lost' || aboard.has(piece)) continue
    const there = folk.get(place)
    if (there) there.push(piece)
    else folk.set(place, [piece])
  }
  const beasts = new Map<string, [number, Kind][]>()
  for (const [id, kind, place] of view.creatures) beasts.set(place, [...(beasts.get(place) ?? []), [id, kind]])
  const ships = new Map(view.ships.map(([id, place]) => [place, id]))

  const pushExplorerFigure = (
    piece: string,
    kind: 'explorer' | 'swimmer',
    place: string,
    x: number,
    y: number,
    scale: number,
    z: number,
  ): void => {
    figures.push({
      key: piece,
      words: piece,
      kind,
      place,
      x,
      y,
      scale,
      z,
      colour: colourOfPiece(piece),
      afloat: kind === 'swimmer',
      crew: [],
      pennants: [],
      guarded: wards.has(piece),
    })
  }

  for (const [place, pieces] of folk) {
    const at = placeCentre(place)
    const row = rowOfPlace(place)
    if (place.startsWith('@')) {
      const n = pieces.length
      const gap = n < 3 ? 25 : 62 / (n - 1)
      pieces.forEach((piece, i) =>
        pushExplorerFigure(
          piece,
          'explorer',
          place,
          at.x + (n < 3 ? -8 : -31) + i * gap,
          at.y + 19 - (n > 3 ? (i % 2) * 9 : 0),
          n > 8 ? 0.62 : 0.74,
          row * 20 + 14 + (n > 3 ? 1 - (i % 2) : 0),
        ),
      )
      continue
    }
    const terrain = view.tiles[place]
    const shown = pieces.length > 3 ? frontThreeOfCrowd(pieces, isMine) : pieces
    const n = shown.length
    if (terrain) {
      const lift = HEIGHT[terrain]
      shown.forEach((piece, i) => {
        const seat = TILE_SEATS[n]![i]!
        pushExplorerFigure(
          piece,
          'explorer',
          place,
          at.x + seat.x,
          at.y - lift + 14 + seat.y,
          TILE_SCALES[n]!,
          row * 20 + 10 + (i === 2 ? 1 : 0),
        )
      })
      if (pieces.length > 3)
        crowds.push({ place, x: at.x + 25, y: at.y - lift - 14, z: row * 20 + 12, count: pieces.length })
    } else {
      const busy = beasts.has(place) || ships.has(place)
      shown.forEach((piece, i) => {
        const ship = ships.has(place)
        const seat = (ship ? SHIP_SEATS : busy ? BESIDE_SEATS : SWIM_SEATS)[n]![i]!
        pushExplorerFigure(
          piece,
          'swimmer',
          place,
          at.x + seat.x,
          at.y + seat.y,
          n > 2 ? 0.66 : n > 1 || ship ? 0.74 : busy ? 0.8 : 0.86,
          row * 20 + 15 + i,
        )
      })
      if (pieces.length > 3) crowds.push({ place, x: at.x + 28, y: at.y - 12, z: row * 20 + 18, count: pieces.length })
    }
  }

  for (const [place, here] of beasts) {
    const at = placeCentre(place)
    const row = rowOfPlace(place)
    const n = Math.min(here.length, 3)
    const withFolk = folk.has(place)
    const withShip = ships.has(place)
    here.forEach(([id, kind], i) => {
      const seat = BEAST_SEATS[n]![Math.min(i, n - 1)]!
      let [x, y, scale] = [seat.x, seat.y, BEAST_SCALES[n]!]
      if (n === 1 && withShip) [x, y, scale] = [-15, -9, 0.72]
      else if (n === 1 && withFolk) [x, y, scale] = [-8, -4, 0.78]
      else if (withShip || withFolk) [x, y, scale] = [x - 4, y - 10, scale * 0.92]
      if (i > 2) [x, y] = [x + 5 * (i - 2), y - 3 * (i - 2)]
      figures.push({
        key: `c${id}`,
        words: `${kind} ${place}`,
        kind,
        place,
        x: at.x + x,
        y: at.y + y,
        scale,
        z: row * 20 + 5 + Math.min(i, 3),
        colour: '',
        afloat: true,
        crew: [],
        pennants: [],
        guarded: String(id) in view.wards,
      })
    })
  }

  for (const [id, place] of view.ships) {
    const at = placeCentre(place)
    const row = rowOfPlace(place)
    const crew = view.aboard[place] ?? []
    const crowded = beasts.has(place)
    const [dx, dy, scale] = crowded ? [7, 9, 0.78] : folk.has(place) ? [-7, 1, 0.82] : [0, 5, SHIP_SCALE]
    figures.push({
      key: `s${id}`,
      words: `ship ${place}`,
      kind: 'ship',
      place,
      x: at.x + dx,
      y: at.y + dy,
      scale,
      z: row * 20 + 9,
      colour: '',
      afloat: true,
      crew,
      pennants: seatsSteering(view, crew).map(({ piece }) => colourOfPiece(piece)),
      guarded: false,
    })
    crew.forEach((piece, i) => {
      pushExplorerFigure(
        piece,
        'explorer',
        place,
        at.x + dx + SEATS_ABOARD[i]! * scale,
        at.y + dy - 6 * scale,
        0.68 * scale,
        row * 20 + 11,
      )
      figures[figures.length - 1]!.afloat = true
    })
  }
  for (const figure of figures) if (figure.afloat) figure.y -= backwardShift(view, figure.place)
  return { figures: figures.sort((a, b) => (a.key < b.key ? -1 : 1)), crowds }
}

/** Unchanged figures keep their identity, so that only changes are rendered. */
export function reuseFigures(before: Figure[], now: Figure[]): Figure[] {
  const old = new Map(before.map((figure) => [figure.key, figure]))
  return now.map((figure) => {
    const was = old.get(figure.key)
    return was && areEqualFigures(was, figure) ? was : figure
  })
}
function areEqualFigures(a: Figure, b: Figure): boolean {
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.z === b.z &&
    a.scale === b.scale &&
    a.kind === b.kind &&
    a.place === b.place &&
    a.guarded === b.guarded &&
    a.crew.join() === b.crew.join() &&
    a.pennants.join() === b.pennants.join()
  )
}

/** A place's height above the water. */
export const tileLiftAt = (view: SurviveView, place: string): number =>
  BY_NAME.has(place) && view.tiles[place] ? HEIGHT[view.tiles[place]!] : 0
