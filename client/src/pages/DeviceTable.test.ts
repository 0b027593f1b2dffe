// @vitest-environment happy-dom
// A table that is given to another device, and the fault if its file cannot be made.
import { mount, unmount } from 'svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import { GUESTS } from '../lib/playerNameStorage'
import { setCatalogue } from '../lib/i18n.svelte'
import pages from '../messages/pages/en.json'
import together from '../messages/lazy/together/en.json'
import InviteFriend from '../table/lobby/InviteFriend.svelte'
import DeviceTable from './DeviceTable.svelte'

const requestOffline = vi.hoisted(() => vi.fn<(method: string) => Promise<Response>>())
vi.mock('./Table.svelte', () => ({ default: () => {} }))
vi.mock('../lib/offline', async (original) => ({
  ...(await original<typeof import('../lib/offline')>()),
  isPythonRunning: () => true,
  requestOffline,
}))
vi.mock('../lib/peerLink', () => ({ PeerLink: {} }))

const PATIENT = { timeout: 20_000 }

beforeEach(() => {
  document.body.innerHTML = ''
  localStorage.clear()
  setCatalogue('en', { ...together, ...pages })
})

test('who plays a rematch with friends may give it to another device', async () => {
  const record = { table: 'here-a', latest: 'here-b', own: {}, listeners: [] }
  localStorage.setItem(GUESTS, JSON.stringify({ one: record }))
  const shown = (table: string): boolean => {
    const drawn = mount(InviteFriend, { target: document.body, props: { table } })
    const found = document.querySelector('details') !== null
    void unmount(drawn)
    document.body.innerHTML = ''
    return found
  }
  expect(['here-a', 'here-b', 'here-c'].map(shown)).toStrictEqual([true, true, false])
})

test('a table whose file cannot be made stays here, and page and menu say so', async () => {
  localStorage.setItem(GUESTS, JSON.stringify({ one: { table: 'here-a', own: {}, listeners: [] } }))
  let fail = (): void => {}
  requestOffline.mockImplementation(async (method) => {
    if (method !== 'POST') return new Response('{}', { headers: { 'content-type': 'application/json' } })
    return new Promise((_, reject) => (fail = () => reject(new Error('the worker is lost'))))
  })
  const page = mount(DeviceTable, { target: document.body, props: { path: ['here-a'] } })
  const menu = mount(InviteFriend, { target: document.body, props: { table: 'here-a' } })
  await vi.waitFor(() => expect(document.querySelector('.waits')).toBeNull(), PATIENT)
  document.querySelector<HTMLButtonElement>('details button')!.click()
  await vi.waitFor(() => expect(document.querySelector('[data-testid=given]')).not.toBeNull(), PATIENT)
  expect(document.querySelector('[role=alert]')).toBeNull()
  fail()
  await vi.waitFor(() => expect(document.querySelectorAll('[role=alert]').length).toBe(2), PATIENT)
  expect(document.querySelector('[data-testid=given]')).toBeNull()
  await unmount(page)
  await unmount(menu)
})
