// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { isLocalLink } from './share'

test('a link to this very device is no link for friends', () => {
  for (const host of ['localhost:8000', '127.0.0.1:8000', '127.1.2.3', '[::1]:8000', 'x.localhost'])
    expect(isLocalLink(`http://${host}/t/abc`), host).toBe(true)
  for (const host of ['192.168.1.7:8000', 'games.example.org', '[fe80::1]', '10.127.0.1'])
    expect(isLocalLink(`http://${host}/t/abc`), host).toBe(false)
})
