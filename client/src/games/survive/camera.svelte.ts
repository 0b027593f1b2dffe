// The camera: zoom and visible part of the sea. Converts world units to window pixels.
import { estimateFrame, type Rectangle as Box } from '../../lib/windowLayout'
import { fitBoardAround } from './boardFit'
import type { Frame } from './sceneTypes'
import { HALF, ROW, WHOLE, type Point } from './boardGeometry'

const CLOSEST = 2.4
/** The distance of spaces in pixels at which each is 44 wide for a finger, and the automatic zoom's target. */
export const TOUCHABLE = 45
const NEAR = 64
/** A space's extent around its centre: half of it, and the figure that stands on it. */
const OWN = { left: HALF, right: HALF, top: 54, bottom: 40 }

export type Corner = 'top left' | 'top right' | 'bottom left' | 'bottom right'
export interface Size {
  wide: number
  high: number
}
/** A camera target: all choices, and the one that must be visible if not all fit. */
interface Aim {
  points: Point[]
  first: Point | null
}

export class Camera {
  scale = $state(1)
  /** The board's centre in the window. */
  x = $state(0)
  y = $state(0)
  width = $state(1440)
  height = $state(900)
  /** Whether the movement is animated. */
  glides = $state(false)
  /** Whether a person has moved the camera. */
  byHand = $state(false)
  /** The shell's part of the window; the rest is the stage. */
  frame: Frame = $state.raw(estimateFrame(1440, 900))

  /** The part of the window that shows the board. */
  ui: Box = $derived.by(() => {
    const { left, top, right, bottom } = this.frame
    return { left, right: this.width - right, top, bottom: this.height - bottom }
  })
  private middle: Point = $derived({
    x: (this.ui.left + this.ui.right) / 2,
    y: (this.ui.top + this.ui.bottom) / 2,
  })
  private whole = $derived.by(() => fitBoardAround(this.ui, this.frame.kept))
  /** The scale that shows the whole board. */
  fitting = $derived(this.whole.scale)
  fits = $derived(Math.abs(this.scale - this.fitting) < 0.01)
  /** Whether the whole board fits with touchable spaces. */
  roomy = $derived(this.fitting * HALF * 2 >= TOUCHABLE)
  /** A space's width in pixels. */
  hex = $derived(this.scale * HALF * 2)
  /** Whether spaces are touchable at the current zoom. */
  touchable = $derived(this.hex > TOUCHABLE - 0.5)

  /** Briefly after zooming in: layers rasterised at another scale are rendered again. */
  sharpens = $state(false)
  private timer: ReturnType<typeof setTimeout> | undefined
  private later: ReturnType<typeof setTimeout> | undefined
  private drawnAt = 0
  /** What should be visible now, the most important first. */
  wanted: Point[] = []
  /** The last automatic target, until somebody moves the camera. */
  private focus: Aim | null = null

  /** The window or the frame changed. If the target is still visible, the camera does not move. */
  handleResize(width: number, height: number, frame: Frame): void {
    const glide = width === this.width && height === this.height && frame.kind === this.frame.kind
    this.width = width
    this.height = height
    this.frame = frame
    if (this.byHand) this.keepBoardOnStage()
    else if (this.focus && glide && this.touchable && this.wanted.every((one) => this.isVisible(one))) return
    else if (this.focus) this.showPoints(this.wanted, this.focus.first, glide)
    else this.showWholeBoard(glide)
  }

  /** Show the whole board. */
  showWholeBoard(glide = true): void {
    this.byHand = false
    this.focus = null
    this.moveTo(this.fitting, this.whole.x, this.whole.y, glide)
  }

  /** Show the whole board if spaces are wide enough; otherwise as many of these points as can be touched. */
  showPoints(points: Point[], first: Point | null = null, glide = true): void {
    if (this.roomy || !points.length) {
      this.showWholeBoard(glide)
      return
    }
    this.byHand = false
    this.focus = { points, first }
    const box = boundingBox(points)
    const [wide, high] = [this.ui.right - this.ui.left, this.ui.bottom - this.ui.top]
    const fitting = Math.min(
      wide / (box.right - box.left + HALF * 4),
      high / (box.bottom - box.top + ROW * 2),
      NEAR / (HALF * 2),
    )
    const scale = Math.max(TOUCHABLE / (HALF * 2), fitting, this.fitting)
    const all = wide >= (box.right - box.left) * scale && high >= (box.bottom - box.top) * scale
    const at = all
      ? { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }
      : this.bestCentreFor(points, first, wide / scale, high / scale)
    this.moveTo(scale, this.middle.x - at.x * scale, this.middle.y - at.y * scale, glide)
    this.keepBoardOnStage()
  }

