import { expect, test } from 'vitest'
import { overlayStyle, parsePictureBox, stripRichMarkup } from './terminalAndSvgDrawing'

test('marks are taken out, brackets stay', () => {
  expect(stripRichMarkup('[bold white on blue] A [/] 3 [dim]4[/dim]')).toBe(' A  3 4')
  expect(stripRichMarkup('\\[x] and [1]')).toBe('[x] and [1]')
})

test('a picture is measured by its view box, else by its size', () => {
  expect(parsePictureBox('<svg xmlns="x" viewBox="-10 5 720 540"><rect/></svg>')).toStrictEqual({
    x: -10,
    y: 5,
    width: 720,
    height: 540,
  })
  expect(parsePictureBox('<svg width="40" height="20"></svg>')).toStrictEqual({ x: 0, y: 0, width: 40, height: 20 })
  expect(parsePictureBox('')).toStrictEqual({ x: 0, y: 0, width: 100, height: 100 })
})

test('a box of a picture is a part of it', () => {
  const whole = { x: -10, y: 0, width: 200, height: 100 }
  expect(overlayStyle([90, 25, 20, 50], whole)).toBe('left:50%;top:25%;width:10%;height:50%')
})
