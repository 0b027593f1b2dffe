import { expect, test } from 'vitest'
import { stripMarkup } from './markup'

test('marks are taken out, brackets stay', () => {
  expect(stripMarkup('[bold white on blue] A [/] 3 [dim]4[/dim]')).toBe(' A  3 4')
  expect(stripMarkup('\\[x] and [1]')).toBe('[x] and [1]')
})
