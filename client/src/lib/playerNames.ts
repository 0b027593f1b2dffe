// Unique names for all seats: bots are named by their level, several of one level by individual names, an erased user
// is a guest, and a nameless one is named by colour.
import type { Person } from './scene.svelte'
import { botName, shoal } from './gameAndBotCatalogue.svelte'
import { gameText, t } from './i18n.svelte'
import type { ChairInfo } from './wire'

/** The people on the chairs; `mine` are this device's seats, `palette` the colours of chairs without one. */
export function seatedPeople(game: string, chairs: ChairInfo[], mine: number[], palette: string[] = []): Person[] {
  const bots = chairs.map(
    (chair) => chair.bot ?? (!chair.who && shoal.levels.includes(chair.name ?? '') ? chair.name! : null),
  )
  const colours = chairs.map((chair, seat) => chair.colour ?? palette[seat] ?? '')
  const own = t('shell.fish').split(/, |、/)
  const shorts = chairs.map((chair, seat) => {
    const bot = bots[seat]
    if (!bot || (chair.name && chair.name !== bot))
      return (
        chair.name || (chair.who ? t('shell.guest') : colours[seat] && gameText(game, `colour.${colours[seat]}`)) || ''
      )
    return bots.filter((other) => other === bot).length > 1 ? (own[seat] ?? botName(bot)) : botName(bot)
  })
  return chairs.map((chair, seat) => {
    const short = shorts[seat]!
    const alone = shorts.filter((other) => other === short).length === 1
    const colour = colours[seat]!
    return {
      name: alone || !colour ? short : t('shell.named', { name: short, colour: gameText(game, `colour.${colour}`) }),
      short,
      colour,
      bot: bots[seat] ?? null,
      onlineBot: chair.online_bot ?? false,
      away: chair.away ?? null,
      holiday: chair.holiday && chair.holiday[0]! <= Date.now() ? chair.holiday[1] : null,
      here: chair.here ?? false,
      you: mine.includes(seat),
      reader: mine.length === 1 && mine[0] === seat,
    }
  })
}
