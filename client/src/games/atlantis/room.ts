import type { Room } from '../room'
import Board from './Board.svelte'
import PlayerLine from './PlayerLine.svelte'

export const room: Room = {
  Board,
  PlayerLine,
  steps: () => [],
  buttons: () => [],
  stages: () => [],
  places: () => [],
  about: (event) => (typeof event.seat === 'number' ? event.seat : null),
  silent: () => false,
  mark: () => '',
}
