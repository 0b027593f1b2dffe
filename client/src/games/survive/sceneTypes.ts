// Types of a scene with Survive's own view, events, choices and preview.
import type * as lib from '../../lib/scene.svelte'
import type { Choice, Event, Preview, View } from './messages.generated'

export type { Choice, Event as GameEvent, View }
export type { Effect, Frame } from '../../lib/scene.svelte'
export type AnimationStep = lib.AnimationStep<View>
export interface GameTypes {
  View: View
  Event: Event
  Choice: Choice
  Preview: Preview
}
export type Scene = lib.Scene<GameTypes>
