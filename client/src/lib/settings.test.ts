// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { chooseLanguage, languageTitle, storeAndApplySettings, settings } from './settings.svelte'

test('what is set in another page of this browser holds here, too', () => {
  const kept = { ...settings, language: 'pt', sound: false }
  localStorage.setItem('landfall.settings', JSON.stringify(kept))
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.records' }))
  expect(settings.language).not.toBe('pt')
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.settings' }))
  expect(settings).toStrictEqual(kept)
  localStorage.setItem('landfall.settings', 'no settings')
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.settings' }))
  expect(settings.language in { en: 1, pt: 1, zh: 1, bg: 1 }).toBe(true)
})

test('what was read is not written again, what is set here is', () => {
  const kept = JSON.stringify({ later: 1, theme: 'dark', language: 'bg' }) // of another version of these pages
  localStorage.setItem('landfall.settings', kept)
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.settings' }))
  storeAndApplySettings()
  expect(localStorage.getItem('landfall.settings')).toBe(kept)
  settings.theme = 'light'
  storeAndApplySettings()
  expect(JSON.parse(localStorage.getItem('landfall.settings')!)).toMatchObject({ later: 1, theme: 'light' })
})

test('who reads another script is asked before they get it', () => {
  expect(chooseLanguage(['zh-CN', 'en'])).toEqual({ language: 'zh', offered: '' })
  expect(chooseLanguage(['zh-TW', 'pt-BR'])).toEqual({ language: 'pt', offered: 'zh' })
  expect(chooseLanguage(['zh-Hant-HK'])).toEqual({ language: 'en', offered: 'zh' })
  expect(chooseLanguage(['xx', 'bg'])).toEqual({ language: 'bg', offered: '' })
  expect(languageTitle('bg')).toBe('Български')
})

test('when all is cleared in another page, this one is as new', () => {
  settings.theme = 'dark'
  localStorage.clear()
  dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(settings.theme).toBe('system')
})
