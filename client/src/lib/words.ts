// What happened, as the log says it.
import type { Room } from '../games/room'
import type { GameEvent, Scene } from './scene.svelte'
import { eventKey, pieces, sayPieces, type Piece } from './texts.svelte'

/** The sentence for an event in pieces: the room's own, else the catalogue's. */
export function sentence(scene: Scene, room: Room, event: GameEvent): Piece[] {
  const own = room.tell?.(scene, event)
  if (own) return pieces(own)
  const args: Record<string, unknown> = { ...event }
  if (typeof args.colour === 'string') args.colour = scene.dye(args.colour)
  return sayPieces(scene.game, eventKey(scene.game, event), args, scene.names)
}

/** The same as plain text. */
export function plain(scene: Scene, room: Room, event: GameEvent): string {
  return sentence(scene, room, event).map((piece) => piece.text).join('')
}
