import { expect, test } from 'vitest'
import { EMOTES, parseEmote, encodeEmote } from './emotes'

test('every emote is read as it is sent', () => {
  expect(EMOTES.length).toBe(12)
  for (const name of EMOTES) expect(parseEmote(encodeEmote(name))).toBe(name)
})

test('earlier marks and single emoji are shown as the nearest; anything else is text', () => {
  expect([':well:', ':oh:', ':ha:', ':sorry:'].map(parseEmote)).toStrictEqual(['played', 'ohno', 'haha', 'ohno'])
  expect(['👏', '😱 ', '❤️'].map(parseEmote)).toStrictEqual(['played', 'ohno', 'thanks'])
  expect(['well', ':unheard:', ':toString:', '👏 bravo', '🐙', '', '5'].map(parseEmote)).toStrictEqual(
    Array(7).fill(null),
  )
})
