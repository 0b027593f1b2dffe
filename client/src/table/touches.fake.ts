// A player in a test: touches, keys, and the way to a choice.
import { flushSync } from 'svelte'
import { optionalField, type Choice } from '../lib/scene.svelte'

export function touch(element: Element): void {
  const init = { bubbles: true, cancelable: true, pointerId: 1, pointerType: 'mouse', button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', init))
  element.dispatchEvent(new PointerEvent('pointerup', init))
  element.dispatchEvent(new MouseEvent('click', init))
  flushSync()
}

export function press(key: string, target: Element = document.body, init: KeyboardEventInit = {}): KeyboardEvent {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...init })
  target.dispatchEvent(event)
  flushSync()
  return event
}

/** What can be touched now: neither covered nor disabled. */
export function findTouchable(selector: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLButtonElement>(selector)]
  return all.find((one) => !one.closest('[inert]') && !one.disabled)
}

const HAND_TILES: Record<string, string> = { wind: 'wind', swim_by_dolphin: 'dolphin' }

/** What leads to a choice, in order: its tile or card, its piece, its place. */
export function stepsToChoice(choice: Choice): string[] {
  const of = choice as Choice & Record<string, unknown>
  const tile = choice.verb === 'send' ? `move_${of.creature}` : (HAND_TILES[choice.verb] ?? `${of.tile}${of.value}`)
  const place = of.at ?? of.to ?? of.sector
  return [
    `[data-tile="${tile}"]`,
    `[data-piece="${of.piece ?? of.figure}"]`,
    ...(choice.verb === 'bridge' ? ['[data-control=bridge]'] : []),
    `[data-space="${place}"]`,
  ]
}

/** Touch what leads to a choice, then the choice. Returns whether it was found. */
export function touchChoice(choice: Choice): boolean {
  const selector = `[data-choice="${choice.action}"]`
  for (const step of stepsToChoice(choice)) {
    if (findTouchable(selector)) break
    const found = findTouchable(step)
    if (found && !found.closest('[role=menu]')) touch(found)
  }
  const found = findTouchable(selector)
  if (!found) return false
  touch(found)
  return true
}

/** One choice of each verb, and of each kind of creature. */
export function oneChoiceOfEachVerb(choices: Choice[], without: string[]): Choice[] {
  const known = new Set<string>()
  return choices.filter((choice) => {
    const name = `${choice.verb} ${optionalField(choice as Choice & { creature?: string }, 'creature') ?? ''}`
    return !without.includes(choice.verb) && !known.has(name) && known.add(name)
  })
}
