// The scene as Atlandice knows it: its own view, events, choices and preview.
import type * as lib from '../../lib/scene.svelte'
import type { CityView } from './city'
import type { Choice, Event, Preview } from './messages.generated'

export type { Choice, Event as GameEvent, CityView as View }
export type { Effect } from '../../lib/scene.svelte'
export type Stage = lib.Stage<CityView>
export interface Telling {
  View: CityView
  Event: Event
  Choice: Choice
  Preview: Preview
}
export type Scene = lib.Scene<Telling>
