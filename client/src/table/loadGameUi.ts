// The UI of a game: its own, otherwise the plain table.
import type { GameUi } from '../games/gameUi'
import { indexByGame } from '../games/registry'

const GAME_UIS = indexByGame(import.meta.glob<GameUi>('../games/*/ui.ts', { import: 'ui' }))

export function loadGameUi(game: string): Promise<GameUi> {
  const own = GAME_UIS[game]
  return own ? own() : import('./plain/ui').then((found) => found.ui)
}
