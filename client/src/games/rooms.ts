// Where a game is played: on its own drawings, else on the plain table.
import type { Room } from './room'
import { byGame } from './shelf'

const ROOMS = byGame(import.meta.glob<Room>('./*/room.ts', { import: 'room' }))

export function findRoom(game: string): Promise<Room> {
  const own = ROOMS[game]
  return own ? own() : import('../table/plain/room').then((found) => found.room)
}
