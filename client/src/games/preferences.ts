// Preferences of "Play now": the number of opponents and their level.
import { botLevels } from '../lib/gameCatalogue.svelte'
import { gameDescription, FIRST } from './registry'

export interface Habit {
  players: number
  level: string
}
interface Habits {
  last: string
  games: Record<string, Habit>
}
const KEY = 'landfall.habits'

function habits(): Habits {
  try {
    return { last: FIRST, games: {}, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Habits>) }
  } catch {
    return { last: FIRST, games: {} }
  }
}

/** The game played last, if any. */
export function lastGame(): string | null {
  return Object.keys(habits().games).length ? habits().last : null
}

export function readHabit(game: string): Habit {
  return habits().games[game] ?? { players: gameDescription(game).players, level: '' }
}

export function saveHabit(game: string, players: number, level: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ last: game, games: { ...habits().games, [game]: { players, level } } }))
  } catch {
    // works without storage, too
  }
}

/** The level played last, or the second one: a fair game. */
export async function usualLevel(game: string): Promise<string> {
  const levels = await botLevels()
  const { level } = readHabit(game)
  return levels.includes(level) ? level : (levels[Math.min(1, levels.length - 1)] ?? '')
}
