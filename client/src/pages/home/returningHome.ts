// Whether the user comes back to something here: a table, an invitation, a finished match. Loaded with what shows it.
import { loadTextPart } from '../../lib/i18n.svelte'
import { memberHome } from '../../lib/memberHome.svelte'

export const KEY = 'landfall.returning'

export type ReturningHome = typeof import('./ReturningHome.svelte').default

/** The part of home for somebody who comes back; undefined for everybody else. */
export async function loadReturningHome(): Promise<ReturningHome | undefined> {
  await memberHome.refresh()
  const { info } = memberHome
  const comes = info !== null && (info.finished || info.invitations.length > 0)
  try {
    if (comes) localStorage.setItem(KEY, '1')
    else if (info) localStorage.removeItem(KEY)
  } catch {
    // without storage today's home is there for a moment
  }
  if (!comes) return undefined
  const [{ default: found }] = await Promise.all([import('./ReturningHome.svelte'), loadTextPart('lobby')])
  return found
}
