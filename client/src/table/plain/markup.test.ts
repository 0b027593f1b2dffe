import { expect, test } from 'vitest'
import { unmarked } from './markup'

test('marks are taken out, brackets stay', () => {
  expect(unmarked('[bold white on blue] A [/] 3 [dim]4[/dim]')).toBe(' A  3 4')
  expect(unmarked('\\[x] and [1]')).toBe('[x] and [1]')
})
