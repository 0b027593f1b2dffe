// This device's puzzle progress: solved puzzles with their attempts, days with the daily puzzle solved, and the rating.
// It never leaves the device.
import { PUZZLE_RATINGS } from './levels.generated'
import { NEWCOMER, updateRating, type Rating } from './puzzleRating'

export interface Listed {
  id: string
  number: number
  theme: string
  fish: string
  seat: number
  colour: string
  /** `puzzle.goal.GOAL` of the game's catalogue, filled with the facts. */
  goal: string
  facts: Record<string, unknown>
  sets: string[]
}
/** What came of a puzzle on this device: solved at once without a hint, solved, tried or looked up, nothing. */
export type PuzzleState = 'first' | 'solved' | 'tried' | 'new'
export interface Kept {
  /** By id: the attempt that solved it; 0: the solution was shown first. */
  solved: Record<string, number>
  /** By id: the number of attempts; 0: only a hint was given. */
  tried: Record<string, number>
  /** By id: the number of hints. */
  hinted: Record<string, number>
  /** Days, as 2026-11-16, whose puzzle was solved, of any game. */
  days: string[]
  /** By first attempts without a hint; null before the first. */
  rating: Rating | null
}

const KEY = 'landfall.puzzles'
const DAY = 86_400_000
/** The levels that puzzles are named after, weakest first. */
export const FISH = Object.keys(PUZZLE_RATINGS)

export function readPuzzleProgress(): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
    const { solved = {}, tried = {}, hinted = {}, days = [], rating = null } = found
    return { solved, tried, hinted, days, rating }
  } catch {
    return { solved: {}, tried: {}, hinted: {}, days: [], rating: null }
  }
}

export function puzzleStateOf({ solved, tried, hinted }: Kept, id: string): PuzzleState {
  if (solved[id] === 1 && !hinted[id]) return 'first'
  if (solved[id]) return 'solved'
  return solved[id] === undefined && tried[id] === undefined ? 'new' : 'tried'
}

/** The list's order: what is not solved first, by how near its difficulty is to that level, then by number. */
export function sortPuzzles(all: Listed[], mine: Kept, level: string): Listed[] {
  const isSolvedAsNumber = (one: Listed): number => Number(['first', 'solved'].includes(puzzleStateOf(mine, one.id)))
  const levelDistance = (one: Listed): number =>
    isSolvedAsNumber(one) ? 0 : Math.abs(FISH.indexOf(one.fish) - FISH.indexOf(level))
  return all.toSorted(
    (a, b) => isSolvedAsNumber(a) - isSolvedAsNumber(b) || levelDistance(a) - levelDistance(b) || a.number - b.number,
  )
}

function savePuzzleProgress(now: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(now))
  } catch {
    // without storage the puzzle is solved all the same
  }
}

/** Days since 1970, by this device's calendar. */
export function dayNumber(now = new Date()): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY)
}
export function isoDateOfDay(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10)
}

/** The puzzle of a day: from the first to the last, and again. */
export function puzzleOfDay<T>(all: T[], number = dayNumber()): T | undefined {
  return all[number % all.length]
}

/** Record an attempt; returns their number. */
export function recordTry(id: string): number {
  const now = readPuzzleProgress()
  const tries = (now.tried[id] ?? 0) + 1
  savePuzzleProgress({ ...now, tried: { ...now.tried, [id]: tries } })
  return tries
}

/** Record a hint: later attempts are no first attempts. */
export function recordHint(id: string): void {
  const now = readPuzzleProgress()
  const hinted = { ...now.hinted, [id]: (now.hinted[id] ?? 0) + 1 }
  savePuzzleProgress({ ...now, hinted, tried: { [id]: 0, ...now.tried } })
}

/** Record a first attempt without a hint and its result; returns the new rating. */
export function rateFirstTry(puzzle: Rating, found: boolean): Rating {
  const now = readPuzzleProgress()
  const rating = updateRating(now.rating ?? NEWCOMER, puzzle, found)
  savePuzzleProgress({ ...now, rating })
  return rating
}

/**
 * A puzzle was solved at that attempt, or (0) its solution shown. The first record stays; a day (null: none) is done
 * when its puzzle is finally solved.
 */
export function recordSolved(id: string, tries: number, day: number | null): void {
  const now = readPuzzleProgress()
  if (now.solved[id] === undefined) now.solved[id] = tries
  const name = day === null ? '' : isoDateOfDay(day)
  if (name && tries > 0 && !now.days.includes(name)) now.days = [...now.days, name].slice(-400)
  savePuzzleProgress(now)
}

/** The number of consecutive days up to today, or to yesterday while today's is open. */
export function countStreak(days: string[], today = dayNumber()): number {
  const done = new Set(days)
  let at = done.has(isoDateOfDay(today)) ? today : today - 1
  let n = 0
  for (; done.has(isoDateOfDay(at)); at--) n++
  return n
}
