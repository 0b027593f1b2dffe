// Made by `landfall types --write`; do not edit.
/** A choice, decided at `version`; `id` is the sender's own, so that a resend is known. Either way of naming it. */
export type Play = { t: "play"; version: number; id: string; action?: number | null; text?: string | null }
/** Take back one's last choice, or with `turn` all one may. */
export type Undo = { t: "undo"; version: number; id: string; turn?: boolean }
/** Have the rest of one's set-up placed, each piece when its turn comes; or place by oneself again. */
export type Arrange = { t: "arrange"; on?: boolean }
/** Let the bots play without a pause until one is asked. For one who plays against bots alone. */
export type Skip = { t: "skip" }
/** Take a free chair; at a hot seat, under a name of its own. */
export type Sit = { t: "sit"; chair: number; name?: string | null }
/** Put a bot on a chair, by level or code. The owner's. */
export type Bot = { t: "bot"; chair: number; code: string }
/** Clear a chair before the match: one's own, or as the owner any. */
export type Free = { t: "free"; chair: number }
/** Choose the colour of one's chair. */
export type Colour = { t: "colour"; chair: number; colour: string }
/** Begin the match. The owner's. */
export type Start = { t: "start" }
/** Go: a stand-in plays on. */
export type Leave = { t: "leave" }
/** Take one's seat back from the stand-in. */
export type Back = { t: "back" }
/** Give up for good. */
export type Resign = { t: "resign"; seat?: number | null }
/** Ask all to agree: `abandon` the match, `takeback` of one's last choice, or `pause` until somebody resumes. */
export type Propose = { t: "propose"; what: string }
/** To the proposal. */
export type Answer = { t: "answer"; yes: boolean }
/** Go on after a pause that was agreed to. */
export type Resume = { t: "resume" }
/** Chat. */
export type Say = { t: "say"; text: string }
/** At a hot seat: lift the curtain for one of one's seats, or lower it. When the match is over: any seat. */
export type Viewpoint = { t: "viewpoint"; seat?: number | null }
/** Send somebody away from the table. The owner's. */
export type Remove = { t: "remove"; who: string }
/** Let somebody not chat, or again. The owner's. */
export type Mute = { t: "mute"; who: string; on?: boolean }
/** How fast the bots here play: `slow`, `normal` or `quick`. The owner's. */
export type Pace = { t: "pace"; pace: string }
/** End the table. The owner's. */
export type Close = { t: "close" }
/** Once more, at a new table: ask for it, or answer yes to who did. */
export type Rematch = { t: "rematch" }
/** Why a piece cannot go to a place, for a touch that is no choice; or why a choice named by its text is none. */
export type Explain = { t: "explain"; piece?: string; place?: string; text?: string | null }
/** What one's choices would lead to, where words alone do not tell. */
export type Preview = { t: "preview" }
/** What a bot would choose in one's place, knowing what one knows. */
export type Hint = { t: "hint"; version: number }
/** Everything that happened in the match from event `since` on, as one may know it now. */
export type Events = { t: "events"; since?: number }
/** Is anybody there. */
export type Ping = { t: "ping" }
/** The first message: everything, as this viewer may see it. `you` is the handle of who is asking. To one who comes back, `again` tells all earlier events of which one may know more, or less, than before. */
export type Welcome = { t: "welcome"; n: number; version: number; table: TableInfo; you?: string | null; seats?: number[]; seat?: number | null; curtain?: boolean; view?: View | null; choices?: Choices[]; first?: number; events?: GameEvent[]; again?: GameEvent[]; clock?: Record<string, unknown> | null; chat?: ChatMessage[] }
/** All about a table but the position: sent whole whenever some of it changes. `scores`: of a match that ended before its end, as they stood. `successor`: the table of a rematch, which the seat `successor_by` asked for. */
export type TableInfo = { t: "table"; n: number; id: string; game: string; rules: number; players: number; options: Record<string, unknown>; status: string; chairs: ChairInfo[]; owner: string; clock: Record<string, unknown>; public?: boolean; hot_seat?: boolean; pace?: string; ended?: string | null; scores?: number[]; paused?: boolean; rests?: boolean; proposal?: Record<string, unknown> | null; previous?: string | null; successor?: string | null; successor_by?: number | null; watching?: number; muted?: string[]; link?: string | null }
/** One chair, as all may know it. `who` is a handle for remove and mute; `away` says why a stand-in plays; `kept`: it waits for somebody who played at the table before; `arranging`: the rest of the set-up is placed for them. */
export type ChairInfo = { name?: string; bot?: string | null; who?: string | null; colour?: string | null; away?: string | null; here?: boolean; kept?: boolean; arranging?: boolean }
/** What every view has. */
export type View = {
  game: string
  players: number
  /** the seat that must choose; -1: chance, -2: the match is over */
  actor: number
  /** what is asked or going on */
  phase: string
  /** the key of the sentence that asks for it */
  ask: string
  /** by seat, where all may know them */
  scores?: number[]
  /** at the end */
  ranking?: Rank[]
  /** of a game that brings its own: an SVG */
  picture?: string
  /** the same in characters, by language */
  drawing?: Record<string, string[]>
}
/** Choices of one verb: the names of their words once, then a row for each choice. */
export type Choices = { verb: string; keys: string[]; rows: unknown[][] }
/** Something that happened; what else it has depends on its kind. */
export type GameEvent = {
  /** `event.<kind>` is its sentence */
  kind: string
  /** whose doing it is, or whom it befalls */
  seat?: number
  /** its number, where events do not come in one piece */
  n?: number
}
/** A line of chat. Text is text, never markup. */
export type ChatMessage = { t: "chat"; n: number; at: number; name: string; text: string; seat?: number | null; who?: string | null }
/** What changed: `patch` of the view; the events that happened, `first` being the number of the first of them. Events with numbers from `first` on that a client already has were taken back. `again`: earlier ones, by their number, of which one may know more now, or less; what was told of them before is to be forgotten. */
export type Update = { t: "update"; n: number; version: number; patch?: Record<string, unknown>; choices?: Choices[]; first?: number; events?: GameEvent[]; again?: GameEvent[]; clock?: Record<string, unknown> | null }
/** A choice is on disk; `n` and `version` are what it became. */
export type Ack = { t: "ack"; id: string; n: number; version: number }
/** An answer was taken and is kept for a moment, so that how fast it came tells nothing. */
export type Held = { t: "held"; id: string; ms: number }
/** Nothing was changed: why, as a code, a rule's id if one forbids it, and a sentence's key with arguments. */
export type RefusedMessage = { t: "refused"; code: string; key: string; args?: Record<string, unknown>; rule?: string | null; id?: string | null; version?: number | null }
/** The answer to `explain`: the rule that forbids it, or none. */
export type Explanation = { t: "explanation"; rule?: string | null }
/** The answer to `preview`. */
export type PreviewMessage = { t: "preview"; version: number; preview: BasePreview }
/** What a seat's choices would lead to, where words alone do not tell. */
export type BasePreview = Record<never, never>
/** The answer to `hint`: a choice of those offered at `version`, the bot whose it is, at most two reasons, and the next best, of which the first is as good if `alike`; none where nothing can judge them. */
export type HintMessage = { t: "hint"; version: number; action: number; text: string; bot: string; why: Reason[]; others: Alternative[]; alike: boolean }
/** A reason: a sentence's key of the game's catalogue, and its figures. */
export type Reason = { key: string; args: Record<string, unknown> }
/** Another choice that is worth a thought, and at most two reasons. */
export type Alternative = { action: number; text: string; why: Reason[] }
/** The answer to `events`. */
export type EventsMessage = { t: "events"; first: number; events: GameEvent[] }
/** A command other than a choice was carried out. */
export type Done = { t: "done"; what: string; table?: string | null }
/** The answer to `ping`. */
export type Pong = { t: "pong"; n: number }
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** Seats that share a place. */
export type Rank = {
  place: number
  seats: number[]
  /** what they are compared by, in this order: `term.<key>` names it */
  keys: Record<string, number>
  /** the key that put them above the next */
  decided_by: string | null
}
/** The part of a view that may differ from a spectator's: laid over a spectator's view, it makes the seat's. */
export type PrivateView = Record<never, never>
/** What every choice has besides its own words. */
export type Offer = {
  /** `act.<verb>` is its sentence */
  verb: string
  /** what is sent back */
  action: number
  /** the same, in notation */
  text: string
  /** own pieces this choice costs at once */
  loses?: string[]
  /** pieces of others that it strikes at once, if nobody prevents it */
  hits?: string[]
}
export type Command = Play | Undo | Arrange | Skip | Sit | Bot | Free | Colour | Start | Leave | Back | Resign | Propose | Answer | Resume | Say | Viewpoint | Remove | Mute | Pace | Close | Rematch | Explain | Preview | Hint | Events | Ping
export type ServerMessage = Welcome | Update | TableInfo | ChatMessage | Ack | Held | RefusedMessage | Explanation | PreviewMessage | HintMessage | EventsMessage | Done | Pong
