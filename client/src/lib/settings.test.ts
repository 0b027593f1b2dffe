import { expect, test } from 'vitest'
import { settings } from './settings.svelte'

test('what is set in another page of this browser holds here, too', () => {
  const kept = { ...settings, language: 'pt', sound: false }
  localStorage.setItem('landfall.settings', JSON.stringify(kept))
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.records' }))
  expect(settings.language).not.toBe('pt')
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.settings' }))
  expect(settings).toEqual(kept)
  localStorage.setItem('landfall.settings', 'no settings')
  dispatchEvent(new StorageEvent('storage', { key: 'landfall.settings' }))
  expect(settings.language in { en: 1, pt: 1, zh: 1, bg: 1 }).toBe(true)
})
