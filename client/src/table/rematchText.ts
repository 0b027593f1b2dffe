// The text about a rematch.
import type { LiveTable } from '../lib/liveTable.svelte'
import { t } from '../lib/i18n.svelte'

/** Who proposed a rematch; '' if nobody did. */
export function rematchProposalText(live: LiveTable): string {
  const table = live.table
  if (!table?.successor || table.status !== 'over') return ''
  const by = table.successor_by ?? -1
  if (live.seats.includes(by)) return t('shell.asked')
  const name = live.people[by]?.name
  return name ? t('shell.wants', { name }) : t('shell.again')
}
