// @vitest-environment happy-dom
// What is around a board: keys, costly choices, refusals, the menu, the lobby's chairs.
import { flushSync } from 'svelte'
import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { RecordedPosition } from '../games/recordedPosition'
import { POSITIONS } from '../games/atlandice/positions.generated'
import { t } from '../lib/i18n.svelte'
import { settings } from '../lib/settings.svelte'
import { FakeSocket } from '../lib/socket.fake'
import type { ChairInfo, ServerMessage } from '../lib/wire'
import { openPosition, positionOf } from './positionChecks.fake'
import type { TablePage } from './tablePage.fake'
import { press, touch } from './touches.fake'

const all = POSITIONS as unknown as RecordedPosition[]
const OWN = positionOf(all, 'piece')
const OTHERS = positionOf(all, 'roll')

const button = (key: string): HTMLElement => screen.getByRole('button', { name: t(key) })
const receive = (news: ServerMessage): void => {
  FakeSocket.last.receiveFromServer(news)
  flushSync()
}
const kinds = (page: TablePage): string[] => page.takeSent().map((command) => command.t)

test('U takes back and H asks for a hint, in one’s own turn only', async () => {
  const page = await openPosition(OWN)
  page.takeSent()
  press('u')
  press('u', document.body, { shiftKey: true })
  press('h')
  press('u', document.body, { ctrlKey: true })
  expect(page.takeSent()).toMatchObject([
    { t: 'undo', turn: false },
    { t: 'undo', turn: true },
    { t: 'hint', version: 1 },
  ])
  await page.close()
  const other = await openPosition(OTHERS)
  other.takeSent()
  press('u')
  press('h')
  expect(other.takeSent()).toStrictEqual([])
})

test('a costly choice is sent after a second confirmation, and not when it is cancelled', async () => {
  const costly = [{ verb: 'pass', keys: ['action', 'text', 'loses'], rows: [[9, 'pass', ['r1']]] }]
  const page = await openPosition({ ...positionOf(all, 'donate'), choices: costly })
  settings.confirm = true
  page.takeSent()
  const choose = (): void => touch(document.querySelector('[data-choice="9"]')!)
  choose()
  expect(screen.getByRole('alert')).toBeDefined()
  touch(button('shell.cancel'))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(page.takeSent()).toStrictEqual([])
  choose()
  touch(button('shell.anyway'))
  expect(page.takeSent()).toMatchObject([{ t: 'play', action: 9 }])
})

test('a refusal links to its rule; one that no rulebook has, does not', async () => {
  await openPosition(OWN)
  const links = (): (string | null)[] =>
    [...document.querySelectorAll('[data-area=toast] a')].map((link) => link.getAttribute('href'))
  receive({ t: 'refused', code: 'illegal', key: 'table.illegal', rule: 'AD.V1' })
  expect(links()).toStrictEqual(['/learn/atlandice#AD.V1'])
  receive({ t: 'refused', code: 'illegal', key: 'table.illegal', rule: 'LF.1' })
  expect(links()).toStrictEqual([])
  expect(within(document.querySelector<HTMLElement>('[data-area=toast]')!).getAllByRole('button').length).toBe(2)
  receive({ t: 'refused', code: 'undo_others', key: 'table.illegal' })
  touch(button('shell.takeback'))
  expect(FakeSocket.last.sent.at(-1)).toStrictEqual({ t: 'propose', what: 'takeback' })
})

async function openMenu(): Promise<HTMLElement> {
  touch(button('shell.menu'))
  return screen.findByRole('dialog', {}, { timeout: 30_000 })
}
const items = (menu: HTMLElement): (string | undefined)[] =>
  within(menu)
    .getAllByRole('button')
    .map((one) => one.querySelector('b')?.textContent ?? undefined)

