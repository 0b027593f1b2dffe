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
  /** of the explorers whose value it may know now */
  values?: Record<string, number>
  hand?: HandTile[]
  /** values still to be placed, by colour */
  to_place?: Record<string, number[]>
  /** of the turn */
  step: TurnStep
  /** the seat whose turn it is */
  turn: number
  /** of movement left */
  points: number
  /** remaining tiles, by space */
  tiles: Record<string, TerrainName>
  /** where each is: a space, an isle, or `lost` */
  explorers: Record<string, string>
  /** crews, by the ship's space */
  aboard: Record<string, string[]>
  /** number and space */
  ships: ShipAt[]
  /** number, kind and space */
  creatures: CreatureAt[]
  /** the explorer a dolphin guards, by the dolphin's number */
  wards: Record<string, string>
  /** explorers that have used their action in the water */
  acted: string[]
  seats: SeatView[]
  /** ships and creatures not on the board */
  supply: Record<string, number>
  /** rolled just now */
  dice: string[]
  /** the space whose tile was just removed */
  sunk: string | null
  attack?: Attack
  /** at the end, by seat */
  hands?: HandTile[][]
  /** in a replay with open hands: by seat */
  own?: PrivateView[]
}
/** A tile in a hand. */
export type HandTile = { tile: BackName; terrain: TerrainName }
export type BackName = "dolphin" | "wind" | "move_serpent" | "move_shark" | "move_whale" | "shark_defence" | "whale_defence" | "shark" | "whale" | "ship" | "whirlpool" | "volcano"
export type TerrainName = "beach" | "forest" | "mountain"
export type TurnStep = "setup" | "hand" | "move" | "tile" | "mini" | "die"
export type ShipAt = [number, string]
export type CreatureAt = [number, CreatureName, string]
export type CreatureName = "serpent" | "shark" | "whale" | "dolphin" | "squid"
/** The public facts about a seat. */
export type SeatView = {
  /** two with two players */
  colours: string[]
  /** the public side of its tiles */
  hand: TerrainName[]
  /** explorers still on the board */
  in_play: number
  /** explorers on isles */
  saved: number
  /** begun so far */
  turns: number
  /** during set-up */
  ships_to_put: number
  /** points for removed rivals' explorers, if the option is on */
  bounty?: number
}
/** The creature that attacks unless somebody defends, or whose prey is being chosen. */
export type Attack = { id: number; creature: CreatureName; at: string }
/** What only the seat sees. */
export type PrivateView = {
  /** of the explorers whose value it may know now */
  values?: Record<string, number>
  hand?: HandTile[]
  /** values still to be placed, by colour */
  to_place?: Record<string, number[]>
}
export type Event = Placed | ShipPut | TurnBegan | Moved | Landed | ShipMoved | Wrecked | Swallowed | Removed | Sunk | Kept | Revealed | Arrived | ShipCame | TakenAboard | Whirlpool | CreatureMoved | CreatureRemoved | Rolled | Guarded | TilePlayed | Defended | Passed | Over | Ranked
/** An explorer, during set-up. */
export type Placed = {
  kind: "placed"
  /** for those who may read it */
  value?: number
  seat: number
  piece: string
  at: string
}
/** A ship, during set-up. */
export type ShipPut = { kind: "ship_put"; seat: number; at: string }
export type TurnBegan = {
  kind: "turn"
  seat: number
  /** the number of the seat's turn */
  turn: number
}
/** An explorer. */
export type Moved = {
  kind: "moved"
  from: string
  to: string
  piece: string
  /** `how.<word>` says it */
  how: string
  /** if longer than a step; both ends included */
  path?: string[]
}
export type Landed = { kind: "landed"; piece: string; from: string; isle: string }
export type ShipMoved = {
  kind: "ship_moved"
  from: string
  to: string
  /** `how.<word>` says it */
  how: string
  /** both ends included */
  path: string[]
  id: number
  crew: string[]
}
/** A ship is removed, its passengers become swimmers. */
export type Wrecked = { kind: "wrecked"; at: string; by: "serpent" | "whale"; crew: string[] }
/** A ship goes down with all aboard. */
export type Swallowed = { kind: "swallowed"; at: string; id: number }
/** An explorer is lost. */
export type Removed = {
  kind: "removed"
  piece: string
  at: string
  /** `by.<word>` says it */
  by: string
}
/** A tile is removed. */
export type Sunk = {
  kind: "sunk"
  seat: number
  at: string
  terrain: TerrainName
  /** explorers who stood on it */
  fell: string[]
}
/** The removed tile goes to the hand. */
export type Kept = {
  kind: "kept"
  /** for those who may read it */
  back?: BackName
  seat: number
  terrain: TerrainName
}
/** The back of the removed tile. */
export type Revealed = { kind: "revealed"; back: BackName; at: string }
/** A creature from the supply. */
export type Arrived = { kind: "arrived"; creature: CreatureName; id: number; at: string }
/** A ship from the supply. */
export type ShipCame = { kind: "ship_came"; at: string; id: number }
export type TakenAboard = { kind: "taken_aboard"; piece: string; at: string }
export type Whirlpool = { kind: "whirlpool"; at: string }
export type CreatureMoved = {
  kind: "creature_moved"
  from: string
  to: string
  creature: CreatureName
  id: number
  seat: number
  /** both ends included */
  path: string[]
}
export type CreatureRemoved = {
  kind: "creature_removed"
  creature: CreatureName
  id: number
  at: string
  /** `by.<word>` says it */
  by: string
}
export type Rolled = { kind: "rolled"; seat: number; faces: string[] }
/** A dolphin has a ward. */
export type Guarded = { kind: "guarded"; piece: string; at: string }
export type TilePlayed = { kind: "tile_played"; seat: number; tile: BackName; terrain: TerrainName }
export type Defended = { kind: "defended"; seat: number; creature: CreatureName }
export type Passed = {
  kind: "passed"
  seat: number
  /** `pass.<phase>` says what was passed */
  phase: string
}
export type Over = {
  kind: "over"
  /** `reason.<word>` says it */
  reason: string
}
export type Ranked = {
  kind: "ranked"
  place: number
  seats: number[]
  /** compared in this order; `term.<key>` names each */
  keys: Record<string, number>
  /** the key that ranked them above the next group */
  decided_by: string | null
}
export type Words = Place | Put | Step | StepHere | SwimByDolphin | MoveShip | MoveCreature | SendCreature | Sink | Pick | Guard | Defend | Pass
/** An explorer, during set-up. */
export type Place = { verb: "place"; colour: string; value: number; to: string }
/** A ship, during set-up, or the squid. */
export type Put = { verb: "put_ship" | "put_squid"; to: string }
/** An explorer to the next space. */
export type Step = {
  verb: "walk" | "swim" | "enter_water" | "embark" | "swim_with_dolphin"
  piece: string
  from: string
  to: string
  /** a compass direction */
  direction: string
}
/** An explorer between ship and water, or onto the isle beside it. */
export type StepHere = { verb: "dive" | "board" | "land"; piece: string; from: string; to: string }
/** An explorer carried by a dolphin tile. */
export type SwimByDolphin = {
  verb: "swim_by_dolphin"
  piece: string
  from: string
  to: string
  /** of the tile */
  terrain: TerrainName | ""
}
/** A ship: sailed, driven by a tile, drifting by the dice, or fetched. */
export type MoveShip = {
  verb: "sail" | "wind" | "drift" | "fetch"
  from: string
  to: string
  /** `ship D4` */
  piece: string
}
/** A creature, by the dice. */
export type MoveCreature = {
  verb: "move"
  from: string
  to: string
  /** `shark D4` */
  piece: string
  creature: CreatureName
  id: number
}
/** A creature sent by a tile. */
export type SendCreature = {
  verb: "send"
  from: string
  to: string
  /** `shark D4` */
  piece: string
  creature: CreatureName
  id: number
  /** of the tile */
  terrain: TerrainName | ""
}
/** A tile to remove. */
export type Sink = { verb: "sink"; to: string; terrain: TerrainName | "sea" }
/** One of several explorers. */
export type Pick = {
  verb: "pick_ward" | "pick_prey" | "pick_boarding"
  piece: string
  /** its place */
  to: string
}
/** Another ward for a dolphin. */
export type Guard = {
  verb: "guard"
  /** `dolphin D4` */
  piece: string
  ward: string
  /** the place of both */
  to: string
}
export type Defend = {
  verb: "defend"
  creature: CreatureName | ""
  /** of the tile */
  terrain: TerrainName | ""
}
/** End the movement, or choose nothing. */
export type Pass = { verb: "end" | "pass" }
export type Outcome = { verb: "chance"; phase: string; outcome: string }
/** Empty: the choices show everything. */
export type Preview = Record<never, never>
/** A choice as it is offered. */
export type Choice = Offer & Words
