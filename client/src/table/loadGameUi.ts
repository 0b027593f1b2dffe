// The UI of a game, with its texts: its own, otherwise the plain table.
import type { GameUi } from '../games/gameUi'
import { indexByGame } from '../games/registry'
import { loadGameMessages } from '../lib/i18n.svelte'

const GAME_UIS = indexByGame(import.meta.glob<GameUi>('../games/*/ui.ts', { import: 'ui' }))

export async function loadGameUi(game: string): Promise<GameUi> {
  const own = GAME_UIS[game]
  if (!own) return (await import('./plain/ui')).ui
  return (await Promise.all([own(), loadGameMessages(game)]))[0]
}
