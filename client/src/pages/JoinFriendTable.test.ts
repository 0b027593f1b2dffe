// @vitest-environment happy-dom
// An invitation that this browser cannot accept.
import { flushSync, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import { storePlayerName } from '../lib/playerNameStorage'
import { setCatalogue } from '../lib/i18n.svelte'
import { encodeDescription } from '../lib/peerDescription'
import together from '../messages/lazy/together/en.json'
import pages from '../messages/pages/en.json'
import JoinFriendTable from './JoinFriendTable.svelte'

vi.mock('../lib/peerLink', () => ({
  PeerLink: { create: () => Promise.reject(new Error('no connections in this browser')) },
}))
vi.mock('../lib/peerStorage', async (original) => ({
  ...(await original<typeof import('../lib/peerStorage')>()),
  ownFingerprint: async () => 'cd'.repeat(32),
}))
vi.mock('../lib/offlineStorage', () => ({ listStoredTables: async () => [] }))

test('who cannot accept an invitation reads so', async () => {
  setCatalogue('en', { ...together, ...pages })
  storePlayerName('Ana')
  const code = encodeDescription({
    ufrag: 'invites',
    pwd: 'p'.repeat(24),
    fingerprint: 'ab'.repeat(32),
    setup: 'actpass',
    candidates: [{ kind: 'host', address: '192.168.1.7', port: 40000 }],
    to: '',
  })
  const page = mount(JoinFriendTable, { target: document.body, props: { path: ['here-a', code] } })
  flushSync()
  expect(document.querySelector('[role=alert]')).toBeNull()
  document.querySelector('form')!.dispatchEvent(new SubmitEvent('submit', { cancelable: true }))
  await vi.waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toBe(pages['pages.broken']), {
    timeout: 20_000,
  })
  await unmount(page)
})
