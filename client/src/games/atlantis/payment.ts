// Payments: tiles and cards by name, `pink3` and `pink`, with the number of each.
import { tileFaceName, isTileFace, KINDS, parseTileFace, type Payment } from './view'

export type Pieces = Record<string, number>

export const pieceValue = (piece: string): number => (isTileFace(piece) ? parseTileFace(piece).value : 1)
export const sumOfPieces = (pieces: Pieces): number =>
  Object.entries(pieces).reduce((sum, [piece, n]) => sum + n * pieceValue(piece), 0)

export function paymentToPieces(payment: Payment | null | undefined): Pieces {
  const pieces: Pieces = {}
  for (const tile of payment?.tiles ?? []) pieces[tileFaceName(tile)] = (pieces[tileFaceName(tile)] ?? 0) + 1
  for (const kind of KINDS) if (payment?.cards[kind]) pieces[kind] = payment.cards[kind]
  return pieces
}

/** One more of a piece, or none of it after the last; pieces that are then superfluous go, the cheapest first. */
export function cyclePaymentPiece(payment: Pieces, piece: string, available: number, due: number): Pieces {
  const pieces = { ...payment }
  const n = pieces[piece] ?? 0
  if (n >= available) {
    delete pieces[piece]
    return pieces
  }
  pieces[piece] = n + 1
  for (const other of Object.keys(pieces).sort((a, b) => pieceValue(a) - pieceValue(b))) {
    while (other !== piece && pieces[other] && sumOfPieces(pieces) - pieceValue(other) >= due) {
      pieces[other] -= 1
      if (!pieces[other]) delete pieces[other]
    }
  }
  return pieces
}
