// Emotes: sent as a mark in chat, shown to each reader in their own language.
import { t } from './i18n.svelte'

export const EMOTES: Record<string, string> = {
  well: '👏',
  oh: '😱',
  thanks: '🙏',
  hurry: '⏳',
  ha: '😄',
  sorry: '🙈',
}

/** The form that is sent; other clients show the word itself. */
export const marked = (name: string): string => `:${name}:`

/** The emote in a chat line; null for free text. */
export function emoteOf(text: string): string | null {
  const name = /^:(\w+):$/.exec(text)?.[1]
  return name !== undefined && Object.hasOwn(EMOTES, name) ? name : null
}

/** A chat line for display. */
export function read(text: string): string {
  const name = emoteOf(text)
  return name ? `${EMOTES[name]} ${t(`shell.emote.${name}`)}` : text
}
