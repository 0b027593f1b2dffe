// The places of the frame, by name: where an area's content goes in the present window. There is one table at a time.
import type { AreaName } from '../lib/windowLayout'

export const slots: Partial<Record<AreaName, HTMLElement>> = $state({})

/** Makes an element the place of that name, for as long as it is there. */
export const slot = (name: AreaName) => (node: HTMLElement) => {
  slots[name] = node
  return () => {
    if (slots[name] === node) delete slots[name]
  }
}
