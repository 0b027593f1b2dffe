// One click to a game against bots: as many and as strong as last time.
import { readHabit, saveHabit, lastOrDefaultBotLevel } from '../../games/quickPlayHabits'
import { requestOffline } from '../../lib/offline'
import { parseResponse, post } from '../../lib/http'
import { navigateTo } from '../../lib/router.svelte'
import { ensureSession, session } from '../../lib/currentUser.svelte'
import { t } from '../../lib/i18n.svelte'

/** The same on this device, independent of the server. */
export async function createAndOpenOfflineTable(game: string): Promise<void> {
  const { players } = readHabit(game)
  const level = await lastOrDefaultBotLevel(game)
  const me = await parseResponse<{ name: string } | null>(await requestOffline('GET', '/api/whoami'))
  if (me === null) await requestOffline('POST', '/api/me', { name: session.me?.name ?? t('home.guest') })
  const bots = Array<string>(players - 1).fill(level)
  const made = await parseResponse<{ table: string }>(
    await requestOffline('POST', '/api/tables/quick', { game, players, bots }),
  )
  navigateTo(`/t/${made.table}`)
}

/** Create a table full of bots and start it. */
export async function createAndOpenServerTable(game: string): Promise<void> {
  const { players } = readHabit(game)
  const [level] = await Promise.all([lastOrDefaultBotLevel(game), ensureSession(t('home.guest'))])
  saveHabit(game, players, level)
  const made = await post<{ table: string }>('/api/tables/quick', {
    game,
    players,
    bots: Array<string>(players - 1).fill(level),
  })
  navigateTo(`/t/${made.table}`)
}
