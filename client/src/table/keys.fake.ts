// A player at a keyboard in a test: what is focused, and the keys that the table's menu names.
import { tick } from 'svelte'
import { findStops, keepFocus } from '../lib/keyboardFocus'
import { keyboardUse } from '../lib/keyboardUse.svelte'
import type { Choice } from '../lib/scene.svelte'
import { press, stepsToChoice } from './touches.fake'

const MOST = 150 // stops of a board, a hand and its buttons

/** From now on a keyboard is used. */
export function beginWithKeys(): void {
  if (!keyboardUse.begun) keepFocus()
  keyboardUse.begun = true
}

/** Press a key on what is focused; Enter and Space press a button, as in a browser. */
export async function type(key: string, init: KeyboardEventInit = {}): Promise<void> {
  const at = document.activeElement ?? document.body
  const event = press(key, at, init)
  if (!event.defaultPrevented && ['Enter', ' '].includes(key) && at.matches('button:not([disabled]), summary')) {
    at.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 0 }))
  }
  await tick()
}

/** Go on with N until what is focused fits; whether anything that can be chosen does. */
export async function goTo(selector: string): Promise<boolean> {
  const fits = (one: Element | null): boolean => one?.matches(selector) ?? false
  if (!findStops().some(fits)) return false
  for (let n = 0; n < MOST && !fits(document.activeElement); n++) await type('n')
  return fits(document.activeElement)
}

/** What a keyboard can focus of a step: a piece on a grid is its space. */
function focusableStep(step: string): string {
  const at = document.querySelector<HTMLElement>(`${step}[data-at]`)?.dataset.at
  return at ? `[role=gridcell][data-space="${at}"], button${step}` : step
}

/** Choose by N and Enter alone: what leads to the choice, then the choice. Returns whether it was made. */
export async function chooseByKeys(choice: Choice, isMade: () => boolean): Promise<boolean> {
  const selector = `[data-choice="${choice.action}"]`
  const choose = async (): Promise<boolean> => {
    for (let again = 0; again < 2 && !isMade() && (await goTo(selector)); again++) await type('Enter')
    return isMade()
  }
  for (const step of stepsToChoice(choice)) {
    if (await choose()) return true
    if (await goTo(focusableStep(step))) await type('Enter')
    if (isMade()) return true
    if (await goTo(`[role=menuitem]${step}`)) await type('Enter')
  }
  if ((await choose()) || !(await goTo(focusableStep(stepsToChoice(choice).at(-1)!)))) return isMade()
  await type('Enter', { shiftKey: true }) // the other choice of a space
  return isMade()
}
