// What this device remembers of puzzles: which were solved at which try, and on which days today's was. Nobody else is told.
export interface Listed {
  id: string
  theme: string
  fish: string
}
interface Kept {
  /** By id: at which try it was solved; 0: its solution was shown first. */
  solved: Record<string, number>
  /** Days, as 2026-11-16, whose puzzle was solved. */
  days: string[]
}

const KEY = 'landfall.puzzles'
const DAY = 86_400_000
export const FISH = ['sprat', 'mackerel', 'marlin', 'leviathan']

export function kept(): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
    return { solved: found.solved ?? {}, days: found.days ?? [] }
  } catch {
    return { solved: {}, days: [] }
  }
}

/** Days since 1970, by this device's calendar. */
export function dayNumber(now = new Date()): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY)
}
export function dayName(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10)
}

/** The puzzle of a day: from the first to the last, and again. */
export function ofDay<T>(all: T[], number = dayNumber()): T | undefined {
  return all[number % all.length]
}

/** A puzzle was solved at that try; `daily`: it is today's. What was solved better before stays. */
export function note(id: string, tries: number, daily: boolean): void {
  const now = kept()
  const before = now.solved[id]
  if (before === undefined || (before === 0 && tries > 0)) now.solved[id] = tries
  const today = dayName(dayNumber())
  if (daily && tries > 0 && !now.days.includes(today)) now.days = [...now.days, today].slice(-400)
  localStorage.setItem(KEY, JSON.stringify(now))
}

/** How many days in a row up to today, or to yesterday while today's is open. */
export function streak(days: string[], today = dayNumber()): number {
  const done = new Set(days)
  let at = done.has(dayName(today)) ? today : today - 1
  let n = 0
  for (; done.has(dayName(at)); at--) n++
  return n
}
