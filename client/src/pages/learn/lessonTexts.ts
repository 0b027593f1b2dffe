// The texts of a game's short lesson, loaded on demand.
import { spokenLanguages, type Language } from '../../lib/settings.svelte'

export type Lesson = Record<string, string>
const files = import.meta.glob<Lesson>('../../games/*/lesson/*.json', { import: 'default' })

/** By key; empty for a game without a lesson. */
export async function loadLessonTexts(game: string, language: Language): Promise<Lesson> {
  const found = spokenLanguages(language).map((tongue) => files[`../../games/${game}/lesson/${tongue}.json`]?.())
  return Object.assign({}, ...(await Promise.all(found))) as Lesson
}
