// A guide as its game declares it (guides.json in the game's folder; docs/guides.md), with its words in one language.
import { get } from '../lib/http'
import type { When } from './condition'

/** What a lesson points at: a place; places of the choices or the view; a part of the table itself. */
export type Point =
  string | { choice: Record<string, unknown>; part: string; most?: number } | { view: string } | { control: string }

export interface Lesson {
  id: string
  /** Where it stands; empty for what no rulebook says. */
  rule: string
  symbol: string
  when: When
  /** The lesson waits for this. */
  until?: When
  /** And may as well be put away. */
  read?: boolean
  point?: Point[]
  /** The guide ends without it. */
  extra?: boolean
}

export interface GuideData {
  id: string
  players: number
  seat: number
  lessons: Lesson[]
  /** Rules it says nothing of. */
  rest: string[]
  texts: Record<string, string>
}

const found: Record<string, Promise<GuideData[]>> = {}

/** A game's guides, asked once in each language. */
export function guidesOf(game: string, language: string): Promise<GuideData[]> {
  const path = `/api/games/${game}/guides?language=${language}`
  const asked = (found[path] ??= get<GuideData[]>(path))
  asked.catch(() => delete found[path])
  return asked
}
