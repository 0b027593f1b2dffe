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
  round: number
  /** the first player */
  first: number
  /** the seats in turn order */
  order: number[]
  /** in this round */
  visits_left: number
  dice_to_roll: number
  sectors: SectorView[]
  submarine: Sector
  clock: ClockView
  default_clock: boolean
  default_hands: boolean
  holders: HolderView[]
  /** the holders with most of each */
  leaders: Record<Resource, number[]>
  visit: VisitView | null
  /** tiles out of the game */
  gone: string[]
  /** in a replay with open hands: by seat */
  own?: PrivateView[]
}
/** One sector: its tile and the tiles that may follow, its pieces and dice. */
export type SectorView = {
  sector: Sector
  /** on a die */
  number: number
  pieces: Pieces
  dice: number
  submarine: boolean
  /** as `forge_b`; None: the black market, used up, or about to be revealed */
  tile: string | null
  /** how far the last die here moves the clock */
  hands: number | null
  used_up: boolean
  /** tiles that may still follow */
  unseen: string[]
}
export type Sector = "jeweller" | "library" | "inn" | "workshop" | "forge" | "black_market"
export type Pieces = Record<Resource, number>
export type Resource = "gems" | "books" | "provisions" | "tools" | "weapons"
/** The face and its hand. */
export type ClockView = {
  /** the space it points at */
  hand: number
  /** the space that ends the match */
  last: number
  /** by space */
  icons: Record<string, Icon>
  /** of every tile, revealed or not, and of the black market */
  hands: Record<string, number>
}
export type Icon = "gems" | "books" | "provisions" | "tools" | "weapons" | "stock" | "donation"
/** A seat, or the neutral player, who has no seat. */
export type HolderView = {
  seat: number | null
  neutral: boolean
  colour: string
  stock: Pieces
  /** all of the stock */
  pieces: number
  /** scored so far, without tiles */
  points: number
  tiles: string[]
  /** if the match ended now */
  score: number
  /** taken this round */
  dice: number
  /** this round, for the neutral player */
  neutral_die_taken: boolean
}
/** The current visit. */
export type VisitView = {
  seat: number
  /** for the neutral player */
  neutral: boolean
  sector: Sector
  picked?: Picked
}
/** What is being moved: a die, or a piece of a resource. */
export type Picked = { die?: true; resource?: Resource; sector: Sector }
/** All is public; it only names the seat. */
export type PrivateView = { seat: number | null }
export type Event = RoundBegan | GateOpened | TileRevealed | DieTaken | PieceTaken | Rolled | VisitedAgain | InnTurnedClock | ClockTurned | PieceMoved | PiecesSwapped | DieMoved | SubmarineMoved | RegionEmptied | TileWon | TileWonByNeutral | TileGone | PointsScored | PointsScoredByNeutral | Returned | RegionUsedUp | Inventory | DonationCalled | PieceGiven | DonatedNoMore | Ended
export type RoundBegan = {
  kind: "round"
  round: number
  /** the first player */
  seat: number
}
/** A die rolled at the start of a round goes to its sector. */
export type GateOpened = { kind: "gate"; face: number; sector: Sector }
export type TileRevealed = { kind: "reveal"; sector: Sector; tile: string; hands: number }
export type DieTaken = {
  /** for oneself, or for the neutral player */
  kind: "die" | "die_neutral"
  seat: number
  sector: Sector
}
export type PieceTaken = { kind: "take" | "take_neutral"; resource: Resource; sector: Sector; seat: number; reason: Gained }
export type Gained = "visit" | "submarine" | "effect"
/** The die just taken is rolled for a tile's effect. */
export type Rolled = { kind: "roll"; seat: number; face: number; tile: string }
export type VisitedAgain = { kind: "second_visit"; seat: number; face: number; sector: Sector }
export type InnTurnedClock = { kind: "clock_inn"; from: number; to: number; seat: number }
export type ClockTurned = {
  kind: "clock"
  from: number
  to: number
  /** of the last die */
  sector: Sector
}
export type PieceMoved = { kind: "move"; from: Sector; to: Sector; seat: number; resource: Resource }
export type PiecesSwapped = {
  kind: "swap"
  seat: number
  /** went there */
  resource: Resource
  /** came here */
  other: Resource
  /** there */
  sector: Sector
}
export type DieMoved = {
  kind: "die_moved"
  from: Sector
  to: Sector
  seat: number
  /** its new value */
  face: number
}
export type SubmarineMoved = { kind: "submarine"; from: Sector; to: Sector; seat: number }
/** A tile has no pieces left and is scored. */
export type RegionEmptied = { kind: "emptied"; sector: Sector; tile: string }
export type TileWon = { kind: "tile"; seat: number; tile: string; points: number }
export type TileWonByNeutral = { kind: "tile_neutral"; tile: string; points: number }
export type TileGone = { kind: "tile_gone"; tile: string }
export type PointsScored = {
  kind: "points"
  seat: number
  points: number
  /** a resource: at the end of the match */
  reason: Reason
}
export type Reason = "region" | "inventory" | "donation" | Resource
export type PointsScoredByNeutral = { kind: "points_neutral"; points: number; reason: Reason }
export type Returned = {
  kind: "returned"
  resource: Resource
  /** pieces that went to the black market */
  market: number
  /** pieces that went to the region */
  region: number
  /** pieces that each holder gave */
  from: number[]
}
export type RegionUsedUp = { kind: "used_up"; sector: Sector; resource: Resource }
/** The clock triggers an inventory: most of what the icon names scores. */
export type Inventory = { kind: "inventory"; icon: Icon }
export type DonationCalled = { kind: "donation" }
export type PieceGiven = { kind: "give"; seat: number; resource: Resource }
export type DonatedNoMore = { kind: "no_more"; seat: number }
export type Ended = { kind: "end"; scores: number[] }
export type Words = TakeDie | TakePiece | PickPiece | MovePiece | ChangeDie | MoveDie | MoveSubmarine | GivePiece | Pass
export type TakeDie = { verb: "die" | "die_neutral"; sector: Sector }
export type TakePiece = { verb: "take" | "take_neutral"; resource: Resource; sector: Sector }
/** The piece an effect moves, or the one it is swapped with. */
export type PickPiece = { verb: "pick" | "swap"; resource: Resource; sector: Sector }
export type MovePiece = { verb: "move"; from: Sector; to: Sector; resource: Resource }
/** Which die an effect changes. */
export type ChangeDie = { verb: "change"; sector: Sector }
export type MoveDie = { verb: "die_to"; from: Sector; to: Sector }
export type MoveSubmarine = { verb: "submarine"; from: Sector; to: Sector }
export type GivePiece = { verb: "give"; resource: Resource }
/** Donate no more. */
export type Pass = { verb: "pass" }
export type Outcome = RevealTile | RollDie
export type RevealTile = { verb: "reveal"; tile: string }
export type RollDie = { verb: "gate" | "roll"; face: number }
export type Preview = {
  /** if the last die were one of those in the sector */
  clock?: Partial<Record<Sector, ClockAfter>>
}
/** Where the clock would go. */
export type ClockAfter = {
  to: number
  icon: Icon | null
  /** the match */
  ends: boolean
}
/** A choice as it is offered. */
export type Choice = Offer & Words
