// A live table: messages from the socket become a scene, actions of a person become commands.
import { othersActionsSinceLastTurn, eventTimingInAction, type Action, type Timing } from './eventActions'
import { Connection } from './connection.svelte'
import { fetchBotLevels, fetchGameInfo } from './gameAndBotCatalogue.svelte'
import { applyPatch } from './patch'
import { seatedPeople } from './playerNames'
import { Scene, expandChoiceRows, UNKNOWN, type Choice, type GameEvent, type View } from './scene.svelte'
import { settings, stillness, settingsTimeFactor } from './settings.svelte'
import type {
  ChatMessage,
  Command,
  Alternative,
  ServerMessage,
  RefusedMessage,
  TableInfo,
  Update,
  Welcome,
} from './wire'

export type { Notice } from './scene.svelte'

/** Everybody's time in milliseconds at `at` (of performance.now). */
export interface Clock {
  seat: number
  left: number
  banks: number[]
  runs: boolean
  at: number
}

const TALK = 200 // chat lines kept
const AWAITED = 0.6 // of the usual animation time while others wait for us
const AT_ONCE = 2000 // ms at normal speed within which pending animations finish when others wait for us
const MOMENT = 400 // approximate ms of an event
const GLIMPSE = 0.15 // smallest share of an event's usual time
const SEEN_AGAIN = 300 // ms of rest after an event that is shown again
const TAKEBACK = ['undo_turn', 'undo_chance', 'undo_others', 'undo_secret']

export class LiveTable extends Scene {
  table: TableInfo | undefined = $state.raw()
  you: string | null = $state(null)
  seats: number[] = $state.raw([])
  curtain = $state(false)
  chat: ChatMessage[] = $state.raw([])
  unread = $state(0)
  /** The seats that unread lines came from. */
  spoke: number[] = $state.raw([])
  /** Whether the chat is open. */
  chatOpen = $state(false)
  clock: Clock | null = $state.raw(null)
  /** A choice that was sent and not yet answered. */
  sent: Choice | null = $state.raw(null)
  /** The server holds our answer back for a moment. */
  held = $state(false)
  /** A hint was requested and is being computed. */
  pondering = $state(false)
  /** The hint's suggestions, best first; how many were shown; whether the first two are equivalent. */
  ideas: Pick<Alternative, 'action' | 'why'>[] = $state.raw([])
  thought = $state(0)
  alike = $state(false)
  /** How many choices of this turn may be undone; null: unknown, because the page was just opened. */
  played: number | null = $state(null)
  /** Whether a placement of ours in the set-up may be undone. */
  placed = $state(false)
  /** The match was asked to start: lobby requests would come too late. */
  starting = $state(false)
  gone = $state(false)
  version = 0
  readonly connection: Connection
  /** Listeners for server messages: pages, and tests. */
  messageListeners: ((news: ServerMessage) => void)[] = []
  /** Set by games that draw the effects of choices. */
  wantsPreview = false

  private truth: View | undefined
  private choicesWith: Choice[] = $state.raw([])
  /** When others began to wait for us. */
  private dueSince = 0
  private asked = ''
  private count = 0
  private undoing = new Set<string>()
  /** Time taken to show the actions of a seat, and the events they were computed from. */
  private shown = { seat: -1, ms: 0 }
  private grouped: { events: GameEvent[]; actions: Action[] } | undefined
  /** The command id of `sent`. */
  private sentAs = ''
  private sentBy: number | null = null

  constructor(readonly id: string) {
    super()
    this.connection = new Connection(
      id,
      (news) => this.handleMessage(news),
      () => (this.gone = true),
    )
  }

  override get isInteractive(): boolean {
    return true
  }
  override get isPlaying(): boolean {
    return this.table?.status === 'playing' && this.seats.length > 0
  }
  /** Whether the owner has removed us: a stand-in plays on. */
  get isRemovedByOwner(): boolean {
    return this.seats.some((seat) => this.table?.chairs[seat]?.away === 'removed')
  }
  get isOwner(): boolean {
    return this.you !== null && this.table?.owner === this.you
  }
  /** Whether no other person plays at this table. */
  get isOnlyPerson(): boolean {
    return !this.table?.chairs.some((chair, seat) => chair.who && !chair.away && !this.seats.includes(seat))
  }
  /** Whether we must choose as soon as all is drawn. */
  get mustChooseWhenDrawn(): boolean {
    return this.choicesWith.length > 0
  }
  /** Whether all players may be asked to undo what one cannot undo alone. */
  get canAskAllToUndo(): boolean {
    return TAKEBACK.includes(this.notice?.code ?? '') && !this.table?.tournament
  }

