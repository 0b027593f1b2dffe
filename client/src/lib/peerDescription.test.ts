import { describe, expect, it } from 'vitest'
import { decodeDescription, encodeDescription, parseSdp, toSdp } from './peerDescription'

const PRINT = '25:2C:F2:E3:3D:67:4A:75:EF:13:45:22:06:DE:F8:C7:41:C6:26:94:84:3E:18:D4:7E:FF:B4:02:1B:C5:E0:DB'
const SDP = [
  'v=0',
  'o=- 6536014280990620849 2 IN IP4 127.0.0.1',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=candidate:615274266 1 udp 2113937151 139503f1-ccce-4826-a64b-e8584a503a68.local 50619 typ host generation 0',
  'a=candidate:1 1 udp 1 192.168.1.7 40000 typ srflx raddr 0.0.0.0 rport 0',
  'a=candidate:2 1 udp 1 fe80::1:2 9 typ relay',
  'a=candidate:3 1 tcp 1 192.168.1.7 9 typ host tcptype active',
  'a=ice-ufrag:Yv7g',
  'a=ice-pwd:ae/mvDmCC37h1iC/4FKfyjTh',
  `a=fingerprint:sha-256 ${PRINT}`,
  'a=setup:active',
  '',
].join('\r\n')
const page = parseSdp(SDP, 'abcd')

describe('a description', () => {
  it('has what another page needs, and comes back from a short text and from SDP', () => {
    expect(page.candidates.map((one) => one.kind)).toStrictEqual(['host', 'srflx', 'relay'])
    const code = encodeDescription(page)
    expect(code).toMatch(/^[\w-]{80,180}$/)
    expect(decodeDescription(code)).toStrictEqual(page)
    expect(decodeDescription(` https://example.org/site/#/answer/${code}\n`)).toStrictEqual(page)
    expect(decodeDescription(`https://example.org/answer#${code}`)).toStrictEqual(page)
    expect(parseSdp(toSdp(page), 'abcd')).toStrictEqual(page)
  })

  it('is refused if it is cut, garbled, or would write lines of its own into SDP', () => {
    const code = encodeDescription(page)
    for (let cut = 0; cut < code.length; cut++) expect(decodeDescription(code.slice(0, cut))).toBeUndefined()
    for (const bad of ['', '%', 'A'.repeat(10_000), `${code}AAAA`, '🙂']) expect(decodeDescription(bad)).toBeUndefined()
    for (const changed of [
      { ufrag: 'a\r\na=x:y' },
      { pwd: 'x y' },
      { to: 'a\nb' },
      { candidates: [{ kind: 'host' as const, address: '1.2.3.4 9 typ host\r\na=b:c', port: 1 }] },
    ])
      expect(decodeDescription(encodeDescription({ ...page, ...changed }))).toBeUndefined()
    for (let i = 0; i < 2000; i++) {
      const at = Math.floor(Math.random() * code.length)
      const found = decodeDescription(code.slice(0, at) + 'AZaz09-_'[i % 8] + code.slice(at + 1))
      if (found)
        expect(
          toSdp(found)
            .split('\r\n')
            .filter((line) => line.startsWith('a=')).length,
        ).toBeLessThan(20)
    }
  })
})
