// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { setCatalogue } from '../../lib/i18n.svelte'
import { contentsByPlace, spaceLabel } from './accessibleText'
import { BY_NAME, neighbourInDirection, shortestRoutes, SPACES } from './boardGeometry'
import own from './messages/en.json'
import type { SurviveView } from './view'

describe('the board', () => {
  it('knows neighbours', () => {
    expect(neighbourInDirection(BY_NAME.get('J6')!, 'SE')!.name).toBe('K7')
    expect(neighbourInDirection(BY_NAME.get('F9')!, 'NE')!.name).toBe('E9')
    expect(neighbourInDirection(BY_NAME.get('A1')!, 'NW')).toBeUndefined()
  })
  it('names a space by the isle beside it', () => {
    setCatalogue('en', own)
    const view = { tiles: {}, explorers: {}, aboard: {}, ships: [], creatures: [] } as unknown as SurviveView
    const isles = { NW: 'north-west', NE: 'north-east', SW: 'south-west', SE: 'south-east' }
    for (const [isle, words] of Object.entries(isles))
      for (const { name } of SPACES.filter((space) => space.isle === `@${isle}`))
        expect(spaceLabel(view, contentsByPlace(view), name, {})).toContain(`next to the ${words} isle`)
  })
  it('finds ways round what lies between', () => {
    const sea = new Set(['C4', 'C5', 'C6', 'D3', 'E3'])
    const found = shortestRoutes('C4', sea, (name) => name === 'C5')
    expect(found.get('E3')).toStrictEqual(['C4', 'D3', 'E3'])
    expect(found.get('C5')).toStrictEqual(['C4', 'C5'])
    expect(found.has('C6')).toBe(false)
  })
})
