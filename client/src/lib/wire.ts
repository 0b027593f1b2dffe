// Made by `landfall types --write`; do not edit.
/** A choice made at `version`; `id` is chosen by the sender and identifies a resend. Give `action` or `text`. */
export type Play = { t: "play"; version: number; id: string; action?: number | null; text?: string | null }
/** Undo one's last choice, or with `turn` all that is allowed. */
export type Undo = { t: "undo"; version: number; id: string; turn?: boolean }
/** Let the rest of one's set-up be placed automatically, each piece in its turn; or place manually again. */
export type Arrange = { t: "arrange"; on?: boolean }
/** Let the bots play without pauses until one must choose. Only if one plays against bots alone. */
export type Skip = { t: "skip" }
/** Take a free chair; at a hot seat, under a name of its own. */
export type Sit = { t: "sit"; chair: number; name?: string | null }
/** Put a bot on a chair, by level or code. Owner only. */
export type Bot = { t: "bot"; chair: number; code: string }
/** Free a chair before the match: one's own, or as the owner any. */
export type Free = { t: "free"; chair: number }
/** Choose the colour of one's chair. */
export type Colour = { t: "colour"; chair: number; colour: string }
/** Start the match. Owner only. */
export type Start = { t: "start" }
/** Leave: a stand-in takes over. */
export type Leave = { t: "leave" }
/** Take one's seat back from the stand-in. */
export type Back = { t: "back" }
/** Resign for good. */
export type Resign = { t: "resign"; seat?: number | null }
/** Propose to `abandon` the match, a `takeback` of one's last choice, or a `pause` until somebody resumes. */
export type Propose = { t: "propose"; what: string }
/** Answer the proposal. */
export type Answer = { t: "answer"; yes: boolean }
/** Resume after an agreed pause. */
export type Resume = { t: "resume" }
/** Chat. */
export type Say = { t: "say"; text: string }
/** At a hot seat: show one of one's own seats, or hide it. When the match is over: any seat. */
export type Viewpoint = { t: "viewpoint"; seat?: number | null }
/** Remove somebody from the table. Owner only. */
export type Remove = { t: "remove"; who: string }
/** Mute somebody in the chat, or unmute them. Owner only. */
export type Mute = { t: "mute"; who: string; on?: boolean }
/** Close the table. Owner only. */
export type Close = { t: "close" }
/** Play again at a new table: propose it, or accept. */
export type Rematch = { t: "rematch" }
/** Ask why a piece cannot go to a place, or why a choice given in notation is illegal. */
export type Explain = { t: "explain"; piece?: string; place?: string; text?: string | null }
/** Ask for consequences of one's choices that the choices themselves do not show. */
export type Preview = { t: "preview" }
/** Ask for a bot's choice in one's place, with one's own knowledge. */
export type Hint = { t: "hint"; version: number }
/** Ask for all events of the match from number `since` on, as one may see them now. */
export type Events = { t: "events"; since?: number }
/** Check the connection. */
export type Ping = { t: "ping" }
/** The first message: a full snapshot for this viewpoint. `you` is the subscriber's handle. After a reconnect, `again` contains all earlier events of which the viewpoint may now see more, or less. */
export type Welcome = { t: "welcome"; n: number; version: number; table: TableInfo; you?: string | null; seats?: number[]; seat?: number | null; curtain?: boolean; view?: View | null; choices?: Choices[]; first?: number; events?: GameEvent[]; again?: GameEvent[]; clock?: Record<string, unknown> | null; chat?: ChatMessage[] }
/** Everything about a table but the position: sent whole whenever a part changes. `rated`: as chosen when it was made; `unrated` is why the match does not count all the same; `ratings` comes after its end. `hints`: false if off. `scores`: at the end of a match that was not finished. `successor`: the table of a rematch, which the seat `successor_by` proposed. `tournament`: whose table it is. */
export type TableInfo = { t: "table"; n: number; id: string; game: string; rules: number; players: number; options: Record<string, unknown>; status: string; chairs: ChairInfo[]; owner: string; clock: Record<string, unknown>; public?: boolean; rated?: boolean; unrated?: string; ratings?: RatingChange[]; hints?: boolean; tournament?: string; hot_seat?: boolean; ended?: string | null; scores?: number[]; paused?: boolean; rests?: boolean; proposal?: Record<string, unknown> | null; previous?: string | null; successor?: string | null; successor_by?: number | null; watching?: number; muted?: string[]; link?: string | null }
/** One chair, as everybody may see it. `who` is a handle for remove and mute; `away` is why a stand-in plays; `kept`: it is reserved for a player of the previous table; `arranging`: the set-up is placed automatically; `online_bot`: a program plays there, which its author runs. */
export type ChairInfo = { name?: string; bot?: string | null; who?: string | null; online_bot?: boolean; colour?: string | null; away?: string | null; here?: boolean; kept?: boolean; arranging?: boolean }
/** What a match did to a seat's rating; `place` is the one that counted. */
export type RatingChange = { place: number; before: ShownRating; after: ShownRating }
/** A rating as players see it: the number, its uncertainty, and whether it comes from few matches. */
export type ShownRating = { rating: number; uncertainty: number; provisional?: boolean }
/** The part that all views have in common. */
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
}
/** Choices of one verb: their keys once, then one row of values per choice. */
export type Choices = { verb: string; keys: string[]; rows: unknown[][] }
/** Something that happened. The other fields depend on its kind. */
export type GameEvent = {
  /** `event.<kind>` is its sentence */
  kind: string
  /** the seat that acted, or that is affected */
  seat?: number
  /** its number, if events are sent one by one */
  n?: number
}
/** A chat line. Plain text, never markup. */
export type ChatMessage = { t: "chat"; n: number; at: number; name: string; text: string; seat?: number | null; who?: string | null }
/** A change: `patch` of the view, and new events; `first` is the number of the first of them. Known events with numbers from `first` on were undone. `again` replaces earlier events, by number, of which the viewpoint may now see more, or less. `seat` is the viewpoint where it goes with the turn: at a hot seat of a game that hides nothing. */
export type Update = { t: "update"; n: number; version: number; seat?: number; patch?: Record<string, unknown>; choices?: Choices[]; first?: number; events?: GameEvent[]; again?: GameEvent[]; clock?: Record<string, unknown> | null }
/** A choice is on disk; `n` and `version` are its result. */
export type Ack = { t: "ack"; id: string; n: number; version: number }
/** An answer was accepted and is delayed, so that its timing reveals nothing. */
export type Held = { t: "held"; id: string; ms: number }
/** Nothing was changed: a code, the id of the rule that forbids it, if any, and a text key with arguments. */
export type RefusedMessage = { t: "refused"; code: string; key: string; args?: Record<string, unknown>; rule?: string | null; id?: string | null; version?: number | null }
/** The answer to `explain`: the rule that forbids it, or none. */
export type Explanation = { t: "explanation"; rule?: string | null }
/** The answer to `preview`. */
export type PreviewMessage = { t: "preview"; version: number; preview: BasePreview }
/** Consequences of a seat's choices that the choices themselves do not show. */
export type BasePreview = Record<never, never>
/** The answer to `hint`: one of the choices at `version`, the bot it comes from, at most two reasons and the plan for the rest of the step, and alternatives; the first is equally good if `alike`. There are none without a net. */
export type HintMessage = { t: "hint"; version: number; action: number; text: string; bot: string; why: Reason[]; others: Alternative[]; alike: boolean }
/** A reason: a text key of the game's catalogue, and its numbers. */
export type Reason = { key: string; args: Record<string, unknown> }
/** Another good choice, and at most two reasons. */
export type Alternative = { action: number; text: string; why: Reason[] }
/** The answer to `events`. */
export type EventsMessage = { t: "events"; first: number; events: GameEvent[] }
/** A command other than a choice was executed. */
export type Done = { t: "done"; what: string; table?: string | null }
/** The answer to `ping`. */
export type Pong = { t: "pong"; n: number }
/** The lobby, on its own socket: each part is sent whenever it changes. `found`: the table of your search; `tables`: the public tables that changed, null for those that are gone; `fresh`: they are all there are; `followed`: those whom you follow and who are here; `home`: something waits for you, or no longer, ask `/api/home`. */
export type LobbyMessage = { t: "lobby"; tables?: Record<string, LobbyTable | null>; fresh?: boolean; here?: HereInfo; followed?: HerePerson[]; home?: boolean; search?: SearchInfo | null; found?: string | null; waiting?: WaitingInfo[] }
/** A public table that is not over. `chairs`: names, codes of bots, or null for a free one; `here`: how many people are connected to it; `exhibition`: bots play for spectators. */
export type LobbyTable = { table: string; game: string; status: string; created: number; updated: number; players: number; clock: string; chairs: (string | null)[]; colours: (string | null)[]; rated: boolean; here: number; online_bots?: number[]; exhibition?: boolean }
/** Who is connected: how many people, at how many tables, and some of those who are shown. `searches`: how many look for a table; `waiting`: by game. */
export type HereInfo = { people: number; tables: number; names: HerePerson[]; searches: number; waiting: Record<string, number> }
/** Somebody who agreed to be shown: at a public table, looking for one (of which games), or just here. */
export type HerePerson = { name: string; table?: string; game?: string; waits?: string[] }
/** Your search for a table. Times are milliseconds: since it began, until the band widens, until bots sit down. `ring`: the band (0 like you, 1 near you, 2 anyone); `near`: the nearest of all `others` who look for the same. */
export type SearchInfo = { games: string[]; sizes: number[]; pace: string; rated: boolean; bots: string; waited: number; ring: number; wider: number | null; bots_in: number | null; rating: number; near: NearSearch[]; others: number }
/** Somebody who looks for a table like yours. Without a name: a guest, or an account that is not shown. `ring`: how far apart the ratings are (0 like you, 1 near you, 2 anyone); `fits`: within both bands by now. */
export type NearSearch = { ring: number; fits: boolean; name?: string; rating?: number }
/** How many look for such a table. */
export type WaitingInfo = { game: string; players: number; pace: string; rated: boolean; people: number }
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** Seats that share a place. */
export type Rank = {
  place: number
  seats: number[]
  /** compared in this order; `term.<key>` names each */
  keys: Record<string, number>
  /** the key that ranked them above the next group */
  decided_by: string | null
}
/** A place of the picture that stands for a choice: pressing it is choosing it. */
export type PictureSpot = {
  /** the choice in notation; if it is none now, pressing says why */
  text: string
  /** x, y, width, height, in the picture's units */
  box: number[]
}
/** A piece that lies on the picture and moves when its box changes. */
export type PicturePiece = {
  /** the same in every view */
  id: string
  /** an SVG */
  picture: string
  /** x, y, width, height, in the picture's units */
  box: number[]
}
/** The part of a view that may differ from a spectator's. Merged over the public view, it gives the seat's view. */
export type PrivateView = Record<never, never>
/** The part that all choices have in common. */
export type Offer = {
  /** `act.<verb>` is its sentence */
  verb: string
  /** sent back to choose it */
  action: number
  /** the action in notation */
  text: string
  /** own pieces that this choice loses at once */
  loses?: string[]
  /** others' pieces that it hits at once, unless somebody prevents it */
  hits?: string[]
}
export type Command = Play | Undo | Arrange | Skip | Sit | Bot | Free | Colour | Start | Leave | Back | Resign | Propose | Answer | Resume | Say | Viewpoint | Remove | Mute | Close | Rematch | Explain | Preview | Hint | Events | Ping
export type ServerMessage = Welcome | Update | TableInfo | ChatMessage | Ack | Held | RefusedMessage | Explanation | PreviewMessage | HintMessage | EventsMessage | Done | Pong | LobbyMessage
