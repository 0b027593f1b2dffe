// @vitest-environment happy-dom
// The page of a table in positions of every phase: what is drawn, what a touch and a key send.
import type { RecordedPosition } from '../recordedPosition'
import { expect, test } from 'vitest'
import { beginWithKeys, goTo, type } from '../../table/keys.fake'
import { checkPositions, openPosition, positionOf } from '../../table/positionChecks.fake'
import { findTouchable, press, touch } from '../../table/touches.fake'
import { POSITIONS } from './positions.generated'

const all = POSITIONS as unknown as RecordedPosition[]
checkPositions(all, ['buy', 'move', 'move_pay', 'hop', 'pay_card', 'pay_tile'])

const cell = (place: string): Element => document.querySelector(`[role=gridcell][data-space="${place}"]`)!

test('a figure, then a place that a card reaches: its card is played', async () => {
  const position = positionOf(all, 'start', 'move')
  const page = await openPosition(position)
  const move = page.choices.find((choice) => choice.verb === 'move')! as unknown as Record<string, string>
  page.takeSent()
  touch(findTouchable(`[data-piece="${move.figure}"]`)!)
  expect(document.querySelectorAll('[role=gridcell][aria-selected=true]').length).toBe(1)
  touch(cell(move.to!))
  expect(page.takeSent()).toMatchObject([{ t: 'play', action: Number(move.action) }])
})

test('a place beyond every card is asked about', async () => {
  const page = await openPosition(positionOf(all, 'start', 'move'))
  page.takeSent()
  touch(findTouchable('[role=gridcell][data-piece]')!)
  touch(cell('mainland'))
  expect(page.takeSent()).toMatchObject([{ t: 'explain', place: 'mainland' }])
})

test('arrows go along the path, Home and End to its ends', async () => {
  await openPosition(positionOf(all, 'start', 'move'))
  const focused = (): string | null => document.activeElement!.getAttribute('data-space')
  cell('7').dispatchEvent(new FocusEvent('focus'))
  press('ArrowRight', cell('7'))
  expect(focused()).toBe('8')
  press('ArrowLeft', cell('8'))
  expect(focused()).toBe('7')
  press('End', cell('7'))
  expect(focused()).toBe('mainland')
  press('Home', cell('mainland'))
  expect(focused()).toBe('atlantis')
})

test('a tile is chosen to buy with, then the purchase is confirmed', async () => {
  const page = await openPosition(positionOf(all, 'start', 'buy'))
  const buy = page.choices.find((choice) => choice.verb === 'buy')! as unknown as Record<string, string>
  page.takeSent()
  touch(findTouchable(`[data-tile="${buy.tile}${buy.value}"]`)!)
  expect(page.takeSent()).toStrictEqual([])
  press('e')
  expect(page.takeSent()).toMatchObject([{ t: 'play', action: Number(buy.action) }])
})

test('a gap is chosen first and bridged by the second touch; another gap is chosen instead', async () => {
  const page = await openPosition(positionOf(all, 'bridging'))
  const [one, other] = page.choices.filter((choice) => choice.verb === 'bridge') as unknown as {
    at: number
    action: number
  }[]
  page.takeSent()
  touch(cell(`${one!.at}`))
  touch(cell(`${other!.at}`))
  expect(page.takeSent()).toStrictEqual([])
  touch(cell(`${other!.at}`))
  expect(page.takeSent()).toMatchObject([{ t: 'play', action: other!.action }])
})

test('a bill is paid once enough is chosen, and not before', async () => {
  const page = await openPosition(positionOf(all, 'paying'))
  page.takeSent()
  press('e')
  expect(page.takeSent()).toStrictEqual([])
  const pays = new Set(page.choices.map((choice) => choice.action))
  for (const one of document.querySelectorAll(':is([data-card], [data-tile])[aria-pressed=false]')) {
    touch(one)
    press('e')
    if (page.hasSent('play')) break
  }
  const sent = page.takeSent()
  expect(sent.map((command) => command.t)).toStrictEqual(['play'])
  expect(pays).toContain((sent[0] as { action: number }).action)
})

test('by keys alone: a card before its figure, a figure on the shore, a purchase, a payment', async () => {
  beginWithKeys()
  const page = await openPosition(positionOf(all, 'start', 'move'))
  page.takeSent()
  const move = page.choices.find((choice) => choice.verb === 'move')! as unknown as Record<string, string>
  expect(await goTo(`[data-card="${move.card}"]`)).toBe(true)
  await type('Enter')
  if (!document.querySelector(`[data-piece="${move.figure}"][aria-selected=true]`)) {
    expect(await goTo(`[data-piece="${move.figure}"]`)).toBe(true)
    await type('Enter')
  }
  await type('e')
  expect(page.takeSent().filter((command) => command.t === 'play')).toMatchObject([{ action: Number(move.action) }])
  await page.close()

  const buyer = await openPosition(positionOf(all, 'start', 'buy'))
  const buy = buyer.choices.find((choice) => choice.verb === 'buy')! as unknown as Record<string, string>
  expect(await goTo(`[data-tile="${buy.tile}${buy.value}"]`)).toBe(true)
  await type('Enter')
  buyer.takeSent()
  await type('e')
  expect(buyer.takeSent()).toMatchObject([{ t: 'play', action: Number(buy.action) }])
  await buyer.close()

  const payer = await openPosition(positionOf(all, 'paying'))
  payer.takeSent()
  for (const one of [...document.querySelectorAll<HTMLElement>(':is([data-card], [data-tile])[data-stop]')]) {
    if (
      !payer.hasSent('play') &&
      (await goTo(`[data-${one.dataset.card ? 'card' : 'tile'}="${one.dataset.card ?? one.dataset.tile}"]`))
    )
      await type('Enter')
    await type('e')
    if (payer.hasSent('play')) break
  }
  expect(payer.hasSent('play')).toBe(true)
})

test('a figure on the shore is reached by N', async () => {
  beginWithKeys()
  const position = all.find(({ view }) => {
    const seats = (view as unknown as { seats: { figures: Record<string, string> }[] }).seats
    return view.phase === 'start' && Object.values(seats[view.actor]?.figures ?? {}).includes('atlantis')
  })
  const page = await openPosition(position!)
  const waiting = document.querySelector<HTMLElement>('[role=gridcell]:not([data-space])[data-stop]')
  expect(waiting, 'a figure waits on Atlantis').not.toBeNull()
  expect(await goTo(`[role=gridcell]:not([data-space])[data-piece="${waiting!.dataset.piece}"]`)).toBe(true)
  await type('Enter')
  expect(waiting!.getAttribute('aria-selected')).toBe('true')
  expect(page.hasSent('play')).toBe(false)
})
