import { describe, expect, it } from 'vitest'
import { BY_NAME, LAKE, ROWS, SLOTS, SPACES, beside, ways } from './geometry'

describe('the board', () => {
  it('has the spaces of the rules by their names', () => {
    expect(SPACES).toHaveLength(133)
    expect(ROWS.map((row) => row.length)).toEqual([7, 10, 11, 10, 11, 12, 11, 12, 11, 10, 11, 10, 7])
    expect([LAKE.q, LAKE.r]).toEqual([0, 0])
    expect(SPACES.filter((space) => space.isle).map((space) => space.name)).toEqual([
      'B1',
      'B10',
      'C1',
      'C11',
      'K1',
      'K11',
      'L1',
      'L10',
    ])
    expect(SLOTS.map((space) => space.name).join(' ')).toBe(
      'D4 D5 D6 D7 E4 E5 E6 E7 E8 F3 F4 F5 F6 F7 F8 F9 F10 G3 G4 G5 G7 G8 G9 H3 H4 H5 H6 H7 H8 H9 H10 I4 I5 I6 I7 I8 J4 J5 J6 J7',
    )
  })
  it('knows neighbours', () => {
    expect(beside(BY_NAME.get('J6')!, 'SE')!.name).toBe('K7')
    expect(beside(BY_NAME.get('F9')!, 'NE')!.name).toBe('E9')
    expect(beside(BY_NAME.get('A1')!, 'NW')).toBeUndefined()
  })
  it('finds ways round what lies between', () => {
    const sea = new Set(['C4', 'C5', 'C6', 'D3', 'E3'])
    const found = ways('C4', sea, (name) => name === 'C5')
    expect(found.get('E3')).toEqual(['C4', 'D3', 'E3'])
    expect(found.get('C5')).toEqual(['C4', 'C5'])
    expect(found.has('C6')).toBe(false)
  })
})
