// The plain table: any game the client has no drawings for, by the picture, the sentences and the choices it gives.
import type { GameUi } from '../../games/gameUi'
import Board from './Board.svelte'
import Dock from './Dock.svelte'
import PlayerLine from './PlayerLine.svelte'

export const ui: GameUi = {
  Board,
  Dock,
  PlayerLine,
  steps: () => [],
  buttons: () => [],
  animateEvent: () => [],
  places: () => [],
  about: (event) => (typeof event.seat === 'number' ? event.seat : null),
  silent: () => false,
  mark: () => '',
}
