// The plain table: any game without drawings in the client, by its picture, sentences and choices.
import type { GameUi } from '../../games/gameUi'
import Board from './Board.svelte'
import Dock from './Dock.svelte'
import PlayerStats from './PlayerStats.svelte'

export const ui: GameUi = {
  Board,
  Dock,
  PlayerStats,
  turnSteps: () => [],
  actionButtons: () => [],
  animationStepsOf: () => [],
  placesOfEvent: () => [],
  seatOfEvent: (event) => (typeof event.seat === 'number' ? event.seat : null),
  hasNoLogLine: () => false,
  timelineSymbol: () => '',
}
