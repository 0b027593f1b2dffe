// Types of a scene with Atlandice's own view, events, choices and preview.
import type * as lib from '../../lib/scene.svelte'
import type { Choice, Event, Preview, Resource, View } from './messages.generated'

/** A scoring in progress: an emptied region, or an inventory. Only in interim views. */
export interface Scoring {
  kind: 'region' | 'inventory'
  /** The scored tile, or the clock's icon. */
  what: string
  resource: Resource | 'stock'
  counts: number[]
  tile: number | null
  points: Record<number, number>
  tilePoints: number
  gone: boolean
  returned: { market: number; region: number } | null
  revealed: string | null
  usedUp: boolean
}

/** Interim views also know the scoring in progress, and how many dice of a throw lie at their gates before their events. */
export type CityView = View & { scoring?: Scoring; thrown?: number }

export type { Choice, Event as GameEvent, CityView as View }
export type { Effect } from '../../lib/scene.svelte'
export type AnimationStep = lib.AnimationStep<CityView>
export interface GameTypes {
  View: CityView
  Event: Event
  Choice: Choice
  Preview: Preview
}
export type Scene = lib.Scene<GameTypes>

/** Something that flies between two marked places of the page (data-anchor). */
export interface Flight {
  symbol: string
  from: string
  to: string
  delay?: number
  label?: string
}
