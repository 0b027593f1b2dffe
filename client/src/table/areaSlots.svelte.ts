// The frame's slots by name: where an area's content goes in the current window class. There is one table at a time.
import type { AreaName } from '../lib/windowLayout'

export const slots: Partial<Record<AreaName, HTMLElement>> = $state({})

/** Makes an element the slot of that name while it is mounted. */
export const registerSlot = (name: AreaName) => (node: HTMLElement) => {
  slots[name] = node
  return () => {
    if (slots[name] === node) delete slots[name]
  }
}
