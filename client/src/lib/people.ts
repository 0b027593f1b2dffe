// Who sits where, by names that no two share: bots are called by their level.
import type { Person } from './scene.svelte'
import { botName } from '../parts/games.svelte'
import { say, t } from './texts.svelte'
import type { ChairNews } from './wire'

/** The people on the chairs; `mine` are the seats of this device. */
export function persons(game: string, chairs: ChairNews[], mine: number[]): Person[] {
  const shorts = chairs.map((chair) => (chair.bot && !chair.name ? botName(chair.bot) : chair.name || ''))
  return chairs.map((chair, seat) => {
    const short = shorts[seat]!
    const alone = shorts.filter((other) => other === short).length === 1
    const colour = chair.colour ?? ''
    return {
      name: alone || !colour ? short : t('shell.named', { name: short, colour: say(game, `colour.${colour}`) }),
      short,
      colour,
      bot: chair.bot ?? null,
      away: chair.away ?? null,
      here: chair.here ?? false,
      you: mine.includes(seat),
    }
  })
}
