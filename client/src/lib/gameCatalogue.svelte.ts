// The games and the bots as the server describes them, fetched once.
import { get } from './http'
import { settings } from './settings.svelte'
import { has, known, learn, say, t } from './i18n.svelte'

export interface OptionInfo {
  name: string
  rule: string
  kind: 'bool' | 'choice' | 'object'
  default: unknown
  choices: string[]
  players: number[]
  requires: string[]
  excludes: string[]
  text: string
}
export interface GameInfo {
  name: string
  rules_version: number
  counts: number[]
  colours: string[]
  options: OptionInfo[]
  /** Names of guided games. */
  guides: string[]
}
export interface BotInfo {
  level: string
  code: string
}
/** A table in a list: the lobby's, or one's own. */
export interface Listed {
  table: string
  game: string
  status: 'gathering' | 'playing' | 'over'
  public: boolean
  created: number
  updated: number
  players: number
  options: Record<string, unknown>
  clock: string
  chairs: (string | null)[]
  ended: string | null
  ranking: { place: number; seats: number[]; keys: Record<string, number>; decided_by: string | null }[] | null
  you: number[]
  owner: boolean
  turn?: number | null
  here?: number
}

let games: Promise<GameInfo[]> | undefined
let bots: Promise<BotInfo[]> | undefined
export const shoal: { levels: string[] } = $state({ levels: [] })

export function allGames(): Promise<GameInfo[]> {
  games ??= get<GameInfo[]>('/api/games').catch((error: unknown) => {
    games = undefined
    throw error
  })
  return games
}

export async function gameInfo(name: string): Promise<GameInfo | undefined> {
  return (await allGames()).find((game) => game.name === name)
}

/** The bots' levels, weakest first. */
export async function botLevels(): Promise<string[]> {
  bots ??= get<BotInfo[]>('/api/bots').catch((error: unknown) => {
    bots = undefined
    throw error
  })
  shoal.levels = (await bots).map((bot) => bot.level)
  return shoal.levels
}

const asked = new Set<string>()

/** A text that every game has: from the client's messages for our games, otherwise from the game's catalogue. */
function ofItself(game: string, own: string, key: string): string {
  if (has(own)) return t(own)
  const name = `${settings.language}/${game}`
  if (!asked.has(name)) {
    asked.add(name)
    void learn(settings.language, game)
  }
  return known(game, key) ? say(game, key) : ''
}

/** A game's title. */
export function title(game: string): string {
  return ofItself(game, `game.${game}`, 'game.title') || game
}

/** A game's authors. */
export function makers(game: string): string {
  return ofItself(game, `home.by.${game}`, 'game.by')
}

/** A game's description in a sentence or two. */
export function pitch(game: string): string {
  return ofItself(game, `home.about.${game}`, 'game.about')
}

const FISH = ['sprat', 'mackerel', 'marlin', 'leviathan', 'kraken']

/** The fish of a level; levels without one get theirs by rank. */
export function fishOf(level: string): string {
  if (FISH.includes(level)) return level
  const rank = shoal.levels.indexOf(level)
  return FISH[Math.max(0, Math.min(rank, FISH.length - 1))]!
}

/** A level's name, which is the bot's name. */
export function botName(level: string): string {
  return t(`pages.bot.${fishOf(level)}`)
}

/** A level's character in a few words. */
export function botNature(level: string): string {
  return t(`pages.nature.${fishOf(level)}`)
}

/** The name on a chair in a list: a person's, or a bot's by its level. */
export function chairName(name: string | null): string {
  if (name === null) return t('pages.free')
  if (name === '') return t('home.guest') // a user whose data was erased
  return shoal.levels.includes(name) ? botName(name) : name
}
