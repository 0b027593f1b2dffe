// A guide as its game declares it (guides.json in the game's folder; docs/guides.md), with its texts in one language.
import { get } from '../lib/http'
import type { When } from './lessonTrigger'

/** What a lesson points at: a place; places of the choices or the view; a part of the table. */
export type Point =
  string | { choice: Record<string, unknown>; part: string; most?: number } | { view: string } | { control: string }

export interface Lesson {
  id: string
  /** The rule it explains; empty if there is none. */
  rule: string
  symbol: string
  when: When
  /** The lesson ends when this holds. */
  until?: When
  /** It may also be dismissed. */
  read?: boolean
  point?: Point[]
  /** Optional: the guide can end without it. */
  extra?: boolean
}

export interface GuideData {
  id: string
  players: number
  seat: number
  lessons: Lesson[]
  /** Rules it does not cover. */
  rest: string[]
  texts: Record<string, string>
}

const found: Record<string, Promise<GuideData[]>> = {}

/** A game's guides, fetched once per language. */
export function fetchGuides(game: string, language: string): Promise<GuideData[]> {
  const path = `/api/games/${game}/guides?language=${language}`
  const asked = (found[path] ??= get<GuideData[]>(path))
  asked.catch(() => delete found[path])
  return asked
}
