// Where a game is played: on its own drawings, else on the plain table.
import type { Room } from '../games/room'
import { byGame } from '../games/shelf'

const ROOMS = byGame(import.meta.glob<Room>('../games/*/room.ts', { import: 'room' }))

export function findRoom(game: string): Promise<Room> {
  const own = ROOMS[game]
  return own ? own() : import('./plain/room').then((found) => found.room)
}
