// What this browser stores about guides: the table of each, its completed lessons, and whether it was finished.

export interface GuideProgress {
  table?: string
  done?: boolean
  /** Hidden: the game continues without it. */
  off?: boolean
  /** Lessons completed at that table. */
  met?: string[]
}
type AllGuideProgress = Record<string, GuideProgress>

const KEY = 'landfall.guides'
const guideKey = (game: string, guide: string): string => `${game}/${guide}`

function readAllGuideProgress(): AllGuideProgress {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as AllGuideProgress
  } catch {
    return {}
  }
}

export function readGuideProgress(game: string, guide: string): GuideProgress {
  return readAllGuideProgress()[guideKey(game, guide)] ?? {}
}

export function saveGuideProgress(game: string, guide: string, memory: GuideProgress): void {
  const before = readAllGuideProgress()
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...before, [guideKey(game, guide)]: { ...before[guideKey(game, guide)], ...memory } }),
    )
  } catch {
    // without storage each visit starts over
  }
}

/** The guide that is played at a table, if any. */
export function guideOfTable(table: string): { game: string; guide: string } | null {
  const found = Object.entries(readAllGuideProgress()).find(([, memory]) => memory.table === table)?.[0]
  if (!found) return null
  const [game, guide] = found.split('/') as [string, string]
  return { game, guide }
}
