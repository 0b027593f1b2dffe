// Whether a match counts, in words: rated, friendly, or friendly for a reason.
import { t } from '../lib/i18n.svelte'
import type { TableInfo } from '../lib/wire'

export function ratedText(table: Pick<TableInfo, 'rated' | 'unrated'>): string {
  if (!table.rated) return t('club.friendly')
  return t(table.unrated ? `club.unrated.${table.unrated}` : 'club.rated')
}
