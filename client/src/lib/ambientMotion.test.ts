// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const NAME = 37446
let moves = true // continuous animation on the page

/** A browser with a card of this name and this frame time in ms. */
async function page(name: string | null, ms: number): Promise<() => boolean> {
  const context = name && {
    RENDERER: 7937,
    getExtension: (what: string) => (what === 'WEBGL_debug_renderer_info' ? { UNMASKED_RENDERER_WEBGL: NAME } : null),
    getParameter: (what: number) => (what === NAME ? name : 'WebKit WebGL'),
  }
  document.getAnimations = () =>
    (moves ? [{ effect: { getComputedTiming: () => ({ iterations: Infinity }) } }] : []) as never
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => context as never)
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) =>
    setTimeout(() => frame(performance.now()), ms),
  )
  return (await import('./ambientMotion.svelte')).canAnimateAmbiently
}

beforeEach(() => {
  moves = true
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the sea moves where a card draws it with ease, and goes on', async () => {
  const canMoveAmbiently = await page('ANGLE (Qualcomm, Adreno (TM) 640, OpenGL ES 3.2)', 17)
  expect(canMoveAmbiently()).toBe(true)
  vi.advanceTimersByTime(20_000)
  expect(canMoveAmbiently()).toBe(true)
})

test('it lies still where there is no card, whatever the browser calls that', async () => {
  expect((await page(null, 17))()).toBe(false)
  vi.resetModules()
  expect(
    (await page('ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (LLVM 16.0.0)), SwiftShader driver)', 17))(),
  ).toBe(false)
  vi.resetModules()
  expect((await page('llvmpipe (LLVM 15.0.7, 128 bits)', 17))()).toBe(false)
})

test('it comes to rest where frames come too slowly', async () => {
  const canMoveAmbiently = await page('Mali-400 MP', 45)
  expect(canMoveAmbiently()).toBe(true)
  vi.advanceTimersByTime(1500 + 61 * 45 + 10)
  expect(canMoveAmbiently()).toBe(false)
})

test('frames count only while something moves, and are looked at again', async () => {
  moves = false
  const canMoveAmbiently = await page('Mali-400 MP', 45)
  expect(canMoveAmbiently()).toBe(true)
  vi.advanceTimersByTime(20_000)
  expect(canMoveAmbiently()).toBe(true)
  moves = true // a board is opened
  vi.advanceTimersByTime(5_000 + 61 * 45 + 10)
  expect(canMoveAmbiently()).toBe(false)
})