  /** What others did since our last turn, or before this one; known events that are not shown yet included. */
  get othersActions(): Action[] {
    if (!this.rules) return []
    if (this.grouped?.events !== this.events)
      this.grouped = {
        events: this.events,
        actions: othersActionsSinceLastTurn(this.events, this.events.length, this.seat ?? -1, this.rules),
      }
    return this.grouped.actions
  }

  protected override othersActionOfEvent(n: number): Action | null {
    return this.othersActions.find((action) => action.first <= n && n <= action.last) ?? null
  }

  /** Bots' actions are shown at the pace of the settings. People's are not delayed, nor is a running clock of ours. */
  protected override timingOfEvent(action: Action, n: number): Timing | null {
    const person = this.people[action.seat]
    if (!this.repeating && ((!person?.bot && !person?.away) || (this.mustChooseWhenDrawn && this.clock))) return null
    if (this.shown.seat !== action.seat) this.shown = { seat: action.seat, ms: 0 }
    const timing = eventTimingInAction(action, n, {
      reader: this.seat,
      speed: stillness.matches ? 'none' : settings.speed,
      spent: this.repeating ? 0 : this.shown.ms,
      later: this.othersActions.filter((one) => one.seat === action.seat && one.first > action.first),
    })
    this.shown.ms += timing.ring + timing.move - timing.overlap + timing.rest
    // Whoever asked to see it again sees it whole, one thing after the other.
    return this.repeating ? { ...timing, overlap: 0, rest: Math.max(timing.rest, SEEN_AGAIN), touches: true } : timing
  }

  /** Show others' actions again, then our choices. */
  replayActions(actions: Action[]): void {
    if (this.busy || !this.canRepeatActions(actions)) return
    const choices = this.choicesWith
    this.choices = []
    this.shown = { seat: -1, ms: 0 }
    this.repeatActions(actions, () => {
      this.shown = { seat: -1, ms: 0 }
      if (this.choicesWith === choices && !this.sent) this.choices = choices
    })
  }

  /** Pending animations run faster while others wait for us, and end within a bound. */
  protected override animationTimeShare(): number {
    if (!this.mustChooseWhenDrawn || this.isOnlyPerson) return super.animationTimeShare()
    const left = AT_ONCE - (performance.now() - this.dueSince) / settingsTimeFactor()
    const unplayed = this.events.length - this.seen + 1
    return Math.max(GLIMPSE, Math.min(AWAITED * super.animationTimeShare(), left / (unplayed * MOMENT)))
  }

  closeConnection(): void {
    this.connection.close()
  }

  /** False: there is no connection now. */
  sendCommand(command: Command): boolean {
    return this.connection.sendCommand(command)
  }

  choose(choice: Choice): void {
    this.notice = null
    this.hint = null
    if (this.sent || !this.choicesWith.some((one) => one.action === choice.action)) return
    if (settings.confirm && choice.loses?.length && this.doubt?.action !== choice.action) {
      this.doubt = choice
      return
    }
    this.doubt = null
    this.sent = choice
    this.recordDeed('choose')
    this.choices = []
    this.skipAllPending()
    this.sentAs = this.newCommandId()
    this.sentBy = this.seat
    this.sendCommand({ t: 'play', version: this.version, id: this.sentAs, action: choice.action })
  }

  undo(turn = false): void {
    this.doubt = null
    this.notice = null
    this.recordDeed('undo')
    const id = this.newCommandId()
    this.undoing.add(id)
    this.sendCommand({ t: 'undo', version: this.version, id, turn })
  }

  /** Skip animations until our turn; alone with bots, speed them up. */
  skipToTurn(): void {
    this.skipAllPending()
    if (this.mustChooseWhenDrawn) return
    this.rush = true
    this.paused = false
    if (this.isOnlyPerson) this.sendCommand({ t: 'skip' })
  }

