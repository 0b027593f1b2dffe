// Work that need not be in the very next picture: what moves is drawn first, words and names follow.
import { pace } from './settings.svelte'

/** Do it after the next frame is drawn; at once where nothing is animated. Gives what takes it back. */
export function defer(act: () => void): () => void {
  if (!pace() || document.hidden) {
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

/** Do it when the browser has nothing better to do, soon in any case. */
export function deferUntilIdle(act: () => void): () => void {
  if (!pace() || typeof requestIdleCallback === 'undefined') return defer(act)
  const asked = requestIdleCallback(act, { timeout: 300 })
  return () => cancelIdleCallback(asked)
}
