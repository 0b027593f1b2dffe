// The window and the board's part of it. There are five window classes, each with one frame; the frame leaves the
// stage.

/** Below this height, in pixels, an upright phone has no room for everything at once. */
export const LOW_PHONE_HEIGHT = 700

export type WindowClass = 'short' | 'upright' | 'tablet' | 'laptop' | 'wide'

/** The named areas of the frame. */
export const AREAS = [
  'actions',
  'hand',
  'players',
  'log',
  'clock',
  'reveal',
  'toast',
  'dice',
  'tip',
  'guide',
  'hint',
  'map',
  'menu',
  'signs',
  'prompt',
  'stocks',
] as const
export type AreaName = (typeof AREAS)[number]

/** The class of a window of this size, in CSS pixels: the first that matches. */
export function classifyWindow(width: number, height: number): WindowClass {
  if (width >= 560 && (height < 520 || (width < 1000 && height < 700))) return 'short'
  if (width < 600) return 'upright'
  if (width < 1000) return 'tablet'
  if (height < 800 || width < 1200) return 'laptop'
  return 'wide'
}

/** The stage's distance from each edge of the window, in pixels. */
export interface Frame {
  kind: WindowClass
  /** There is a sheet at the bottom. */
  phone: boolean
  left: number
  top: number
  right: number
  bottom: number
  /** Rectangles of the stage that stay free, in the window's pixels. */
  kept: Rectangle[]
}
export interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

const INSETS: Record<WindowClass, [top: number, right: number, bottom: number]> = {
  short: [60, 280, 0],
  upright: [92, 0, 204],
  tablet: [64, 0, 308],
  laptop: [64, 372, 84],
  wide: [64, 372, 84],
}

/** An estimate of the measured frame, so that the board need not be laid out twice. */
export function estimateFrame(width: number, height: number): Frame {
  const kind = classifyWindow(width, height)
  const [top, right, bottom] = INSETS[kind]
  return makeFrame(kind, { left: 0, top, right, bottom })
}

export function makeFrame(kind: WindowClass, insets: Rectangle, kept: Rectangle[] = []): Frame {
  return { kind, phone: kind === 'upright' || kind === 'tablet', ...insets, kept }
}

/** Whether two rectangles are the same, to half a pixel. */
export const isSameRectangle = (a: Rectangle, b: Rectangle): boolean =>
  (['left', 'top', 'right', 'bottom'] as const).every((side) => Math.abs(a[side] - b[side]) <= 0.5)

export const unitedRectangle = (a: Rectangle, b: Rectangle): Rectangle => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
})