  /** The position that shows most of them, and always the first. */
  private bestCentreFor(points: Point[], first: Point | null, wide: number, high: number): Point {
    const wouldSee = (at: Point, one: Point): boolean =>
      Math.abs(one.x - at.x) < wide / 2 - OWN.left &&
      one.y - at.y < high / 2 - OWN.bottom &&
      at.y - one.y < high / 2 - OWN.top
    let best = { at: first ?? points[0]!, count: 0 }
    const centres = points.flatMap((a) => [a, ...points.map((b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }))])
    for (const at of centres.slice(0, 4000)) {
      if (first && !wouldSee(at, first)) continue
      const count = points.filter((one) => wouldSee(at, one)).length
      if (count > best.count) best = { at, count }
    }
    return best.at
  }

  /** Zoom around a point of the window. */
  zoomAround(factor: number, at: Point = this.middle, glide = false): void {
    const scale = Math.min(CLOSEST, Math.max(this.fitting, this.scale * factor))
    const real = scale / this.scale
    this.byHand = scale > this.fitting * 1.01
    if (!this.byHand) this.showWholeBoard(glide)
    else {
      this.moveTo(scale, at.x - (at.x - this.x) * real, at.y - (at.y - this.y) * real, glide)
      this.keepBoardOnStage()
    }
  }

  panBy(dx: number, dy: number): void {
    if (this.fits) return
    this.byHand = true
    this.glides = false
    this.x += dx
    this.y += dy
    this.keepBoardOnStage()
  }

  /** Centre a point of the world at a touchable zoom. */
  centreOn(point: Point, glide = false): void {
    this.byHand = true
    const scale = Math.max(this.scale, TOUCHABLE / (HALF * 2))
    this.moveTo(scale, this.middle.x - point.x * scale, this.middle.y - point.y * scale, glide)
    this.keepBoardOnStage()
  }

  toWindow(point: Point): Point {
    return { x: this.x + point.x * this.scale, y: this.y + point.y * this.scale }
  }
  toWorld(point: Point): Point {
    return { x: (point.x - this.x) / this.scale, y: (point.y - this.y) / this.scale }
  }
  /** Whether a space with this centre is completely visible, or at least that much of it. */
  isVisible(point: Point, margin = this.hex * 0.49): boolean {
    const at = this.toWindow(point)
    const { left, right, top, bottom } = this.ui
    return (
      at.x >= left + margin &&
      at.x <= right - margin &&
      at.y >= top + margin &&
      at.y <= bottom - margin &&
      !this.frame.kept.some((one) => at.x > one.left && at.x < one.right && at.y > one.top && at.y < one.bottom)
    )
  }
  /** A corner of the stage with room for this size and none of these points; null: there is none. */
  freeCorner(wide: number, high: number, corners: Corner[], taken: Point[]): (Point & Size) | null {
    const { left, right, top, bottom } = this.ui
    const half = { x: this.hex / 2, y: this.hex * 0.55 }
    if (right - left < wide + 16 || bottom - top < high + 16) return null
    for (const corner of corners) {
      const x = corner.endsWith('left') ? left + 8 : right - wide - 8
      const y = corner.startsWith('top') ? top + 8 : bottom - high - 8
      const isCovering = (one: Point): boolean =>
        one.x + half.x > x && one.x - half.x < x + wide && one.y + half.y > y && one.y - half.y < y + high
      if (!taken.some(isCovering)) return { x, y, wide, high }
    }
    return null
  }
  /** The stage in world units, for the small map. */
  seen = $derived.by(() => {
    const { left, right, top, bottom } = this.ui
    return {
      x: (left - this.x) / this.scale,
      y: (top - this.y) / this.scale,
      width: (right - left) / this.scale,
      height: (bottom - top) / this.scale,
    }
  })

  private moveTo(scale: number, x: number, y: number, glide: boolean): void {
    this.glides = glide
    clearTimeout(this.timer)
    if (glide) this.timer = setTimeout(() => (this.glides = false), 400)
    this.scale = scale
    this.x = x
    this.y = y
    if (Math.abs(scale / this.drawnAt - 1) > 0.02) {
      clearTimeout(this.later)
      this.later = setTimeout(() => this.redrawSharply(), 420)
    }
  }

  private redrawSharply(): void {
    this.drawnAt = this.scale
    this.sharpens = true
    requestAnimationFrame(() => requestAnimationFrame(() => (this.sharpens = false)))
  }

  /** Keep the board on the stage. */
  private keepBoardOnStage(): void {
    const { left, right, top, bottom } = this.ui
    const { scale } = this
    const clampOrCentre = (value: number, low: number, high: number, mid: number): number =>
      low > high ? mid : Math.min(high, Math.max(low, value))
    this.x = clampOrCentre(this.x, right - (WHOLE.x + WHOLE.width) * scale, left - WHOLE.x * scale, this.middle.x)
    this.y = clampOrCentre(
      this.y,
      bottom - (WHOLE.y + WHOLE.height) * scale,
      top - WHOLE.y * scale,
      this.middle.y - (WHOLE.y + WHOLE.height / 2) * scale,
    )
  }
}

/** The bounding box of points, with what stands on them. */
function boundingBox(points: Point[]): Box {
  const xs = points.map((one) => one.x)
  const ys = points.map((one) => one.y)
  return {
    left: Math.min(...xs) - OWN.left,
    right: Math.max(...xs) + OWN.right,
    top: Math.min(...ys) - OWN.top,
    bottom: Math.max(...ys) + OWN.bottom,
  }
}
