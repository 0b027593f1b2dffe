// Emotes: sent as a mark in chat, drawn in the speaker's colour, named in the reader's language.

export const EMOTES = [
  'hello',
  'luck',
  'played',
  'thanks',
  'haha',
  'ouch',
  'phew',
  'ohno',
  'hmm',
  'sly',
  'hurry',
  'ahoy',
] as const
export type Emote = (typeof EMOTES)[number]

/** The marks of earlier versions and common emoji, by the nearest emote. */
const NEAREST: Record<string, Emote> = {
  well: 'played',
  oh: 'ohno',
  ha: 'haha',
  sorry: 'ohno',
  '👋': 'hello',
  '🍀': 'luck',
  '👏': 'played',
  '👍': 'played',
  '🎉': 'played',
  '🙏': 'thanks',
  '❤': 'thanks',
  '😄': 'haha',
  '😂': 'haha',
  '🤣': 'haha',
  '🙂': 'hello',
  '😊': 'thanks',
  '😅': 'phew',
  '😢': 'ouch',
  '😭': 'ouch',
  '😱': 'ohno',
  '🙈': 'ohno',
  '🤔': 'hmm',
  '😏': 'sly',
  '😈': 'sly',
  '⏳': 'hurry',
  '⌛': 'hurry',
}

/** The form that is sent; other clients show the word itself. */
export const encodeEmote = (name: Emote): string => `:${name}:`

/** The emote of a chat line, also of one emoji alone; null for free text. */
export function parseEmote(text: string): Emote | null {
  const word = /^:(\w+):$/.exec(text)?.[1] ?? /^(\p{Extended_Pictographic})\uFE0F?$/u.exec(text.trim())?.[1] ?? ''
  if ((EMOTES as readonly string[]).includes(word)) return word as Emote
  return Object.hasOwn(NEAREST, word) ? NEAREST[word]! : null
}
