// Made by `landfall types --write`; do not edit.
import type { Offer, PicturePiece, PictureSpot, Rank } from '../../lib/wire'

/** The whole table. */
export type View = {
  game: string
  players: number
  /** the seat that must choose; -1: chance, -2: the match is over */
  actor: number
  /** what the actor is asked, or what is going on */
  phase: string
  /** the key of the sentence that asks for it */
  ask: string
  /** by seat, if they are public */
  scores?: number[]
  /** at the end of the match */
  ranking?: Rank[]
  /** an SVG, if the game draws its own picture */
  picture?: string
  /** where it can be pressed */
  spots?: PictureSpot[]
  /** what moves on it */
  pieces?: PicturePiece[]
  /** the same as text, by language */
  drawing?: Record<string, string[]>
  seat: number | null
  seats: SeatView[]
  /** cards bought this turn */
  may_not_pay: Cards | null
  /** the seat whose turn it is */
  turn: number
  path: Position[]
  gaps: Gap[]
  /** the current move */
  move: Move | null
  /** cards left */
  deck: number
  discard: Cards
  /** of the game */
  out: Cards
  /** this turn */
  played: Cards
  to_draw: number
  /** cards, this turn */
  bought: number
  /** at the end */
  bills?: number[]
  /** at the end */
  crossing?: Crossing[]
  /** in a replay with open hands: by seat */
  own?: PrivateView[]
}
/** A seat's area. */
export type SeatView = {
  seat: number
  colour: string
  /** how many in hand */
  cards: number
  /** the seat's own; at the end everybody's */
  hand: Cards | null
  /** public cards */
  known: Cards
  tiles: Tile[]
  /** of the tiles */
  worth: number
  /** not laid yet */
  bridge: boolean
  /** where each is */
  figures: Record<Figure, string>
  /** figures there */
  atlantis: number
  /** figures there */
  mainland: number
}
/** counts by kind, without zeros */
export type Cards = Partial<Record<Kind, number>>
export type Kind = "blue" | "grey" | "white" | "yellow" | "brown" | "green" | "pink"
export type Tile = { kind: Kind; value: number }
export type Figure = "A" | "B" | "C"
/** One position of the path; empty before the first and after the last tile. */
export type Position = {
  at: number
  /** the side of the middle */
  back: Back
  tile: Tile | null
  /** unseen tiles below */
  below: number
  water: boolean
  bridge: boolean
  figure: FigureAt | null
}
export type Back = "A" | "B"
/** The figure on a tile. */
export type FigureAt = { seat: number; figure: Figure }
/** Water between two tiles. */
export type Gap = {
  /** its first position */
  at: number
  /** its last */
  to: number
  price: number
  bridge: boolean
}
export type Move = {
  figure: Figure
  from: string
  at: string
  bill: number
  /** of the bill */
  paid: number
}
/** How the figures not yet ashore cross at the end. */
export type Crossing = {
  figures: CrossingFigure[]
  bill: number
  /** None: not enough to pay */
  gives: Payment | null
}
export type CrossingFigure = { figure: Figure; from: string; bill: number }
/** The tiles and cards given for a bill. */
export type Payment = { tiles: Tile[]; cards: Cards; sum: number }
/** The seat, all seats' areas, and what only the seat knows. */
export type PrivateView = {
  seat: number | null
  seats: SeatView[]
  /** cards bought this turn */
  may_not_pay: Cards | null
}
export type Event = Laid | Drew | TurnBegan | Bought | BridgeLaid | FigureMoved | PaidCard | PaidTile | Took | TookNothing | GapOpened | ShoreReached | BridgeLost | Uncovered | Shuffled | Shown | Scored | Over
/** A tile of the path, during set-up. */
export type Laid = { kind: "laid"; tile: Kind; value: number; at: number }
export type Drew = {
  kind: "drew"
  /** hidden from others */
  card: Kind | "hidden"
  seat: number
}
export type TurnBegan = { kind: "turn"; seat: number }
export type Bought = { kind: "bought"; tile: Kind; value: number; seat: number; cards: number }
export type BridgeLaid = {
  kind: "bridge"
  seat: number
  /** the gap's first position */
  at: number
  /** its last */
  to: number
}
export type FigureMoved = {
  /** hopped: onto an occupied tile, so the move continues */
  kind: "moved" | "hopped"
  from: string
  to: string
  seat: number
  figure: Figure
  card: Kind
}
export type PaidCard = {
  kind: "paid_card"
  seat: number
  card: Kind
  /** so far */
  paid: number
  bill: number
}
export type PaidTile = {
  kind: "paid_tile"
  tile: Kind
  value: number
  seat: number
  /** so far */
  paid: number
  bill: number
}
export type Took = { kind: "took"; tile: Kind; value: number; seat: number; at: number }
export type TookNothing = { kind: "took_nothing"; seat: number }
export type GapOpened = { kind: "gap"; at: number }
/** The path closes up. */
export type ShoreReached = { kind: "shore"; at: number; side: "atlantis" | "mainland" }
export type BridgeLost = { kind: "bridge_lost"; at: number }
/** The lower tile of a stack is turned up. */
export type Uncovered = { kind: "uncovered"; tile: Kind; value: number; at: number }
/** The discard pile becomes the deck. */
export type Shuffled = { kind: "shuffled"; cards: number }
/** A player who is stuck shows the hand. */
export type Shown = {
  kind: "shown"
  seat: number
  /** one by one; `none` alone: an empty hand */
  cards: (Kind | "none")[]
}
export type Scored = {
  kind: "scored"
  seat: number
  /** their worth */
  tiles: number
  /** how many */
  cards: number
  /** of the end crossing */
  bill: number
  /** the payment for it */
  paid: number
  score: number
}
export type Over = { kind: "over" }
export type Words = PlayCard | PayCard | PayTile | Buy | LayBridge | ShowHand | KeepBridge
/** A card played with a figure: where it leads, and what the way costs so far. */
export type PlayCard = { verb: "move" | "move_pay" | "hop"; from: string; to: string; figure: Figure; card: Kind; bill: number }
export type PayCard = {
  verb: "pay_card"
  card: Kind
  /** to pay */
  left: number
}
export type PayTile = {
  verb: "pay_tile"
  tile: Kind
  value: number
  /** to pay */
  left: number
}
export type Buy = { verb: "buy"; tile: Kind; value: number; cards: number }
export type LayBridge = {
  verb: "bridge"
  /** the gap's first position */
  at: number
  /** its last */
  to: number
  /** until now */
  price: number
}
export type ShowHand = { verb: "show" }
export type KeepBridge = { verb: "no_bridge" }
export type Outcome = TurnUp | Draw
export type TurnUp = { verb: "turn_up"; tile: Kind; value: number; at: number }
export type Draw = { verb: "draw"; seat: number; card: Kind }
export type Preview = {
  /** while paying: the cheapest payment */
  pay?: Payment | null
  /** by figure: the cards in hand */
  figures?: Partial<Record<Figure, Route[]>>
}
/** Where a card would lead. */
export type Route = {
  card: Kind
  to: string
  occupied: boolean
  bill: number
  /** the tile that would be taken */
  takes: TileAt | null
  /** that forbids it */
  rule?: string | null
  /** the cheapest payment; None: not enough */
  pay?: Payment | null
  /** if it is occupied: cards playable from there */
  then?: Route[]
}
export type TileAt = { kind: Kind; value: number; at: number }
/** A choice as it is offered. */
export type Choice = Offer & Words
