// Whether the sea may animate continuously: only with a graphics card and a sufficient frame rate, so that slow
// machines stay responsive.
import { settings, stillness } from './settings.svelte'

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i
const LOOKED_AT = 60 // frames measured
const SLOW = 28 // median ms per frame above which continuous animation stops

let card: boolean | undefined
let slow = $state(false)

/** Browsers report software rendering directly or through the card's name. */
function hasGraphicsCard(): boolean {
  try {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('webgl', { failIfMajorPerformanceCaveat: true })
    if (!context) return false
    const extension = context.getExtension('WEBGL_debug_renderer_info')
    const name = String(context.getParameter(extension?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER))
    context.getExtension('WEBGL_lose_context')?.loseContext()
    return !SOFTWARE.test(name)
  } catch {
    return false
  }
}

/**
 * Measure some frames while something animates continuously; stop it if they are too slow, also where a browser limits
 * itself to 30 per second to save power. Repeat every minute: boards differ, and phones throttle when warm.
 */
function monitorFrameRate(): void {
  if (!hasEndlessAnimation()) {
    setTimeout(monitorFrameRate, 5_000)
    return
  }
  const lasted: number[] = []
  let last = 0
  const recordFrame = (now: number): void => {
    if (last) lasted.push(now - last)
    last = now
    if (lasted.length < LOOKED_AT) requestAnimationFrame(recordFrame)
    else if (hasEndlessAnimation() && lasted.sort((a, b) => a - b)[LOOKED_AT / 2]! > SLOW) slow = true
    else setTimeout(monitorFrameRate, 60_000)
  }
  requestAnimationFrame(recordFrame)
}

function hasEndlessAnimation(): boolean {
  return document.getAnimations().some((one) => one.effect?.getComputedTiming().iterations === Infinity)
}

export function canAnimateAmbiently(): boolean {
  if (stillness.matches || settings.speed === 'none') return false
  if (card === undefined) {
    card = hasGraphicsCard()
    if (card) setTimeout(monitorFrameRate, 1500) // after the initial load
  }
  return card && !slow
}
