// Quick words: sent as a mark in chat, read by each in their own language.
import { t } from './i18n.svelte'

export const EMOTES: Record<string, string> = {
  well: '👏',
  oh: '😱',
  thanks: '🙏',
  hurry: '⏳',
  ha: '😄',
  sorry: '🙈',
}

/** As it is sent; whoever has no such client reads the word itself. */
export const marked = (name: string): string => `:${name}:`

/** Which one a line of chat is; null for words of somebody's own. */
export function emoteOf(text: string): string | null {
  const name = /^:(\w+):$/.exec(text)?.[1]
  return name !== undefined && Object.hasOwn(EMOTES, name) ? name : null
}

/** A line of chat as it is read. */
export function read(text: string): string {
  const name = emoteOf(text)
  return name ? `${EMOTES[name]} ${t(`shell.emote.${name}`)}` : text
}
