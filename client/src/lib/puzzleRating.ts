// The puzzle rating, by openskill's Plackett-Luce: each first attempt is a match against the puzzle. It is stored on
// the device; tests compare it with openskill's own figures (rating.cases.json).
import { PUZZLE_RATINGS } from './levels.generated'

/** An estimate of skill and its uncertainty. */
export interface Rating {
  mu: number
  sigma: number
}

export const NEWCOMER: Rating = { mu: 25, sigma: 25 / 3 }
/** A puzzle's initial rating by the weakest level that solves it. */
const START: Record<string, number> = PUZZLE_RATINGS
const BETA = 25 / 6
const TAU = 25 / 300
const KAPPA = 1e-4

/** A puzzle as an opponent: by people's results, otherwise by its level. */
export function ratingOfPuzzle(fish: string, rating: number | null = null): Rating {
  return { mu: rating ?? START[fish] ?? NEWCOMER.mu, sigma: NEWCOMER.sigma / 2 }
}

/** The rating after one more first attempt. */
export function updateRating(me: Rating, puzzle: Rating, found: boolean): Rating {
  const mine = me.sigma ** 2 + TAU ** 2
  const c = Math.sqrt(mine + puzzle.sigma ** 2 + TAU ** 2 + 2 * BETA ** 2)
  const win = 1 / (1 + Math.exp((puzzle.mu - me.mu) / c))
  const delta = ((win * (1 - win) * mine) / c ** 2) * (Math.sqrt(mine) / c)
  return {
    mu: me.mu + (((found ? 1 : 0) - win) * mine) / c,
    sigma: Math.sqrt(mine * Math.max(1 - delta, KAPPA)),
  }
}

/** The level whose puzzles match a rating. */
export function levelForRating(me: Rating): string {
  return Object.keys(START).reduce((a, b) => (Math.abs(START[b]! - me.mu) < Math.abs(START[a]! - me.mu) ? b : a))
}
