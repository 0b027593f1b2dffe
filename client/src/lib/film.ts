// A film: what moves on a board while one event is shown. It is data: who appears where, what moves when, where water
// sprays. `table/FilmStage.svelte` shows any moment of it.

export interface Point {
  x: number
  y: number
}
/** What a film has to know of the board that shows it. */
export interface Stage {
  /** The window's pixels of a point of the board, and of one unit. */
  toWindow(point: Point): Point
  scale: number
  /** The part of the window in which a large picture may stand. */
  room: { left: number; top: number; right: number; bottom: number }
  /** The middle of a player's row or chip in the window; null: it is not on the page. */
  seatAnchor(seat: number): Point | null
}
/** How one event is to be filmed. */
export interface Shot {
  stage: Stage
  /** Somebody else's, and it does not touch the reader: only what is needed to follow it. */
  brief: boolean
  /** The displayed colour for one of the game's colours. */
  paint(colour: string): string
  /** The seat of the reader; null: a spectator. */
  reader: number | null
  /** The known events around it. */
  before: { kind: string } | undefined
  following: { kind: string }[]
}

/** Something drawn only in the film: on the board, in its units and among its pieces, or over the page, in pixels. */
export interface Actor extends Point {
  layer: 'board' | 'page'
  z: number
  /** SVG; `text` instead is a caption, `small` and of several lines if it is a sentence; `html` what turns in space. */
  art: string
  text?: string
  small?: boolean
  html?: string
}
/** What moves, moment by moment. */
export type Frames = Keyframe[]
/** One motion: of an actor's part, or of something that the board shows. */
export interface Track {
  /** A selector within the board and the actors. */
  of: string
  frames: Keyframe[]
  at: number
  ms: number
  easing: string
}
/** Drops, chips or bubbles from a point of the board. Angles are clockwise from the right; speeds are units a second. */
export interface Burst extends Point {
  at: number
  count: number
  life: number
  speed?: number
  from?: number
  to?: number
  gravity?: number
  size?: number
  fill?: string[]
  alpha?: number
  /** They start within this many ms, and within this many units. */
  spread?: number
  box?: number
  /** Bubbles: they rise at this speed instead. */
  rise?: number
  /** They circle inwards instead. */
  swirl?: boolean
  /** No drop is shown below this height. */
  floor?: number
}

export const EASE = {
  out: 'cubic-bezier(.2,.8,.2,1)',
  fall: 'cubic-bezier(.55,0,.85,.35)',
  travel: 'cubic-bezier(.45,.05,.4,1)',
  even: 'linear',
}
/** A keyframe of a place relative to an actor's own, with more transforms. */
export const shift = (x: number, y: number, more = ''): Keyframe => ({ transform: `translate(${x}px,${y}px) ${more}` })
export const AT_REST: Keyframe = { transform: 'none' }
export const use = (symbol: string, transform = ''): string => `<use href="#${symbol}" transform="${transform}"/>`
const FOAM = '#f2fffb'
export const CONFETTI = ['#ffd25e', '#ff8468', '#fdf8ec', '#66ccbf']

export class Film {
  readonly actors: Actor[] = []
  readonly tracks: Track[] = []
  readonly bursts: Burst[] = []
  /** The moments that tell it without motion. */
  readonly stills: number[] = []
  /** The places that it is about: a board that scrolls shows them. */
  places: string[] = []
  ms = 0

  /** Add an actor, invisible until it is shown; the result selects it. */
  actor(actor: Omit<Actor, 'layer' | 'z'> & Partial<Actor>): string {
    this.actors.push({ layer: 'board', z: 0, ...actor })
    return `[data-actor='${this.actors.length - 1}']`
  }
  move(of: string, frames: Keyframe[], at: number, ms: number, easing = EASE.travel): this {
    this.tracks.push({ of, frames, at, ms, easing })
    this.ms = Math.max(this.ms, at + ms)
    return this
  }
  /** Visible from `at` on, until `until`. */
  show(of: string, at: number, until?: number): this {
    this.move(of, [{ opacity: 1 }, { opacity: 1 }], at, 1, EASE.even)
    return until === undefined ? this : this.hide(of, until)
  }
  hide(of: string, at: number): this {
    return this.move(of, [{ opacity: 0 }, { opacity: 0 }], at, 1, EASE.even)
  }
  burst(burst: Burst): this {
    this.bursts.push(burst)
    return this
  }
  still(...at: number[]): this {
    this.stills.push(...at)
    return this
  }