test('the menu offers a pause unless the match rests, and asks before one resigns', async () => {
  const page = await openPosition(OWN)
  const menu = await openMenu()
  expect(items(menu)).toContain(t('shell.rest'))
  page.takeSent()
  touch(within(menu).getByText(t('shell.do.resign')).closest('button')!)
  expect(page.takeSent()).toStrictEqual([])
  touch(within(menu).getByText(t('shell.really')).closest('button')!)
  expect(kinds(page)).toStrictEqual(['resign'])
  await page.close()
  await openPosition(OWN, { rests: true })
  expect(items(await openMenu())).not.toContain(t('shell.rest'))
})

test('an owner mutes who is heard and unmutes who is muted', async () => {
  const you = ['Ana', 'Bo', 'Cem', 'Dana'][OWN.seat]!
  const page = await openPosition(OWN, { owner: you, muted: [] })
  const menu = await openMenu()
  const others = within(menu).getAllByRole('button', { name: t('shell.mute') })
  expect(others.length).toBe(OWN.view.players - 1)
  page.takeSent()
  touch(others[0]!)
  const [mute] = page.takeSent() as { who: string }[]
  expect(mute).toStrictEqual({ t: 'mute', who: expect.any(String) as string, on: true })
  expect(mute!.who).not.toBe(you)
  await page.close()
  const again = await openPosition(OWN, { owner: you, muted: [mute!.who] })
  const quiet = await openMenu()
  again.takeSent()
  touch(within(quiet).getByRole('button', { name: t('shell.unmute') }))
  expect(again.takeSent()).toStrictEqual([{ t: 'mute', who: mute!.who, on: false }])
})

test('an emote is sent at once, the fourth within ten seconds is not', async () => {
  const page = await openPosition(OWN)
  touch(button('shell.chat'))
  touch(await screen.findByRole('button', { name: t('shell.emotes') }, { timeout: 30_000 }))
  const emote = within(screen.getByRole('group', { name: t('shell.emotes') })).getAllByRole('button')[0]!
  page.takeSent()
  for (let n = 0; n < 4; n++) touch(emote)
  expect(kinds(page)).toStrictEqual(['say', 'say', 'say'])
  expect(screen.getByRole('alert')).toBeDefined()
})

const CHAIRS: ChairInfo[] = [
  { name: 'Ana', who: 'Ana', colour: 'red', here: true },
  { name: 'Bo', who: 'Bo', colour: 'green', here: true },
  { bot: 'sprat', colour: 'blue' },
  {},
]
const GATHERING = { ...OWN, seat: 0, view: { ...OWN.view, players: 4 } }

test('before the match its owner frees a bot’s chair and removes a person', async () => {
  const page = await openPosition(GATHERING, { status: 'gathering', chairs: CHAIRS }, { view: null, choices: [] })
  page.takeSent()
  const groups = screen.getAllByRole('group')
  const removeIn = (name: string): void => {
    const chair = groups.find((one) => one.ariaLabel === name || one.getAttribute('aria-label') === name)!
    touch(within(chair).getByRole('button', { name: t('pages.lobby.remove', { name }) }))
  }
  removeIn('Bo')
  removeIn(t('pages.bot.sprat'))
  expect(page.takeSent()).toStrictEqual([
    { t: 'remove', who: 'Bo' },
    { t: 'free', chair: 2 },
  ])
})

test('a colour that another chair wears cannot be chosen', async () => {
  const page = await openPosition(GATHERING, { status: 'gathering', chairs: CHAIRS }, { view: null, choices: [] })
  page.takeSent()
  touch(screen.getByRole('button', { name: t('pages.lobby.colour', { name: 'Ana' }) }))
  const colours = screen.getAllByRole<HTMLButtonElement>('radio')
  expect(colours.filter((one) => one.disabled).length).toBe(2)
  touch(colours.find((one) => !one.disabled && one.ariaChecked !== 'true')!)
  expect(page.takeSent()).toMatchObject([{ t: 'colour', chair: 0 }])
})
