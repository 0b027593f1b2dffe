// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import en from '../../games/survive/lesson/en.json'
import pt from '../../games/survive/lesson/pt.json'
import type { Language } from '../../lib/settings.svelte'
import { loadLessonTexts } from './lessonTexts'

test('a lesson that a language in progress lacks is in English', async () => {
  expect(await loadLessonTexts('survive', 'pt')).toStrictEqual(pt)
  expect(await loadLessonTexts('survive', 'xx' as Language)).toStrictEqual(en)
  expect(await loadLessonTexts('chess', 'pt')).toStrictEqual({})
})
