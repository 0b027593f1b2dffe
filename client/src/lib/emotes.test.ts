import { expect, test } from 'vitest'
import { EMOTES, emoteOf, encodeEmote } from './emotes'

test('every emote is read as it is sent', () => {
  expect(EMOTES.length).toBe(12)
  for (const name of EMOTES) expect(emoteOf(encodeEmote(name))).toBe(name)
})

test('earlier marks and single emoji are shown as the nearest; anything else is text', () => {
  expect([':well:', ':oh:', ':ha:', ':sorry:'].map(emoteOf)).toEqual(['played', 'ohno', 'haha', 'ohno'])
  expect(['👏', '😱 ', '❤️'].map(emoteOf)).toEqual(['played', 'ohno', 'thanks'])
  expect(['well', ':unheard:', ':toString:', '👏 bravo', '🐙', '', '5'].map(emoteOf)).toEqual(Array(7).fill(null))
})