  // --- water ----------------------------------------------------------------------------------------------------------

  /** Rings that spread on the water. */
  rings(at: number, { x, y }: Point, z: number, size = 1, count = 2): this {
    for (let i = 0; i < count; i++) {
      const ring = this.actor({
        x,
        y: y + 6,
        z,
        art: `<ellipse rx="30" ry="17" fill="none" stroke="${FOAM}" stroke-width="${4 - i}"/>`,
      })
      const start = at + i * 130
      this.move(
        `${ring} ellipse`,
        [{ transform: `scale(${0.35 * size})` }, { transform: `scale(${1.9 * size})` }],
        start,
        820,
        EASE.out,
      ).move(ring, [{ opacity: 0.95 }, { opacity: 0 }], start, 820, EASE.out)
    }
    return this
  }
  /** A plume of water with drops. */
  plume(at: number, { x, y }: Point, z: number, size = 1): this {
    const plume = this.actor({ x, y: y + 8, z, art: '<g><use href="#splash"/></g>' })
    return this.move(
      `${plume} g`,
      [
        { transform: `scale(${0.5 * size},.1)` },
        { transform: `scale(${size},${1.15 * size})`, offset: 0.38 },
        { transform: `scale(${1.25 * size},.05)` },
      ],
      at,
      560,
      EASE.out,
    )
      .move(plume, [{ opacity: 1 }, { opacity: 1, offset: 0.38 }, { opacity: 0.1 }], at, 560, EASE.out)
      .hide(plume, at + 560)
      .burst({
        at,
        x,
        y: y - 4,
        count: 16,
        life: 620,
        speed: 150 * size,
        from: 3.6,
        to: 5.8,
        gravity: 520,
        size: 3.2,
        floor: 16,
      })
  }
}

// --- spray ------------------------------------------------------------------------------------------------------------

export const BURST_MOST = 160 // circles at a time

function chance(seed: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296
}

export interface Drop extends Point {
  radius: number
  alpha: number
  fill: string
}

/** A burst's drops `t` ms into the film, relative to its point: a pure function of time. */
export function dropsAt(burst: Burst, t: number, salt = 0): Drop[] {
  const { spread = 0, speed = 90, from = 0, to = Math.PI * 2, gravity = 260, size = 3, fill = [FOAM] } = burst
  const drops: Drop[] = []
  for (let i = 0; i < burst.count; i++) {
    const roll = (n: number): number => chance(salt * 1009 + i * 31 + n)
    const age = t - burst.at - spread * roll(9)
    if (age < 0 || age > burst.life) continue
    const [s, share] = [age / 1000, age / burst.life]
    const angle = from + (to - from) * roll(1)
    const quick = speed * (0.4 + 0.6 * roll(2))
    let x = Math.cos(angle) * quick * s + (roll(5) - 0.5) * (burst.box ?? 0)
    let y = -Math.abs(Math.sin(angle)) * quick * s + 0.5 * gravity * s * s
    if (burst.swirl) {
      const [turn, radius] = [roll(1) * 6.28 + s * (5 + 4 * roll(3)), speed * (1 - share) * (0.5 + 0.5 * roll(2))]
      ;[x, y] = [Math.cos(turn) * radius, Math.sin(turn) * radius * 0.62]
    } else if (burst.rise) {
      x = (roll(1) - 0.5) * (burst.box ?? 40) + Math.sin(s * 4 + i) * 5
      y = -burst.rise * s * (0.5 + roll(2))
    }
    if (burst.floor !== undefined && y > burst.floor) continue
    drops.push({
      x,
      y,
      radius: size * (0.5 + roll(4)) * (1 - share * 0.7),
      alpha: Math.min(1, (1 - share) * 1.6) * (burst.alpha ?? 1),
      fill: fill[i % fill.length]!,
    })
  }
  return drops
}
