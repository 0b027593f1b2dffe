// How well somebody solves puzzles, by openskill's Plackett-Luce: each first try is a match against the puzzle.
// It is kept on the device; tests hold it to openskill's own figures (rating.cases.json).

/** What is thought of somebody, and how unsure that is. */
export interface Rating {
  mu: number
  sigma: number
}

export const NEWCOMER: Rating = { mu: 25, sigma: 25 / 3 }
/** Where a puzzle begins that the smallest fish to find it is. */
const START: Record<string, number> = { sprat: 19, mackerel: 23, marlin: 27, leviathan: 31 }
const BETA = 25 / 6
const TAU = 25 / 300
const KAPPA = 1e-4

/** A puzzle as a rival: as people found it, or as hard as its fish. */
export function rival(fish: string, rating: number | null = null): Rating {
  return { mu: rating ?? START[fish] ?? NEWCOMER.mu, sigma: NEWCOMER.sigma / 2 }
}

/** After one more first try. */
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

/** The fish whose puzzles are about as hard as somebody is strong. */
export function like(me: Rating): string {
  return Object.keys(START).reduce((a, b) => (Math.abs(START[b]! - me.mu) < Math.abs(START[a]! - me.mu) ? b : a))
}