  /** Show a suggestion as the hint; after the last comes the first. */
  showSuggestion(number: number): void {
    this.thought = number
    const idea = this.ideas[number % this.ideas.length]!
    this.why = idea.why
    this.hint = this.choices.find((choice) => choice.action === idea.action) ?? null
  }
  /** Request a bot's choice for this seat's knowledge; the response becomes `hint`. */
  requestHint(): void {
    this.hint = null
    this.notice = null
    this.recordDeed('hint')
    if (this.choices.length) this.pondering = this.sendCommand({ t: 'hint', version: this.version })
  }

  explainIllegalMove(piece: string, place: string, text?: string): void {
    this.asked = place
    this.doubt = null
    this.recordDeed('why')
    this.sendCommand(text === undefined ? { t: 'explain', piece, place } : { t: 'explain', text })
  }

  /** Send a chat line; false: it could not be sent. */
  sendChatLine(text: string): boolean {
    return this.sendCommand({ t: 'say', text })
  }

  /** Nothing is unread. */
  markChatRead(): void {
    this.unread = 0
    this.spoke = []
  }

  private newCommandId(): string {
    return `${Date.now().toString(36)}-${(this.count++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`
  }

  private handleMessage(news: ServerMessage): void {
    switch (news.t) {
      case 'welcome':
        this.handleWelcome(news)
        break
      case 'update': {
        const mover = this.truth?.actor ?? -1
        this.version = news.version
        if (news.seat !== undefined && news.seat !== this.seat) [this.seat, this.played] = [news.seat, 0]
        this.sent = null
        this.held = false
        this.setClock(news.clock ?? null)
        this.truth = applyPatch(this.truth ?? ({} as View), news.patch ?? {})
        this.clearStateOfOldPosition()
        this.showNewPosition(news, false, mover)
        break
      }
      case 'table':
        this.updateTableInfo(news)
        break
      case 'chat':
        if (this.chat.some((line) => line.n === news.n)) break
        this.chat = [...this.chat, news].slice(-TALK)
        if (news.who === this.you || settings.quiet) break
        this.unread++
        if (typeof news.seat === 'number') this.spoke = [...this.spoke, news.seat]
        break
      case 'ack':
        this.handleAcknowledgement(news.id)
        break
      case 'held':
        this.held = true
        break
      case 'refused':
        this.handleRefusal(news)
        break
      case 'explanation':
        this.notice = news.rule ? { rule: news.rule, key: `why.${news.rule}`, args: {}, place: this.asked } : null
        break
      case 'hint':
        this.pondering = false
        if (news.version === this.version) {
          // Offline games of earlier versions may send hints without these fields.
          this.ideas = [news, ...((news.others as typeof news.others | undefined) ?? [])]
          this.alike = news.alike ?? false
          this.showSuggestion(0)
        }
        break
      case 'preview':
        if (news.version === this.version) this.preview = news.preview
        break
      case 'events':
        this.insertEarlierEvents(news.first, news.events as GameEvent[])
        break
    }
    for (const also of this.messageListeners) also(news)
  }

  private handleWelcome(news: Welcome): void {
    const seat = news.seat ?? null
    const fresh = this.view === undefined || seat !== this.seat || !this.connection.resumed
    this.you = news.you ?? null
    this.seats = news.seats ?? []
    this.seat = seat
    this.curtain = news.curtain ?? false
    if (news.chat?.length) this.chat = news.chat
    this.setClock(news.clock ?? null)
    if (!this.connection.hasUnacknowledged || news.version !== this.version) this.sent = null
    this.version = news.version
    this.updateTableInfo(news.table)
    this.truth = (news.view ?? undefined) as View | undefined
    this.clearStateOfOldPosition()
    if (!this.truth) return
    if (fresh) {
      this.dropAnimations()
      this.events = []
      this.seen = 0
      this.notice = null
    }
    this.showNewPosition(news, fresh)
    if (this.events.includes(UNKNOWN)) this.sendCommand({ t: 'events', since: 0 })
  }

