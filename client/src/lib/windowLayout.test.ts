import { expect, test } from 'vitest'
import { estimateFrame, classifyWindow } from './windowLayout'

test.each([
  [1440, 900, 'wide'],
  [1920, 1080, 'wide'],
  [2560, 1440, 'wide'],
  [1200, 800, 'wide'],
  [1199, 800, 'laptop'],
  [1200, 799, 'laptop'],
  [1280, 720, 'laptop'],
  [1024, 768, 'laptop'],
  [1000, 520, 'laptop'],
  [999, 700, 'tablet'],
  [768, 1024, 'tablet'],
  [820, 1180, 'tablet'],
  [600, 700, 'tablet'],
  [599, 700, 'upright'],
  [390, 844, 'upright'],
  [360, 640, 'upright'],
  [559, 519, 'upright'],
  [195, 422, 'upright'],
  [844, 390, 'short'],
  [720, 450, 'short'],
  [932, 430, 'short'],
  [560, 519, 'short'],
  [999, 699, 'short'],
  [1600, 519, 'short'],
])('a window of %i by %i is %s', (width, height, kind) => {
  expect(classifyWindow(width, height)).toBe(kind)
})

test('the stage of the first guess has room in every window', () => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [768, 1024],
    [390, 844],
    [360, 640],
    [844, 390],
    [720, 450],
  ] as const) {
    const { left, top, right, bottom, phone, kind } = estimateFrame(width, height)
    expect(width - left - right).toBeGreaterThan(300)
    expect(height - top - bottom).toBeGreaterThan(300)
    expect(phone).toBe(kind === 'upright' || kind === 'tablet')
  }
})
