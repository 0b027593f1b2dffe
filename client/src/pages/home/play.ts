// One click to a game against bots: with as many and as strong ones as last time.
import { habit, remember, usualLevel } from '../../games/habits'
import { post } from '../../lib/net'
import { go } from '../../lib/router.svelte'
import { beSomebody } from '../../lib/session.svelte'
import { t } from '../../lib/texts.svelte'

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
