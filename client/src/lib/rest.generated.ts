// Made by `landfall types --write`; do not edit.
/** An account's name and password. */
export type AccountBody = {
  name: string
  password: string
  /** For a new one where registration is by invitation. */
  invitation?: string
}
/** How you sign in. */
export type AccountInfo = {
  name: string
  since: number
  /** Whether you have one. */
  password: boolean
  passkeys: PasskeyInfo[]
  /** Recovery codes that are left. */
  codes: number
  /** Whether you are a host of this server. */
  host: boolean
  /** When you may change your name again; null: at any time. */
  rename: number | null
  /** You came by a code: a new password or passkey replaces all ways to sign in. */
  recovered: boolean
}
/** What a host did. */
export type ActionInfo = { at: number; host: string; kind: string; person: string; words: string }
/** Where e-mail goes. */
export type AddressBody = { address: string; language?: string }
/** Your e-mail address. */
export type AddressInfo = { address: string; confirmed: boolean }
/** The result of a try, before any chance, and a sentence about it. */
export type AttemptResult = {
  key: string
  args: Record<string, unknown>
  right: boolean
  events: Record<string, unknown>[]
  view: Record<string, unknown>
  /** What the choice does. */
  why: Reason[]
  /** Where it leads. */
  places: string[]
}
/** A new bot. */
export type BotBody = {
  /** `play`: sit down and play. `read`: tables, ratings and results. */
  scopes?: string[]
  name: string
}
/** A bot that can be put on a chair. */
export type BotInfo = { level: string; code: string }
/** A line of chat. */
export type ChatInfo = { n: number; at: number; name: string; seat: number | null; text: string }
/** How long a player may think. */
export type ClockBody = {
  mode?: "none" | "live" | "days"
  /** Live: seconds a turn. */
  turn?: number
  /** Live: seconds besides, for the whole match. */
  bank?: number
  /** By days: how many for a choice. */
  days?: number
}
/** A sentence to the players of a table. */
export type CloseBody = { text?: string }
/** All that the host sets. */
export type ClubBody = { name?: string; announcement?: string; registration?: "open" | "closed" | "invitation"; imprint?: string; privacy?: string }
/** What the host says to everybody. */
export type ClubInfo = {
  /** The server's name; empty: none was given. */
  name: string
  announcement: string
  /** When it was written. */
  announced: number
  /** Who may make an account. */
  registration: "open" | "closed" | "invitation"
  imprint: string
  privacy: string
  version: string
}
/** An account's name and one of its recovery codes. */
export type CodeBody = { name: string; code: string }
/** Recovery codes: shown this once. */
export type CodesInfo = { codes: string[] }
/** One of these proves who you are. */
export type ConfirmBody = { password?: string; code?: string; credential?: Record<string, unknown> | null }
/** How a request arrived. */
export type ConnectionInfo = {
  /** The proxy's `X-Forwarded-For`. */
  forwarded: "missing" | "ignored" | "trusted"
  scheme: string
}
/** A browser that receives push messages. */
export type DeviceInfo = {
  id: string
  /** Browser and system; empty if unknown. */
  device: string
  /** Milliseconds since 1970. */
  created: number
  /** When the last message was accepted. */
  succeeded: number | null
  /** Since when none is. */
  failing: number | null
}
/** An error: a code for programs, the id of the rule that forbids it, if any, and a sentence in English. */
export type ErrorInfo = {
  code: string
  key: string
  args?: Record<string, unknown>
  rule?: string | null
  text: string
  /** With options: each fault of theirs. */
  problems?: ProblemInfo[]
}
/** The rule that forbids it, if one does. */
export type Explanation = { rule: string | null }
/** A public match that is over. */
export type FeaturedMatch = {
  table: TableListing
  /** The players' ratings on average, of a rated match. */
  rating: number | null
}
/** A game. */
export type GameInfo = {
  name: string
  rules_version: number
  /** How many can play. */
  counts: number[]
  /** By seat. */
  colours: string[]
  num_actions: number
  options: OptionInfo[]
  /** Names of games that are explained while they are played. */
  guides: string[]
}
/** A game that is explained while it is played. */
export type GuidedBody = {
  game: string
  guide: string
  /** Who plays the other seats. */
  bots?: string
}
/** Whether the server is operational. */
export type Health = {
  /** `failing`: nothing can be written down. `draining`: it stops soon. */
  status: "ok" | "failing" | "draining"
  version: string
  engine: string
  tables: number
}
/** When you are away. */
export type HolidayBody = {
  days: number
  /** When it begins, in milliseconds since 1970; 0: now. */
  since?: number
}
/** Your holidays. */
export type HolidayInfo = {
  /** Of the one under way or the next. */
  since: number | null
  until: number | null
  /** Days left this year. */
  left: number
}
/** What waits for you. */
export type HomeInfo = {
  tables: HomeTable[]
  invitations: InvitationInfo[]
  /** Whether you have played a match to its end here. */
  finished: boolean
  /** By game: how many look for a table. */
  waiting: Record<string, number>
  /** Connected now. */
  people: number
  tables_in_use: number
  /** Those whom you follow and who are here. */
  following: string[]
}
/** A table of yours that is not over. */
export type HomeTable = {
  table: TableListing
  /** Whether your choice is waited for, as far as this server knows at once. */
  yours: boolean
  /** Milliseconds that are left for the choice; null without a limit. */
  left: number | null
}
/** What the host does to somebody. */
export type HostBody = {
  /** `allow` lifts mute and ban; `reset` gives a link with which the owner can sign in. */
  act: "mute" | "ban" | "allow" | "reset" | "delete"
  /** 0: for ever. */
  hours?: number
  /** Shown to a banned person. */
  reason?: string
  /** The report that is dealt with by this; 0: none. */
  report?: number
}
/** The same for the host, with the link that invites. */
export type HostClub = {
  /** The server's name; empty: none was given. */
  name: string
  announcement: string
  /** When it was written. */
  announced: number
  /** Who may make an account. */
  registration: "open" | "closed" | "invitation"
  imprint: string
  privacy: string
  version: string
  /** The link; empty: there is none. */
  invitation: string
  invited_until: number
}
/** A link to hand to somebody, once; null unless one was asked for. */
export type HostLink = { link: string | null }
/** A table that is not over. What is hidden at it is not shown to the host either. */
export type HostTable = { table: string; game: string; status: string; players: number; names: string[]; updated: number }
/** Whom to invite to a table at which you sit. */
export type InvitationBody = { table: string }
/** An invitation to a table that still gathers. */
export type InvitationInfo = {
  /** Of who invites you. */
  name: string
  at: number
  table: TableListing
}
/** How long the link is good for; 0 ends it. */
export type InviteMembersBody = { days?: number }
/** A line of a leaderboard. */
export type LeaderInfo = {
  rank: number
  name: string
  rating: number
  uncertainty: number
  matches: number
  /** Of the shown number in 30 days; null without a match in them. */
  change: number | null
  /** Whether it is you, or a bot of yours. */
  you: boolean
  /** Of an online bot: whose it is. */
  author?: string | null
}
/** A page of a leaderboard: sorted by rating minus uncertainty. */
export type LeaderPage = {
  total: number
  leaders: LeaderInfo[]
  /** You, with one above and one below; empty if you are not listed. */
  around: LeaderInfo[]
  /** How many rated matches you still need to be listed; null if you are listed or nobody. */
  missing: number | null
  /** On the first page: players with fewer matches, whose place may change much. */
  provisional: LeaderInfo[]
  /** On the first page of a list of bots: the server's own, the strongest first. */
  levels: LevelRating[]
}
/** The rating of a level of the server's own bots, from matches against each other. */
export type LevelRating = { level: string; rating: number; uncertainty: number; matches: number }
/** The load at one time. `answer_ms` is of the requests since the sample before. */
export type LoadSample = { at: number; here: number; tables: number; answer_ms: number; processor: number }
/** The same, of a new passkey; for a guest with the name of the account. */
export type MadePasskeyBody = { credential: Record<string, unknown>; name?: string | null; invitation?: string }
/** Who you are. */
export type Me = {
  name: string
  /** Whether there is an account, so that other devices can log in. */
  account: boolean
  /** Whether others may see that you are here. */
  shown?: boolean
  /** Whether you are a host of this server. */
  host?: boolean
}
/** The changes of one log line. */
export type MomentInfo = {
  /** A seat, or -1: chance. */
  actor: number
  /** In notation. */
  line: string
  patch: Record<string, unknown>
  events?: Record<string, unknown>[]
}
/** A name to be shown by. */
export type NameBody = { name: string }
/** A new account: its password is shown this once. */
export type NewMember = { name: string; password: string }
/** The name of an account to be made. */
export type NewMemberBody = { name: string }
/** For a guest: the name of the account to be made. */
export type NewPasskeyBody = { name?: string | null; invitation?: string }
/** A token: shown this once. */
export type NewToken = { bot: OwnBot; token: string }
/** A new tournament. */
export type NewTournament = {
  /** Its id. */
  tournament: string
}
/** A notification, as it is shown in the page. */
export type NewsItem = { kind: string; title: string; body: string; path: string; at: number }
/** A note to another page. */
export type NoteBody = { note: string }
/** All settings of the page. */
export type NotificationSettings = {
  preferences: Record<string, unknown>
  /** Whether you have chosen, or these are the defaults. */
  chosen: boolean
  /** For the browser; null: this server sends no push messages. */
  push_key: string | null
  /** Whether this server sends e-mail, and you may have it: it needs an account. */
  mail: boolean
  devices: DeviceInfo[]
  address: AddressInfo | null
  holiday: HolidayInfo
}
/** Somebody met in rated matches, and how often the player came in ahead, or behind. */
export type OpponentInfo = { name: string; matches: number; ahead: number; behind: number }
/** A rule that can be switched; `text` is the key of the sentence that explains it. */
export type OptionInfo = { name: string; rule: string; kind: "bool" | "choice" | "object"; default: unknown; choices: string[]; players: number[]; requires: string[]; excludes: string[]; text: string }
/** Players and options that somebody thinks of. */
export type OptionsBody = { players: number; options?: Record<string, unknown> }
/** All options with a value, and what is wrong with them. */
export type OptionsInfo = { options: Record<string, unknown>; problems: ProblemInfo[] }
/** A bot of yours. */
export type OwnBot = {
  id: string
  name: string
  created: number
  /** That are not over. */
  tables: number
  /** Whether it is connected. */
  here: boolean
  ratings: RatingInfo[]
  tokens: TokenInfo[]
}
/** Your bots, and what a bot may do here. */
export type OwnBots = {
  bots: OwnBot[]
  /** Bots that an account may have. */
  most: number
  /** Tables at which a bot may play at once. */
  tables: number
  /** For a choice. */
  seconds: number
}
/** A match of somebody's. */
export type OwnMatch = { table: string; game: string; created: number; updated: number; record: string | null }
/** What the browser's `navigator.credentials` gave, as JSON. */
export type PasskeyBody = { credential: Record<string, unknown> }
/** A passkey of yours. */
export type PasskeyInfo = {
  id: string
  /** Where it was made. */
  device: string
  /** Milliseconds since 1970. */
  created: number
  /** When it was last used here. */
  used: number | null
}
/** The current password, and the new one. */
export type PasswordBody = { old: string; new: string }
/** Somebody, as the host sees them. */
export type PersonInfo = {
  id: string
  name: string
  kind: "account" | "guest" | "bot"
  seen: number
  here: boolean
  /** Until then. */
  muted: number | null
  banned: number | null
  /** Of the ban. */
  reason: string
}
/** How often somebody came in at a place, of so many players. */
export type PlaceCount = { players: number; place: number; matches: number }
/** A game and a table size in which matches were rated. */
export type PlayedPool = { game: string; size: number }
/** What everybody may know of the owner of an account. */
export type PlayerInfo = {
  name: string
  /** Milliseconds since 1970. */
  since: number
  you: boolean
  /** Rated ones. */
  matches: number
  ratings: RatingInfo[]
  /** Whether you have blocked them. */
  blocked?: boolean
  /** Whether you follow them. */
  followed?: boolean
  /** Of an online bot: whose it is. */
  author?: string | null
  /** Whom you follow: on your own page alone. */
  follows?: string[]
}
/** How somebody fares in one game and class of table sizes. */
export type PlayerPool = {
  /** The last 90 days, or 30 matches if that is more. */
  curve: RatingPoint[]
  places: PlaceCount[]
  /** Most met first. */
  met: OpponentInfo[]
}
/** An explorer on a ground. */
export type PortraitBody = { colour: "red" | "blue" | "green" | "yellow" | "orange" | "white" | "black"; ground: "sand" | "forest" | "rock" | "night" | "sea" }
/** A portrait that somebody chose. */
export type PortraitInfo = {
  /** As it was asked for. */
  name: string
  colour: "red" | "blue" | "green" | "yellow" | "orange" | "white" | "black"
  ground: "sand" | "forest" | "rock" | "night" | "sea"
}
/** Whose portraits you want to see. */
export type PortraitNames = { names: string[] }
/** What a report of a fault needs: where the table stands, as the asker may know it, and what runs here. */
export type PositionInfo = {
  game: string
  rules: number
  /** The server's version. */
  landfall: string
  /** How the rules run: compiled or interpreted. */
  engine: string
  /** The last entry of the table's log. */
  entry: number
  /** Whose eyes; null: a spectator's. */
  seat: number | null
  /** The position in one line; ? is what one may not know. */
  line: string
}
/** What you are notified of, and when. */
export type PreferencesBody = {
  /** While a page is open. */
  here: ("turn" | "invitation" | "start" | "over" | "tournament")[]
  push: ("turn" | "invitation" | "start" | "over" | "tournament")[]
  mail: ("turn" | "invitation" | "start" | "over" | "tournament")[]
  /** Your turn by days: at once, after an hour, or when a quarter of the time is left. */
  soon: "now" | "hour" | "short"
  /** Whether there are quiet hours. */
  quiet: boolean
  /** Minutes after midnight. */
  quiet_from: number
  quiet_to: number
  /** In quiet hours, too, if less than an hour is left for a turn. */
  lost: boolean
  /** Your time zone. */
  zone: string
  language?: string
}
/** Why options cannot be played so: the option, and a sentence's key with arguments. */
export type ProblemInfo = {
  option: string
  key: string
  args: Record<string, unknown>
  /** The sentence in English. */
  text: string
}
/** A browser's push subscription. */
export type PushBody = {
  endpoint: string
  /** The browser's public key, as URL-safe Base64. */
  p256dh: string
  /** Its secret, likewise. */
  auth: string
  language?: string
}
/** A sentence, and what it points at: places, or `tile NAME` and `card NAME` of the hand. */
export type PuzzleHint = { key: string; args: Record<string, unknown>; places: string[] }
/** A puzzle in a list. */
export type PuzzleListing = {
  id: string
  /** It never changes. */
  number: number
  /** `puzzle.theme.NAME` is its text. */
  theme: string
  /** How hard: the smallest fish among the bots that finds it. */
  fish: string
  seat: number
  /** The seat's colour. */
  colour: string
  /** `puzzle.goal.NAME`, filled with the facts, is its text. */
  goal: string
  facts: Record<string, unknown>
  /** `puzzle.set.NAME` is the title of each. */
  sets: string[]
}
/** A part of the position as its seat sees it. */
export type PuzzlePicture = { svg: string }
/** A puzzle to solve: the seat's view and choices. */
export type PuzzleSetup = {
  id: string
  /** It never changes. */
  number: number
  /** `puzzle.theme.NAME` is its text. */
  theme: string
  /** How hard: the smallest fish among the bots that finds it. */
  fish: string
  seat: number
  /** The seat's colour. */
  colour: string
  /** `puzzle.goal.NAME`, filled with the facts, is its text. */
  goal: string
  facts: Record<string, unknown>
  /** `puzzle.set.NAME` is the title of each. */
  sets: string[]
  game: string
  players: number
  view: Record<string, unknown>
  choices: Record<string, unknown>[]
  preview: Record<string, unknown>
  /** Of ten people so many find it at the first try; null: too few tried it. */
  tenths: number | null
  /** How hard it is for people, by openskill; null likewise. */
  rating: number | null
}
/** The solution, the reasons, and the confidence. */
export type PuzzleSolution = {
  action: number
  /** Where it leads. */
  places: string[]
  /** To win, in per cent. */
  chance: number
  /** How many per cent less the next best gives. */
  margin: number
  /** The action that is next best. */
  next: number
  why: Reason[]
}
/** Jobs of one kind. */
export type QueueInfo = {
  name: string
  waiting: number
  busy: number
  workers: number
  /** Of the job that waits longest. */
  age_s: number
}
/** A table with bots on all other chairs, begun at once. */
export type QuickBody = {
  game: string
  players: number
  options?: Record<string, unknown>
  clock?: ClockBody
  /** Listed in the lobby; otherwise only who has the link finds it. */
  public?: boolean
  /** Who begins is drawn, or whoever sits first. */
  seating?: "drawn" | "as_sat"
  /** Several people on one device, each with a chair. */
  hot_seat?: boolean
  /** Counts for ratings: needs accounts, a clock and usual options. */
  rated?: boolean
  /** Whether bots may help; never in a rated match. */
  hints?: boolean
  bots: string[]
}
/** A rated match of a player. */
export type RatedMatchInfo = {
  /** Its number among all rated matches: `before` pages on from it. */
  n: number
  at: number
  game: string
  size: number
  players: number
  place: number
  rating: number
  uncertainty: number
  /** Of the shown number. */
  change: number
  seats: RatedSeat[]
  /** Where it can be looked at, if you may: public tables, and your own. */
  table: string | null
}
/** One player of a rated match. The name is empty for a deleted account. */
export type RatedSeat = {
  name: string
  colour: string | null
  place: number | null
  /** Whose page it is. */
  you: boolean
}
/** A rating in one game and class of table sizes: 2, 3 (3-4 players) or 5 (5-6). */
export type RatingInfo = {
  game: string
  size: number
  rating: number
  /** The range reaches so far to either side. */
  uncertainty: number
  /** It comes from few matches, or is very uncertain. */
  provisional: boolean
  matches: number
  /** Time of the last match, milliseconds since 1970. */
  last: number
}
/** A rating after a match. */
export type RatingPoint = { at: number; rating: number; uncertainty: number }
/** A sentence of the game's catalogue. */
export type Reason = { key: string; args: Record<string, unknown> }
/** A record. */
export type RecordBody = { record: string }
/** A player whom the organiser removes. */
export type RemovalBody = {
  /** Index of a player. */
  player: number
  name: string
  /** Whether they cannot join again. */
  barred?: boolean
}
/** A record to be opened as a table. */
export type ReopenBody = {
  record: string
  /** Only so many lines of its log. */
  lines?: number | null
  /** Yours: the match goes on at once. */
  seat?: number | null
  /** Who plays the other seats then. */
  bots?: string
}
/** A match moment by moment. */
export type ReplayInfo = {
  t?: "replay"
  game: string
  rules: number
  players: number
  options: Record<string, unknown>
  /** Names. */
  seats: string[]
  /** Whose eyes: a seat, null for a spectator, -1 for everything. */
  seat: number | null
  /** Before the first line; of everything with `own`, a list by seat. */
  view: Record<string, unknown>
  moments: MomentInfo[]
}
/** Whom you report: a player by name, or who wrote a line in a table's chat. */
export type ReportBody = {
  player?: string
  table?: string
  /** The chat line's number. */
  line?: number
  /** What is wrong, in your words. */
  text?: string
}
/** A report that nobody has dealt with. */
export type ReportInfo = { id: number; at: number; reporter: string; person: PersonInfo; about_line: boolean; text: string }
/** A line of a chat. */
export type ReportedLine = { at: number; name: string; text: string; reported: boolean }
/** The choices at a moment, as offered, and the chooser's win probability after each. */
export type ReviewChoices = {
  at: number
  seat: number
  /** The action that was chosen. */
  chosen: number
  choices: Record<string, unknown>[]
  preview: Record<string, unknown>
  /** By action. */
  chances: Record<string, number>
}
/** The progress of a review, and the results so far. */
export type ReviewStatus = {
  state: "none" | "queued" | "working" | "kept" | "failed"
  /** A text key, if it failed. */
  why?: string
  /** To ask again by, of a record. */
  key?: string
  /** Matches that come before this one. */
  before?: number
  /** Log lines reviewed so far. */
  done?: number
  /** Lines of the log. */
  total?: number
  review?: Record<string, unknown> | null
}
/** One numbered rule, as Markdown. */
export type RuleInfo = { id: string; chapter: string; text: string }
/** The tables you would sit down at: any of these games with any of these numbers of players. */
export type SearchBody = {
  games: string[]
  /** Numbers of players. */
  sizes: number[]
  /** A quarter of an hour each, or so long for each turn. */
  pace?: "quarter" | "day" | "three_days" | "week"
  /** Needs an account. */
  rated?: boolean
  /** The level that takes free seats after a minute; empty for none. */
  bots?: string
}
/** Your search for a table, as the lobby's socket tells of it. */
export type SearchStatus = {
  games: string[]
  sizes: number[]
  pace: string
  rated: boolean
  bots: string
  /** Milliseconds. */
  waited: number
  /** How far the rating may be from yours: 0 like you, 1 near you, 2 anyone. */
  ring: number
}
/** All that the host's page shows. */
export type ServerInfo = {
  at: number
  /** The worst first; none: all is well. */
  troubles: Trouble[]
  accounts: number
  guests: number
  /** People connected to any process. */
  here: number
  /** Processes of this server that answered; all figures are of them together. */
  workers: number
  tables: number
  by_game: Record<string, number>
  latest_tables: HostTable[]
  /** Half of the requests were answered within it. */
  answer_ms: number
  /** The same of 99 in a hundred. */
  slow_ms: number
  /** Percent of all cores, over a minute. */
  processor: number
  /** Every ten minutes of the last day, since this process started. */
  history: LoadSample[]
  database: "SQLite" | "PostgreSQL"
  stored_bytes: number | null
  free_bytes: number | null
  /** When `landfall host backup` last succeeded. */
  backup: number | null
  /** When the one after that failed. */
  backup_failed: number | null
  /** Why it failed. */
  backup_failure: string
  queues: QueueInfo[]
  /** Matches that wait to be reviewed. */
  reviews: number
  version: string
  engine: string
  reports: ReportInfo[]
  actions: ActionInfo[]
}
/** A device that you are signed in on. */
export type SessionInfo = {
  id: string
  /** Browser and system; empty if unknown. */
  device: string
  /** Milliseconds since 1970. */
  created: number
  seen: number
  /** Whether it is the one that asks. */
  here: boolean
}
/** Whether others see who you are while you wait or look around. */
export type ShownBody = { shown: boolean }
/** A line of the standings. */
export type StandingInfo = {
  player: number
  /** In a league with divisions that in one's own. */
  place: number
  points: number
  /** The sum of the points of all opponents: the first tie-break. */
  opponents: number
  /** First places: the second tie-break. */
  firsts: number
  /** By so many places since the last round. */
  rose: number
  /** In the order of the rounds; 0: rested, or without a result. */
  places: number[]
}
/** A table as you want it. */
export type TableBody = {
  game: string
  players: number
  options?: Record<string, unknown>
  clock?: ClockBody
  /** Listed in the lobby; otherwise only who has the link finds it. */
  public?: boolean
  /** Who begins is drawn, or whoever sits first. */
  seating?: "drawn" | "as_sat"
  /** Several people on one device, each with a chair. */
  hot_seat?: boolean
  /** Counts for ratings: needs accounts, a clock and usual options. */
  rated?: boolean
  /** Whether bots may help; never in a rated match. */
  hints?: boolean
}
/** Where the table is. */
export type TableLink = { table: string; link: string }
/** A table in the lobby or in a history. */
export type TableListing = {
  table: string
  game: string
  status: "gathering" | "playing" | "over"
  public: boolean
  /** Milliseconds since 1970. */
  created: number
  updated: number
  players: number
  options: Record<string, unknown>
  clock: string
  /** Names, codes of bots, or null for a free chair. */
  chairs: (string | null)[]
  /** The colour of each chair; empty for tables of earlier versions. */
  colours?: (string | null)[]
  ended?: string | null
  ranking?: Record<string, unknown>[] | null
  /** Your chairs. */
  you?: number[]
  /** Whether the table is yours. */
  owner?: boolean
  /** Whether the match counts, or counted. */
  rated?: boolean
  /** The chairs of bots that their authors run. */
  online_bots?: number[]
  /** Whose choice it is, where this server knows at once. */
  turn?: number | null
  /** How many people are connected. */
  here?: number
}
/** A table as you may see it now: the same as a socket's first message. */
export type TableView = { t?: "welcome"; n: number; version: number; table: Record<string, unknown> }
/** What a token allows. */
export type TokenBody = {
  /** `play`: sit down and play. `read`: tables, ratings and results. */
  scopes?: string[]
}
/** A token, without its secret. */
export type TokenInfo = {
  id: string
  /** Its last four characters. */
  end: string
  scopes: string[]
  /** Milliseconds since 1970. */
  created: number
  seen: number
  /** When it stops being valid, if that is known. */
  ends: number | null
}
/** What was touched, or said. */
export type TouchBody = { piece?: string; place?: string; text?: string | null }
/** A tournament as you want it. */
export type TournamentBody = {
  title: string
  game: string
  options?: Record<string, unknown>
  /** Players at a table. */
  size: number
  rounds: number
  /** Minutes on each clock, or days for each turn. */
  pace?: "five" | "ten" | "quarter" | "day" | "three_days" | "week"
  /** A round follows the one before, or begins each week. */
  form?: "evening" | "league"
  /** Milliseconds since 1970. */
  starts: number
  rated?: boolean
  /** What becomes of an incomplete table. */
  fill?: "bots" | "smaller" | "byes"
  /** Seconds between two rounds. */
  rest?: number
  /** Players without whom it does not begin; 0: as few as can play. */
  least?: number
  most?: number
  /** Otherwise only who has the link finds it. */
  listed?: boolean
  /** Of a league: the season before it, by whose standings its divisions are set. */
  after?: string
  /** Only users with accounts join. */
  accounts?: boolean
  /** Days that an account must have existed for. */
  age?: number
}
/** Everything about a tournament but what is yours alone. */
export type TournamentInfo = {
  id: string
  title: string
  opener: string
  game: string
  options: Record<string, unknown>
  size: number
  rounds: number
  pace: string
  form: string
  starts: number
  /** From when one can check in; null: there is no need to. */
  check_in: number | null
  rated: boolean
  fill: string
  rest: number
  least: number
  most: number
  listed: boolean
  accounts: boolean
  age: number
  status: "open" | "running" | "over" | "cancelled"
  /** Why it was called off: cancelled or too_few. */
  why: string
  /** When the next round begins, if that is known. */
  next: number | null
  /** By place. */
  points: number[]
  /** What a rest scores. */
  bye: number
  players: TournamentPlayer[]
  played: TournamentRound[]
  standings: StandingInfo[]
}
/** A tournament in a list. */
export type TournamentListing = {
  id: string
  title: string
  game: string
  size: number
  rounds: number
  pace: string
  form: string
  rated: boolean
  starts: number
  most: number
  status: "open" | "running" | "over" | "cancelled"
  /** The last one that began. */
  round: number
  people: number
  /** Whether you are in it. */
  you?: boolean
  /** Whether you opened it. */
  yours?: boolean
  /** Of the latest that is over: names by place; empty for a deleted account. */
  podium?: string[][]
}
/** The tournaments of a server. */
export type TournamentLists = {
  now: TournamentListing[]
  soon: TournamentListing[]
  /** The latest first. */
  past: TournamentListing[]
  /** Whether you may open one. */
  may_open: boolean
}
/** A tournament, and what it is to you. */
export type TournamentPage = { tournament: TournamentInfo; you: TournamentYou }
/** Somebody who joined, in the order of joining. The name is empty for a deleted account. */
export type TournamentPlayer = {
  name: string
  /** Plays in the next round; has yet to check in; has left. */
  state: "here" | "away" | "gone"
  /** Of a league: 0 is the highest; null: there are none. */
  division?: number | null
}
/** A round. */
export type TournamentRound = {
  number: number
  at: number
  tables: TournamentTable[]
  /** Indices of players who rest. */
  byes: number[]
}
/** A seat at a table. */
export type TournamentSeat = {
  /** Index of a player; null: a bot. */
  player: number | null
  place?: number | null
  points?: number | null
}
/** A table of a round. */
export type TournamentTable = { table: string; done: boolean; seats: TournamentSeat[] }
/** What a tournament is to you. */
export type TournamentYou = {
  /** Your index among the players; null: you never joined. */
  player: number | null
  state: "here" | "away" | "gone" | null
  /** Where you play now. */
  table: string | null
  /** Whether you may begin and cancel it. */
  opened: boolean
  /** Of a league: the season before it, if that is listed or you were there; or empty. */
  after: string
}
/** Something that is not well. */
export type Trouble = {
  key: "database" | "disk" | "backup" | "backup_failed" | "backup_never" | "slow" | "queue"
  /** A percentage, days, milliseconds or jobs. */
  n: number
}
/** A choice, by its number. */
export type TryBody = {
  action: number
  /** Nobody tried it here before: such tries are counted, without a name. */
  first?: boolean
}
/** A position for a bot that searches: everything its seat cannot know was drawn again. */
export type WorldInfo = {
  game: string
  /** The version of the rules that packed it. */
  rules: number
  /** Of the true position. */
  version: number
  seat: number
  /** `State.to_bytes`, in base64. */
  world: string
  /** If asked for: what happened, as the seat may know it. */
  events: Record<string, unknown>[]
}
