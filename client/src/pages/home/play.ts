// One click to a game against bots: with as many and as strong ones as last time.
import { habit, remember, usualLevel } from '../../games/habits'
import { askHere } from '../../lib/here'
import { answered, post } from '../../lib/net'
import { go } from '../../lib/router.svelte'
import { beSomebody, session } from '../../lib/session.svelte'
import { t } from '../../lib/texts.svelte'

/** The same on this device, whatever the server does. */
export async function playHere(game: string): Promise<void> {
  const { players } = habit(game)
  const level = await usualLevel(game)
  const me = await answered<{ name: string } | null>(await askHere('GET', '/api/whoami'))
  if (me === null) await askHere('POST', '/api/me', { name: session.me?.name ?? t('home.guest') })
  const bots = Array<string>(players - 1).fill(level)
  const made = await answered<{ table: string }>(await askHere('POST', '/api/tables/quick', { game, players, bots }))
  go(`/t/${made.table}`)
}

/** A table full of bots, begun at once. */
export async function playNow(game: string): Promise<void> {
  const { players } = habit(game)
  const [level] = await Promise.all([usualLevel(game), beSomebody(t('home.guest'))])
  remember(game, players, level)
  const made = await post<{ table: string }>('/api/tables/quick', {
    game,
    players,
    bots: Array<string>(players - 1).fill(level),
  })
  go(`/t/${made.table}`)
}
