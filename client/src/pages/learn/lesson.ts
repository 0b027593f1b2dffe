// The words of a game's short lesson, fetched where it is read.
import type { Language } from '../../lib/settings.svelte'

export type Lesson = Record<string, string>
const files = import.meta.glob<Lesson>('../../games/*/lesson/*.json', { import: 'default' })

/** By key; none for a game without a lesson of ours. */
export async function lesson(game: string, language: Language): Promise<Lesson> {
  return (await files[`../../games/${game}/lesson/${language}.json`]?.()) ?? {}
}
