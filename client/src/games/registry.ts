// The games this client has drawings for, found by their folders; any other uses the plain table.
import { t } from '../lib/i18n.svelte'
import type { Description } from './description'

const found = import.meta.glob<Description>('./*/about.ts', { eager: true, import: 'about' })

/** The game of a file, by its folder. */
function gameOfPath(path: string): string {
  const parts = path.split('/')
  return parts[parts.indexOf('games') + 1 || 1]!
}

const ABOUT: Record<string, Description> = Object.fromEntries(
  Object.entries(found)
    .map(([path, gameDescription]) => [gameOfPath(path), gameDescription] as const)
    .sort(([, a], [, b]) => a.shelf - b.shelf),
)
const OTHER: Description = {
  shelf: Infinity,
  range: [2, 4],
  players: 3,
  sign: ['logo', 'scale(1)'],
  steps: 0,
}

/** Their names, in the order of lists. */
export const SHELF = Object.keys(ABOUT)
/** The game offered to new players. */
export const FIRST = SHELF[0]!

export function gameDescription(game: string): Description {
  return ABOUT[game] ?? OTHER
}

/** How many play, and how long where a box says so. */
export function playersAndMinutesText(game: string, range: string): string {
  const minutes = gameDescription(game).minutes
  return minutes === undefined ? t('home.meta.players', { range }) : t('home.meta', { range, minutes })
}

/** Modules by game, from the files of that name in the games' folders. */
export function indexByGame<T>(files: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(files).map(([path, part]) => [gameOfPath(path), part]))
}

/** All games: ours in their order, then the server's others. */
export function listGamesInOrder(games: { name: string }[]): string[] {
  return [...SHELF, ...games.map((one) => one.name).filter((name) => !SHELF.includes(name))]
}
