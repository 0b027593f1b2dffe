// Where one looks from: how near, and which part of the sea. World units become the window's pixels here.
import { firstFrame } from '../../lib/frame'
import type { Frame } from './scene'
import { FRAME, HALF, type Point } from './geometry'

const CLOSEST = 2.4
/** A space's width in pixels at which fingers can choose, and that to which a chosen piece is brought. */
export const TOUCHABLE = 44
const NEAR = 62

export class Camera {
  scale = $state(1)
  /** Where the middle of the board is in the window. */
  x = $state(0)
  y = $state(0)
  width = $state(1440)
  height = $state(900)
  /** Whether the way there is shown. */
  glides = $state(false)
  /** Whether a person has chosen what to see; then nothing else moves the board. */
  byHand = $state(false)
  /** What the shell covers at the window's edges. */
  frame: Frame & { lift?: number } = $state.raw(firstFrame(1440, 900))

  narrow = $derived(this.frame.phone)
  /** The part of the window in which the board is seen. */
  room = $derived.by(() => {
    const { left, top, right, bottom } = this.frame
    return { left, right: this.width - right, top, bottom: this.height - bottom }
  })
  private middle: Point = $derived({
    x: (this.room.left + this.room.right) / 2,
    y: (this.room.top + this.room.bottom) / 2 + (this.narrow ? 0 : 9) - (this.frame.lift ?? 0),
  })
  fitting = $derived.by(() => {
    const { left, right, top, bottom } = this.room
    return Math.max(
      0.2,
      Math.min((right - left) / (this.narrow ? 965 : 985), (bottom - top) / (this.narrow ? 770 : FRAME.height)),
    )
  })
  fits = $derived(Math.abs(this.scale - this.fitting) < 0.01)
  /** How wide a space is in pixels. */
  hex = $derived(this.scale * HALF * 2)

  /** For a moment after coming nearer: what was drawn for another scale is drawn anew. */
  sharpens = $state(false)
  private timer: ReturnType<typeof setTimeout> | undefined
  private later: ReturnType<typeof setTimeout> | undefined
  private drawnAt = 0
  /** What was brought near, as long as nobody looks elsewhere by hand. */
  private focus: Point[] | null = null

  resize(width: number, height: number, frame: Frame & { lift?: number }): void {
    const glide = (frame.lift ?? 0) !== (this.frame.lift ?? 0) || frame.bottom !== this.frame.bottom
    this.width = width
    this.height = height
    this.frame = frame
    if (this.byHand) this.stay()
    else if (this.focus) this.near(this.focus, glide)
    else this.fit(glide)
  }

  /** The whole board. */
  fit(glide = true): void {
    this.byHand = false
    this.focus = null
    this.move(this.fitting, this.middle.x, this.middle.y, glide)
  }

  /** Bring these points into the middle, near enough to be touched. */
  near(points: Point[], glide = true): void {
    this.byHand = false
    this.focus = points
    const xs = points.map((one) => one.x)
    const ys = points.map((one) => one.y)
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    const wide = (this.room.right - this.room.left) / (x1 - x0 + 110)
    const high = (this.room.bottom - this.room.top) / (y1 - y0 + 120)
    const scale = Math.max(NEAR / (HALF * 2), Math.min(wide, high, 0.92), this.fitting)
    // when not all of it fits, the first point, which is the piece, is what must be seen
    const whole = wide >= scale && high >= scale
    const [cx, cy] = whole ? [(x0 + x1) / 2, (y0 + y1) / 2] : [points[0]!.x, points[0]!.y]
    this.move(scale, this.middle.x - cx * scale, this.middle.y - cy * scale, glide)
    this.stay()
  }

  /** Nearer or farther about a point of the window. */
  zoom(factor: number, at: Point = this.middle, glide = false): void {
    const scale = Math.min(CLOSEST, Math.max(this.fitting, this.scale * factor))
    const real = scale / this.scale
    this.byHand = scale > this.fitting * 1.01
    if (!this.byHand) this.fit(glide)
    else {
      this.move(scale, at.x - (at.x - this.x) * real, at.y - (at.y - this.y) * real, glide)
      this.stay()
    }
  }

  pan(dx: number, dy: number): void {
    if (this.fits) return
    this.byHand = true
    this.x += dx
    this.y += dy
    this.stay()
  }

  /** Put a point of the world into the middle. */
  look(point: Point): void {
    this.byHand = true
    this.move(this.scale, this.middle.x - point.x * this.scale, this.middle.y - point.y * this.scale, false)
    this.stay()
  }

  toWindow(point: Point): Point {
    return { x: this.x + point.x * this.scale, y: this.y + point.y * this.scale }
  }
  toWorld(point: Point): Point {
    return { x: (point.x - this.x) / this.scale, y: (point.y - this.y) / this.scale }
  }
  sees(point: Point, margin = 40): boolean {
    const at = this.toWindow(point)
    const { left, right, top, bottom } = this.room
    return at.x > left + margin && at.x < right - margin && at.y > top + margin && at.y < bottom - margin
  }
  /** The window's frame in the world, for the small map. */
  seen = $derived.by(() => {
    const { left, right, top, bottom } = this.room
    return {
      x: (left - this.x) / this.scale,
      y: (top - this.y) / this.scale,
      width: (right - left) / this.scale,
      height: (bottom - top) / this.scale,
    }
  })

  private move(scale: number, x: number, y: number, glide: boolean): void {
    this.glides = glide
    clearTimeout(this.timer)
    if (glide) this.timer = setTimeout(() => (this.glides = false), 400)
    this.scale = scale
    this.x = x
    this.y = y
    if (Math.abs(scale / this.drawnAt - 1) > 0.02) {
      clearTimeout(this.later)
      this.later = setTimeout(() => this.sharpen(), 420)
    }
  }

  private sharpen(): void {
    this.drawnAt = this.scale
    this.sharpens = true
    requestAnimationFrame(() => requestAnimationFrame(() => (this.sharpens = false)))
  }

  /** Keep the board in the window. */
  private stay(): void {
    const { left, right, top, bottom } = this.room
    const wide = 500 * this.scale
    const high = 385 * this.scale
    const hold = (value: number, low: number, high: number, mid: number): number =>
      low > high ? mid : Math.min(high, Math.max(low, value))
    this.x = hold(this.x, right - wide, left + wide, this.middle.x)
    this.y = hold(this.y, bottom - high, top + high, this.middle.y)
  }
}
