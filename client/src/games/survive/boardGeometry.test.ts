import { describe, expect, it } from 'vitest'
import { BY_NAME, neighbourInDirection, shortestRoutes } from './boardGeometry'

describe('the board', () => {
  it('knows neighbours', () => {
    expect(neighbourInDirection(BY_NAME.get('J6')!, 'SE')!.name).toBe('K7')
    expect(neighbourInDirection(BY_NAME.get('F9')!, 'NE')!.name).toBe('E9')
    expect(neighbourInDirection(BY_NAME.get('A1')!, 'NW')).toBeUndefined()
  })
  it('finds ways round what lies between', () => {
    const sea = new Set(['C4', 'C5', 'C6', 'D3', 'E3'])
    const found = shortestRoutes('C4', sea, (name) => name === 'C5')
    expect(found.get('E3')).toEqual(['C4', 'D3', 'E3'])
    expect(found.get('C5')).toEqual(['C4', 'C5'])
    expect(found.has('C6')).toBe(false)
  })
})
