// What holds for the page of every recorded position, whatever the game.
import { afterEach, expect, test } from 'vitest'
import type { RecordedPosition } from '../games/recordedPosition'
import { beginWithKeys, chooseByKeys } from './keys.fake'
import { TablePage } from './tablePage.fake'
import { findTouchable, oneChoiceOfEachVerb, press, touch, touchChoice } from './touches.fake'

let page: TablePage | undefined
afterEach(async () => {
  await page?.close()
  page = undefined
})

export async function openPosition(...how: Parameters<typeof TablePage.open>): Promise<TablePage> {
  return (page = await TablePage.open(...how))
}

/** The position of a phase; of several the one with that verb. */
export function positionOf(all: RecordedPosition[], phase: string, verb?: string): RecordedPosition {
  const found = all.find(
    (one) => one.view.phase === phase && (!verb || one.choices.some((group) => group.verb === verb)),
  )
  if (!found) throw new Error(`no position of ${phase} ${verb ?? ''} is recorded`)
  return found
}

/** A text of the page that names a message instead of saying it, or has an open placeholder. */
const UNSAID = /\{\w+[,:}]|\b(survive|atlantis|atlandice|shell|table|event|ask|wait|why|act|term)\.[a-z_.]+\b/

/** Every kind of choice is made by N and Enter; the focus is never on nothing. */
async function checkKeys(opened: TablePage, several: string[]): Promise<void> {
  beginWithKeys()
  await opened.settle()
  const kinds = oneChoiceOfEachVerb(opened.choices, several)
  for (const choice of kinds) {
    const isMade = (): boolean => opened.hasSent('play')
    expect(await chooseByKeys(choice, isMade), `${choice.text} is chosen by keys`).toBe(true)
    const play = opened.takeSent().find((command) => command.t === 'play')!
    expect(play.action, choice.text).toBe(choice.action)
    await opened.settle()
    expect(document.activeElement, `focus after ${choice.text}`).not.toBe(document.body)
    opened.refuse(play.id)
    for (let n = 0; n < 3; n++) press('Escape', document.activeElement!)
    await opened.settle()
    opened.takeSent()
  }
}

/** `several` are verbs of choices that one touch does not make: the game's own tests make them. */
export function checkPositions(all: RecordedPosition[], several: string[] = []): void {
  for (const position of all) {
    const { view } = position
    test(`${position.from} (${view.phase}): every kind of choice is made by touch; what follows is drawn`, async () => {
      const opened = await openPosition(position)
      expect(document.body.textContent).not.toMatch(UNSAID)
      opened.takeSent()
      for (const choice of oneChoiceOfEachVerb(opened.choices, several)) {
        expect(touchChoice(choice), `${choice.text} can be touched`).toBe(true)
        if (!opened.hasSent('play')) touch(findTouchable(`[data-choice="${choice.action}"]`)!) // it asked again
        const [play, ...more] = opened.takeSent().filter((command) => command.t !== 'preview')
        expect(play).toStrictEqual({ t: 'play', version: 1, id: expect.any(String) as string, action: choice.action })
        expect(more).toStrictEqual([])
        expect(findTouchable('[data-choice]')).toBeUndefined()
        opened.refuse((play as { id: string }).id)
        for (let n = 0; n < 3; n++) press('Escape')
      }
      await checkKeys(opened, several)
      if (!position.next) return
      await opened.receiveNext()
      expect(document.body.textContent).not.toMatch(UNSAID)
      const updated = opened.outline()
      await opened.close()
      const renewed = await openPosition(opened.positionAfter())
      expect(updated).toStrictEqual(renewed.outline())
    })
  }
}
