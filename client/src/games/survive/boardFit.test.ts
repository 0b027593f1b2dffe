import { expect, test } from 'vitest'
import { fitBoardAround } from './boardFit'
import { HALF } from './boardGeometry'

const STAGE = { left: 0, top: 58, right: 1068, bottom: 896 }
const BUTTONS = { left: 734, top: 838, right: 1058, bottom: 890 }
const DICE = { left: 14, top: 816, right: 362, bottom: 890 }

test('without panels the board is as large as the stage, and no larger than allowed', () => {
  const { scale, x, y } = fitBoardAround(STAGE, [])
  expect(scale).toBeCloseTo((896 - 58) / 756, 2)
  expect(x).toBeCloseTo(534, 0)
  expect(y - 384 * scale).toBeGreaterThanOrEqual(57.9)
  expect(fitBoardAround({ left: 0, top: 0, right: 5000, bottom: 5000 }, []).scale).toBe(1.5)
})

test('panels in corners cost less than a row of their height', () => {
  const { scale, x, y } = fitBoardAround(STAGE, [BUTTONS, DICE])
  expect(scale * HALF * 2).toBeGreaterThan(72)
  const row = fitBoardAround({ ...STAGE, bottom: DICE.top }, [])
  expect(scale).toBeGreaterThan(row.scale)
  const last = { left: x - 3.5 * HALF * 2 * scale, right: x + 3.5 * HALF * 2 * scale, foot: y + 361 * scale }
  for (const panel of [BUTTONS, DICE])
    expect(last.foot < panel.top || last.right < panel.left || last.left > panel.right).toBe(true)
})
