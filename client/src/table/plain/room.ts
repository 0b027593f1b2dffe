// The plain table: any game the client has no drawings for, by the picture, the sentences and the choices it gives.
import type { Room } from '../../games/room'
import Board from './Board.svelte'
import Dock from './Dock.svelte'
import PlayerLine from './PlayerLine.svelte'

export const room: Room = {
  Board,
  Dock,
  PlayerLine,
  steps: () => [],
  buttons: () => [],
  stages: () => [],
  places: () => [],
  about: (event) => (typeof event.seat === 'number' ? event.seat : null),
  silent: () => false,
  mark: () => '',
}
