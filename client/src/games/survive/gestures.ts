// Pointer gestures on the board: touch, drag a piece, pan, zoom.
import type { BoardInput, Hit, How } from './boardInput.svelte'
import type { Point } from './boardGeometry'
import type { Camera } from './camera.svelte'

const SLACK: Record<string, number> = { mouse: 5, pen: 7, touch: 9 }

export interface GestureHandlers {
  /** Whether a piece may be dragged. */
  drags: (key: string) => boolean
  /** A piece follows the pointer; null on release. */
  ghost: (key: string | null, at: Point) => void
  hover: (place: string | null) => void
  touched: () => void
}

/** What is under a pointer. */
export function hitUnderPointer(element: Element | null): Hit | null {
  const piece = element?.closest<HTMLElement>('[data-key]')
  if (piece) return { place: piece.dataset.at!, key: piece.dataset.key!, token: false, action: null }
  const space = element?.closest<HTMLElement>('[data-space]')
  if (!space) return null
  const { space: place, token, choice } = space.dataset
  return { place: place!, key: null, token: token !== undefined, action: token && choice ? Number(choice) : null }
}

export class Gestures {
  private down = new Map<number, Point>()
  private start: { at: Point; hit: Hit | null; kind: string } | null = null
  private mode: 'none' | 'pan' | 'drag' | 'pinch' = 'none'

  constructor(
    private readonly camera: Camera,
    private readonly choosing: BoardInput,
    private readonly wishes: GestureHandlers,
  ) {}

  handlePointerDown = (event: PointerEvent): void => {
    if (event.button) return
    this.wishes.touched()
    const at = { x: event.clientX, y: event.clientY }
    this.down.set(event.pointerId, at)
    if (this.down.size > 1) {
      this.mode = 'pinch'
      this.wishes.ghost(null, at)
      return
    }
    this.mode = 'none'
    this.start = { at, hit: hitUnderPointer(event.target as Element), kind: event.pointerType }
  }

  handlePointerMove = (event: PointerEvent): void => {
    const before = this.down.get(event.pointerId)
    if (!before) {
      if (event.pointerType === 'mouse') this.wishes.hover(hitUnderPointer(event.target as Element)?.place ?? null)
      return
    }
    const at = { x: event.clientX, y: event.clientY }
    if (this.mode === 'pinch') this.zoomByPinch(event.pointerId, at)
    else if (this.start) this.dragOrPan(event, before, at)
    this.down.set(event.pointerId, at)
  }

  private dragOrPan(event: PointerEvent, before: Point, at: Point): void {
    const { start, camera } = this
    if (this.mode === 'none') {
      if (Math.hypot(at.x - start!.at.x, at.y - start!.at.y) < (SLACK[start!.kind] ?? 7)) return
      const key = start!.hit?.key
      this.mode = key && this.wishes.drags(key) ? 'drag' : 'pan'
      if (this.mode === 'drag') this.choosing.selectPiece(key!)
      ;(event.currentTarget as Element).setPointerCapture?.(event.pointerId)
      if (this.mode === 'pan') camera.panBy(at.x - start!.at.x, at.y - start!.at.y)
      return
    }
    if (this.mode === 'pan') camera.panBy(at.x - before.x, at.y - before.y)
    else {
      this.wishes.ghost(start!.hit!.key, at)
      this.wishes.hover(hitUnderPointer(document.elementFromPoint(at.x, at.y))?.place ?? null)
    }
  }

  private zoomByPinch(id: number, at: Point): void {
    const [other] = [...this.down].filter(([one]) => one !== id)
    const was = this.down.get(id)!
    if (!other) return
    const fixed = other[1]
    const [old, now] = [Math.hypot(was.x - fixed.x, was.y - fixed.y), Math.hypot(at.x - fixed.x, at.y - fixed.y)]
    this.camera.panBy((at.x - was.x) / 2, (at.y - was.y) / 2)
    if (old > 20) this.camera.zoomAround(now / old, { x: (at.x + fixed.x) / 2, y: (at.y + fixed.y) / 2 })
  }

  handlePointerUp = (event: PointerEvent): void => {
    if (!this.down.delete(event.pointerId)) return
    const { mode, start } = this
    const at = { x: event.clientX, y: event.clientY }
    if (this.down.size) return // one finger of a pinch is still down; it does nothing until it is lifted
    this.mode = 'none'
    this.start = null
    if (mode === 'drag') {
      this.wishes.ghost(null, at)
      const hit = hitUnderPointer(document.elementFromPoint(at.x, at.y))
      if (hit && hit.place !== start!.hit!.place) this.choosing.handleTap({ ...hit, token: true }, 'mouse')
    } else if (mode === 'none' && start?.hit && event.type === 'pointerup') {
      const how: How = start.kind === 'touch' ? 'touch' : 'mouse'
      this.choosing.handleTap(start.hit, how)
    } else if (mode === 'none' && start && event.type === 'pointerup') this.choosing.closeLatest()
  }

  handleWheel = (event: WheelEvent): void => {
    event.preventDefault()
    this.camera.zoomAround(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), {
      x: event.clientX,
      y: event.clientY,
    })
  }
}
