// A position of a recorded match for tests: `python -m tests.client_positions` writes them.
import type { GameTypes } from '../lib/scene.svelte'
import type { Choices } from '../lib/wire'

export interface RecordedPosition<T extends GameTypes = GameTypes> {
  /** The record and its number of lines. */
  from: string
  /** Who looks: the one who must choose, otherwise the first seat. */
  seat: number
  options: Record<string, unknown>
  /** As a page receives it. */
  view: T['View']
  choices: Choices[]
  /** The last events before it. */
  events: T['Event'][]
  /** What followed, as the same seat receives it; null after the end. */
  next: { action: number; patch: Record<string, unknown>; choices: Choices[]; events: T['Event'][] } | null
}
