// Error texts in the reader's language: the server sends a message key, the catalogue has the sentence.
import { FIRST } from '../games/registry'
import { Refusal } from '../lib/http'
import { settings } from '../lib/settings.svelte'
import { hasGameText, loadLanguage, gameText, t } from '../lib/i18n.svelte'

/** A sentence for any error of a request. Every game's catalogue contains the common sentences. */
export async function describeError(error: unknown, game = FIRST): Promise<string> {
  if (!(error instanceof Refusal)) return t('pages.broken')
  const { code, key, args } = error.fault
  if (code === 'offline') return t('pages.offline')
  if (code === 'here') return t(key)
  await loadLanguage(settings.language, game).catch(() => undefined)
  if (key && hasGameText(game, key)) return gameText(game, key, args)
  return t('pages.refused', { code })
}
