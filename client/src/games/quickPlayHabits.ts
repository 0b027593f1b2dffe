// Preferences of "Play now": the number of opponents and their level.
import { fetchBotLevels } from '../lib/gameAndBotCatalogue.svelte'
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

function readAllHabits(): Habits {
  try {
    return { last: FIRST, games: {}, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Habits>) }
  } catch {
    return { last: FIRST, games: {} }
  }
}

/** The game played last, if any. */
export function lastPlayedGame(): string | null {
  return Object.keys(readAllHabits().games).length ? readAllHabits().last : null
}

export function readHabit(game: string): Habit {
  return readAllHabits().games[game] ?? { players: gameDescription(game).players, level: '' }
}

export function saveHabit(game: string, players: number, level: string): void {
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ last: game, games: { ...readAllHabits().games, [game]: { players, level } } }),
    )
  } catch {
    // works without storage, too
  }
}

/** The level played last, or the second one: a fair game. */
export async function lastOrDefaultBotLevel(game: string): Promise<string> {
  const levels = await fetchBotLevels()
  const { level } = readHabit(game)
  return levels.includes(level) ? level : (levels[Math.min(1, levels.length - 1)] ?? '')
}
