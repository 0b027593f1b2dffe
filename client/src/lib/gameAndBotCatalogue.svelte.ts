// The games and the bots as the server describes them, fetched once.
import { get } from './http'
import { LEVELS } from './levels.generated'
import type { BotInfo, GameInfo, OptionInfo } from './rest.generated'
import { settings } from './settings.svelte'
import { hasClientText, hasGameText, loadLanguage, gameText, t } from './i18n.svelte'

export type { BotInfo, GameInfo, OptionInfo }
export type { Listed } from './tableListing'

let games: Promise<GameInfo[]> | undefined
let bots: Promise<BotInfo[]> | undefined
export const shoal: { levels: string[] } = $state({ levels: [] })

export function fetchGames(): Promise<GameInfo[]> {
  games ??= get<GameInfo[]>('/api/games').catch((error: unknown) => {
    games = undefined
    throw error
  })
  return games
}

export async function fetchGameInfo(name: string): Promise<GameInfo | undefined> {
  return (await fetchGames()).find((game) => game.name === name)
}

/** The bots' levels, weakest first. */
export async function fetchBotLevels(): Promise<string[]> {
  bots ??= get<BotInfo[]>('/api/bots').catch((error: unknown) => {
    bots = undefined
    throw error
  })
  shoal.levels = (await bots).map((bot) => bot.level)
  return shoal.levels
}

const asked = new Set<string>()

/** A text that every game has: from the client's messages for our games, otherwise from the game's catalogue. */
function clientOrGameText(game: string, own: string, key: string): string {
  if (hasClientText(own)) return t(own)
  const name = `${settings.language}/${game}`
  if (!asked.has(name)) {
    asked.add(name)
    void loadLanguage(settings.language, game)
  }
  return hasGameText(game, key) ? gameText(game, key) : ''
}

/** A game's title. */
export function gameTitle(game: string): string {
  return clientOrGameText(game, `game.${game}`, 'game.title') || game
}

/** A game's authors. */
export function gameAuthors(game: string): string {
  return clientOrGameText(game, `home.by.${game}`, 'game.by')
}

/** A game's description in a sentence or two. */
export function gameSummary(game: string): string {
  return clientOrGameText(game, `home.about.${game}`, 'game.about')
}

/** The fish of a level; levels without one get theirs by rank. */
export function fishOfLevel(level: string): string {
  if ((LEVELS as readonly string[]).includes(level)) return level
  const rank = shoal.levels.indexOf(level)
  return LEVELS[Math.max(0, Math.min(rank, LEVELS.length - 1))]!
}

/** A level's name, which is the bot's name. */
export function botName(level: string): string {
  return t(`pages.bot.${fishOfLevel(level)}`)
}

/** A level's character in a few words. */
export function botCharacterText(level: string): string {
  return t(`pages.nature.${fishOfLevel(level)}`)
}
