// What this browser stores about guides: the table of each, its completed lessons, and whether it was finished.

export interface Memory {
  table?: string
  done?: boolean
  /** Hidden: the game continues without it. */
  off?: boolean
  /** Lessons completed at that table. */
  met?: string[]
}
type Memories = Record<string, Memory>

const KEY = 'landfall.guides'
const guideKey = (game: string, guide: string): string => `${game}/${guide}`

function readAllMemories(): Memories {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Memories
  } catch {
    return {}
  }
}

export function readGuideProgress(game: string, guide: string): Memory {
  return readAllMemories()[guideKey(game, guide)] ?? {}
}

export function saveGuideProgress(game: string, guide: string, memory: Memory): void {
  const before = readAllMemories()
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
  const found = Object.entries(readAllMemories()).find(([, memory]) => memory.table === table)?.[0]
  if (!found) return null
  const [game, guide] = found.split('/') as [string, string]
  return { game, guide }
}
