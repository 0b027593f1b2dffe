// Whether the sea may move all the time: only where a graphics card does the work, so that slow machines stay quick.
import { settings, stillness } from './settings.svelte'

let able: boolean | undefined

function hasCard(): boolean {
  try {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('webgl', { failIfMajorPerformanceCaveat: true })
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return context !== null
  } catch {
    return false
  }
}

export function lively(): boolean {
  if (stillness.matches || settings.speed === 'none') return false
  return (able ??= hasCard())
}
