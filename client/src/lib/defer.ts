// Defers work that is not needed for the next frame: animation comes first, texts and names follow.
import { animationTimeFactor } from './settings.svelte'

/** Run after the next frame, or at once without animation. Returns a function that cancels it. */
export function deferPastNextFrame(act: () => void): () => void {
  if (!animationTimeFactor() || document.hidden) {
    act()
    return () => {}
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(act)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Run when the browser is idle, but soon in any case. */
export function deferUntilIdle(act: () => void): () => void {
  if (!animationTimeFactor() || typeof requestIdleCallback === 'undefined') return deferPastNextFrame(act)
  const asked = requestIdleCallback(act, { timeout: 300 })
  return () => cancelIdleCallback(asked)
}
