// Whether the sea may move all the time: only where a graphics card does the work and frames come as fast as they
// should, so that slow machines stay quick.
import { settings, stillness } from './settings.svelte'

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i
const LOOKED_AT = 60 // frames
const SLOW = 28 // ms a frame, at the median: what moves all the time takes the time of what is to be seen

let card: boolean | undefined
let slow = $state(false)

/** Browsers say no by themselves, or only by the card's name. */
function hasCard(): boolean {
  try {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('webgl', { failIfMajorPerformanceCaveat: true })
    if (!context) return false
    const told = context.getExtension('WEBGL_debug_renderer_info')
    const name = String(context.getParameter(told?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER))
    context.getExtension('WEBGL_lose_context')?.loseContext()
    return !SOFTWARE.test(name)
  } catch {
    return false
  }
}

/** Look at some frames while something moves all the time; where they come too slowly, it stops. That is so, too, where a
 *  browser draws 30 a second to save power. Once a minute anew: another board takes more, and phones grow warm. */
function watch(): void {
  if (!moving()) {
    setTimeout(watch, 5_000)
    return
  }
  const lasted: number[] = []
  let last = 0
  const frame = (now: number): void => {
    if (last) lasted.push(now - last)
    last = now
    if (lasted.length < LOOKED_AT) requestAnimationFrame(frame)
    else if (moving() && lasted.sort((a, b) => a - b)[LOOKED_AT / 2]! > SLOW) slow = true
    else setTimeout(watch, 60_000)
  }
  requestAnimationFrame(frame)
}

function moving(): boolean {
  return document.getAnimations().some((one) => one.effect?.getComputedTiming().iterations === Infinity)
}

export function canMoveAmbiently(): boolean {
  if (stillness.matches || settings.speed === 'none') return false
  if (card === undefined) {
    card = hasCard()
    if (card) setTimeout(watch, 1500) // what is loaded first is drawn by then
  }
  return card && !slow
}
