// What this browser remembers of guided first games: the table being played, and whether one was finished.

export interface Memory {
  table?: string
  done?: boolean
  /** Lessons met at that table. */
  met?: string[]
}

const key = (game: string): string => `landfall.first.${game}`

export function remembered(game: string): Memory {
  try {
    return JSON.parse(localStorage.getItem(key(game)) ?? '{}') as Memory
  } catch {
    return {}
  }
}

export function remember(game: string, memory: Memory): void {
  try {
    localStorage.setItem(key(game), JSON.stringify({ ...remembered(game), ...memory }))
  } catch {
    // a browser that keeps nothing begins anew each time
  }
}
