// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { setCatalogue } from '../../lib/i18n.svelte'
import list from '../../messages/list/en.json'
import type { Choice } from './sceneTypes'
import { playsHandTile } from './selection.svelte'
import { termText, withTerrainNote, type SurviveView } from './surviveText'

setCatalogue('en', list)
const send = { verb: 'send', creature: 'shark', piece: 'shark E5', to: 'F7', terrain: 'forest' } as Choice
const wind = { verb: 'wind', piece: 'ship E5', to: 'F7' } as Choice
const defend = { verb: 'defend', creature: 'whale', terrain: 'mountain' } as Choice

test('a choice plays the tile of its own terrain, and wind the only one there is', () => {
  expect(playsHandTile(send, { tile: 'move_shark', terrain: 'forest' })).toBe(true)
  expect(playsHandTile(send, { tile: 'move_shark', terrain: 'beach' })).toBe(false)
  expect(playsHandTile(send, { tile: 'move_whale', terrain: 'forest' })).toBe(false)
  expect(playsHandTile(wind, { tile: 'wind', terrain: 'beach' })).toBe(true)
  expect(playsHandTile(defend, { tile: 'whale_defence', terrain: 'mountain' })).toBe(true)
  expect(playsHandTile(defend, { tile: 'whale_defence', terrain: 'forest' })).toBe(false)
})

test('the terrain is said only where the hand has another of the kind', () => {
  const hand = (...tiles: [string, string][]): SurviveView =>
    ({ hand: tiles.map(([tile, terrain]) => ({ tile, terrain })) }) as unknown as SurviveView
  const noted = `Send (${termText('forest')})`
  expect(withTerrainNote(hand(['move_shark', 'forest'], ['move_shark', 'beach']), send, 'Send')).toBe(noted)
  expect(withTerrainNote(hand(['move_shark', 'forest'], ['move_shark', 'forest']), send, 'Send')).toBe('Send')
  expect(withTerrainNote(hand(['move_shark', 'forest'], ['move_whale', 'beach']), send, 'Send')).toBe('Send')
  expect(withTerrainNote(hand(['wind', 'beach'], ['wind', 'beach']), wind, 'Blow')).toBe('Blow')
})