  /** The position changed: requests about the old one are void. */
  private clearStateOfOldPosition(): void {
    this.doubt = null
    this.hint = null
    this.ideas = []
    this.why = []
    this.thought = 0
    this.alike = this.pondering = false
    this.pointed = []
    if (this.truth?.actor !== this.seat) this.played = 0
  }

  private setClock(clock: Record<string, unknown> | null): void {
    this.clock = clock ? { ...(clock as unknown as Clock), at: performance.now() } : null
  }

  private handleAcknowledgement(id: string): void {
    if (id === this.sentAs) this.sent = null // an answer to an earlier command does not concern the pending one
    this.held = false
    if (!this.undoing.has(id)) this.placed = true
    if (this.undoing.delete(id)) this.played = this.played ? this.played - 1 : this.played
    else this.played = this.truth?.actor === this.seat && this.sentBy === this.seat ? (this.played ?? 0) + 1 : 0
  }

  private handleRefusal(news: RefusedMessage): void {
    this.held = false
    this.sent = null
    this.pondering = false
    this.starting = false
    if (news.id) this.undoing.delete(news.id)
    if (news.code.startsWith('undo_')) [this.played, this.placed] = [0, false]
    if (!this.busy) this.choices = this.choicesWith
    // A lobby request that came after the start needs no error message.
    if (news.code === 'begun' && this.table?.status !== 'gathering') return
    const key = news.rule ? `why.${news.rule}` : news.key
    this.notice = { rule: news.rule ?? null, key, args: news.args ?? {}, place: '', code: news.code }
  }

  /** A new position, after a choice of `mover`: events from number `first` on, then the view, then the choices. */
  private showNewPosition(news: Welcome | Update, silently: boolean, mover = -1): void {
    const { first = 0, events = [], choices = [] } = news
    if (this.events.length > first) {
      this.dropAnimations() // an undo: pending animations are dropped
      this.seen = Math.min(this.seen, first)
    }
    const gap = Array<GameEvent>(Math.max(0, first - this.events.length)).fill(UNKNOWN)
    const past = [...this.events.slice(0, first), ...gap]
    // The seat may now know less of these events, or more: replace what was stored of them.
    for (const { n, ...event } of news.again ?? []) if (past[n!] !== UNKNOWN) past[n!] = event
    this.events = [...past, ...events]
    if (news.again?.length) this.forgetEarlierKnowledge()
    if (choices.length && !this.mustChooseWhenDrawn) this.dueSince = performance.now()
    const choicesWith = (this.choicesWith = expandChoiceRows(choices))
    this.choices = []
    this.preview = {}
    this.enqueueEvents(
      silently ? 0 : events.length,
      this.truth!,
      () => {
        if (this.choicesWith !== choicesWith) return
        if (!this.sent) this.choices = choicesWith
        if (choicesWith.length) {
          this.rush = false
          this.showing = null
        }
        this.notice = null
        if (choicesWith.length && this.wantsPreview) this.sendCommand({ t: 'preview' })
      },
      silently ? this.events.length : first,
      this.isPlayedByAnotherPerson(mover),
    )
  }

  /** Whether somebody else plays that seat in person. */
  private isPlayedByAnotherPerson(seat: number): boolean {
    const person = this.people[seat]
    return person !== undefined && !person.bot && !person.away && !this.seats.includes(seat)
  }

  /** The log from before we connected. */
  private insertEarlierEvents(first: number, events: GameEvent[]): void {
    this.events = [...this.events.slice(0, first), ...events]
    // nothing of ours yet
    if (this.played === null && !this.events.some((event) => event.seat === this.seat)) this.played = 0
    if (!this.busy) this.seen = this.events.length
  }

  private updateTableInfo(table: TableInfo): void {
    this.table = table
    if (table.status !== 'gathering') this.starting = false
    this.options = table.options
    if (this.game !== table.game) {
      this.game = table.game
      void Promise.all([fetchGameInfo(table.game), fetchBotLevels()]).then(
        ([found]) => {
          this.palette = found?.colours ?? []
          this.namePlayers()
        },
        () => {},
      )
    }
    this.namePlayers()
  }

  /** Name the players in the current language. */
  namePlayers(): void {
    if (this.table) this.people = seatedPeople(this.table.game, this.table.chairs, this.seats, this.palette)
  }
}
