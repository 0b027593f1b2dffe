// A table as it is played: what the socket says becomes a scene, what a person does becomes messages.
import { Connection } from './connection.svelte'
import { emoteOf } from './emotes'
import { botLevels, gameInfo } from './gameCatalogue.svelte'
import { applyPatch } from './patch'
import { persons } from './playerNames'
import { Scene, expandChoices, UNKNOWN, type Choice, type GameEvent, type View } from './scene.svelte'
import { settings, usualPace } from './settings.svelte'
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

/** Everybody's time in milliseconds, as it was at `at` (of performance.now). */
export interface Clock {
  seat: number
  left: number
  banks: number[]
  runs: boolean
  at: number
}

const TALK = 200 // lines of chat kept
const AWAITED = 0.6 // of the usual time
const AT_ONCE = 2000 // milliseconds, at a pace of one, in which all is told that we are waited for to have seen
const MOMENT = 400 // milliseconds an event takes about
const GLIMPSE = 0.15 // of its usual time the least an event is told in
const TAKEBACK = ['undo_turn', 'undo_chance', 'undo_others', 'undo_secret']

export class LiveTable extends Scene {
  table: TableInfo | undefined = $state.raw()
  you: string | null = $state(null)
  seats: number[] = $state.raw([])
  curtain = $state(false)
  chat: ChatMessage[] = $state.raw([])
  unread = $state(0)
  clock: Clock | null = $state.raw(null)
  /** A choice on its way to the server. */
  sent: Choice | null = $state.raw(null)
  /** An answer kept for a moment by the server. */
  held = $state(false)
  /** A hint was asked for and is being thought about. */
  pondering = $state(false)
  /** What a hint said, the best first; how many of them were shown before; whether the first two are alike. */
  ideas: Pick<Alternative, 'action' | 'why'>[] = $state.raw([])
  thought = $state(0)
  alike = $state(false)
  /** How many choices of this turn may perhaps be taken back; null: not known, the page was just opened. */
  played: number | null = $state(null)
  /** Whether a placement of ours in the set-up may perhaps be taken back. */
  placed = $state(false)
  /** The match was asked to begin: what is wished for now would come too late. */
  starting = $state(false)
  gone = $state(false)
  version = 0
  readonly connection: Connection
  /** Others who want to know what came: pages, tests of what was carried out. */
  hearers: ((news: ServerMessage) => void)[] = []
  /** Set by rooms that draw what choices lead to. */
  wantsPreview = false

  private truth: View | undefined
  private choicesWith: Choice[] = $state.raw([])
  /** When we began to be waited for. */
  private dueSince = 0
  private asked = ''
  private count = 0
  private undoing = new Set<string>()
  /** The id under which `sent` went. */
  private sentAs = ''

  constructor(readonly id: string) {
    super()
    this.connection = new Connection(
      id,
      (news) => this.hear(news),
      () => (this.gone = true),
    )
  }

  override get live(): boolean {
    return true
  }
  /** Whether this device plays, and the match goes on. */
  get playing(): boolean {
    return this.table?.status === 'playing' && this.seats.length > 0
  }
  /** Whether the owner has sent us away: a stand-in plays on. */
  get removed(): boolean {
    return this.seats.some((seat) => this.table?.chairs[seat]?.away === 'removed')
  }
  get owner(): boolean {
    return this.you !== null && this.table?.owner === this.you
  }
  /** Whether nobody else at this table is a person who plays. */
  get alone(): boolean {
    return !this.table?.chairs.some((chair, seat) => chair.who && !chair.away && !this.seats.includes(seat))
  }
  /** Whether a choice of ours is due as soon as all is drawn. */
  get due(): boolean {
    return this.choicesWith.length > 0
  }
  /** Whether all may be asked for what cannot be undone by oneself. */
  get mayAskAll(): boolean {
    return TAKEBACK.includes(this.notice?.code ?? '')
  }

  /** What is still to be told while we are waited for goes quicker, and all of it within a moment. */
  protected override haste(): number {
    if (!this.due) return super.haste()
    const left = AT_ONCE - (performance.now() - this.dueSince) / usualPace()
    const untold = this.events.length - this.seen + 1
    return Math.max(GLIMPSE, Math.min(AWAITED * super.haste(), left / (untold * MOMENT)))
  }

  close(): void {
    this.connection.close()
  }

  /** False: there is no connection just now. */
  command(command: Command): boolean {
    return this.connection.send(command)
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
    this.did('choose')
    this.choices = []
    this.skip()
    this.sentAs = this.freshId()
    this.command({ t: 'play', version: this.version, id: this.sentAs, action: choice.action })
  }

  undo(turn = false): void {
    this.doubt = null
    this.notice = null
    this.did('undo')
    const id = this.freshId()
    this.undoing.add(id)
    this.command({ t: 'undo', version: this.version, id, turn })
  }

  /** Show only where it leads until we are asked; alone with bots, let them hurry. */
  skipToTurn(): void {
    if (this.due) return this.skip()
    this.rush = true
    this.skip()
    if (this.alone) this.command({ t: 'skip' })
  }

  /** Show an idea as the hint, after the last one the first again. */
  think(number: number): void {
    this.thought = number
    const idea = this.ideas[number % this.ideas.length]!
    this.why = idea.why
    this.hint = this.choices.find((choice) => choice.action === idea.action) ?? null
  }
  /** Ask what a bot would choose from what this seat knows; the answer becomes `hint`. */
  askHint(): void {
    this.hint = null
    this.notice = null
    this.did('hint')
    if (this.choices.length) this.pondering = this.command({ t: 'hint', version: this.version })
  }

  explain(piece: string, place: string, text?: string): void {
    this.asked = place
    this.doubt = null
    this.did('why')
    this.command(text === undefined ? { t: 'explain', piece, place } : { t: 'explain', text })
  }

  /** Say something to all; false: it could not be sent. */
  speak(text: string): boolean {
    return this.command({ t: 'say', text })
  }

  private freshId(): string {
    return `${Date.now().toString(36)}-${(this.count++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`
  }

  private hear(news: ServerMessage): void {
    switch (news.t) {
      case 'welcome':
        this.welcomed(news)
        break
      case 'update':
        this.version = news.version
        this.sent = null
        this.held = false
        this.timed(news.clock ?? null)
        this.truth = applyPatch(this.truth ?? ({} as View), news.patch ?? {})
        this.settle()
        this.arrive(news, false)
        break
      case 'table':
        this.told(news)
        break
      case 'chat':
        if (this.chat.some((line) => line.n === news.n)) break
        this.chat = [...this.chat, news].slice(-TALK)
        if (news.who !== this.you && (settings.emotes || !emoteOf(news.text))) this.unread++
        break
      case 'ack':
        this.acknowledged(news.id)
        break
      case 'held':
        this.held = true
        break
      case 'refused':
        this.refused(news)
        break
      case 'explanation':
        this.notice = news.rule ? { rule: news.rule, key: `why.${news.rule}`, args: {}, place: this.asked } : null
        break
      case 'hint':
        this.pondering = false
        if (news.version === this.version) {
          // A device's own games may be of a time when hints had neither.
          this.ideas = [news, ...((news.others as typeof news.others | undefined) ?? [])]
          this.alike = news.alike ?? false
          this.think(0)
        }
        break
      case 'preview':
        if (news.version === this.version) this.preview = news.preview
        break
      case 'events':
        this.recalled(news.first, news.events as GameEvent[])
        break
    }
    for (const also of this.hearers) also(news)
  }

  private welcomed(news: Welcome): void {
    const seat = news.seat ?? null
    const fresh = this.view === undefined || seat !== this.seat || !this.connection.resumed
    this.you = news.you ?? null
    this.seats = news.seats ?? []
    this.seat = seat
    this.curtain = news.curtain ?? false
    if (news.chat?.length) this.chat = news.chat
    this.timed(news.clock ?? null)
    if (!this.connection.waiting || news.version !== this.version) this.sent = null
    this.version = news.version
    this.told(news.table)
    this.truth = (news.view ?? undefined) as View | undefined
    this.settle()
    if (!this.truth) return
    if (fresh) {
      this.halt()
      this.events = []
      this.seen = 0
      this.notice = null
    }
    this.arrive(news, fresh)
    if (this.events.includes(UNKNOWN)) this.command({ t: 'events', since: 0 })
  }

  /** The position changed: what was asked of the old one is void. */
  private settle(): void {
    this.doubt = null
    this.hint = null
    this.ideas = []
    this.why = []
    this.thought = 0
    this.alike = this.pondering = false
    this.pointed = []
    if (this.truth?.actor !== this.seat) this.played = 0
  }

  private timed(clock: Record<string, unknown> | null): void {
    this.clock = clock ? { ...(clock as unknown as Clock), at: performance.now() } : null
  }

  private acknowledged(id: string): void {
    if (id === this.sentAs) this.sent = null // an answer to an earlier one says nothing of what is under way
    this.held = false
    if (!this.undoing.has(id)) this.placed = true
    if (this.undoing.delete(id)) this.played = this.played ? this.played - 1 : this.played
    else this.played = this.truth?.actor === this.seat ? (this.played ?? 0) + 1 : 0
  }

  private refused(news: RefusedMessage): void {
    this.held = false
    this.sent = null
    this.pondering = false
    this.starting = false
    if (news.id) this.undoing.delete(news.id)
    if (news.code.startsWith('undo_')) [this.played, this.placed] = [0, false]
    if (!this.busy) this.choices = this.choicesWith
    // Who wanted a chair or a colour sees that the match has begun.
    if (news.code === 'begun' && this.table?.status !== 'gathering') return
    const key = news.rule ? `why.${news.rule}` : news.key
    this.notice = { rule: news.rule ?? null, key, args: news.args ?? {}, place: '', code: news.code }
  }

  /** ServerMessage of the position: events from number `first` on, then the truth, then what may be chosen. */
  private arrive(news: Welcome | Update, silently: boolean): void {
    const { first = 0, events = [], choices = [] } = news
    if (this.events.length > first) {
      this.halt() // taken back: nothing of it is played any more
      this.seen = Math.min(this.seen, first)
    }
    const gap = Array<GameEvent>(Math.max(0, first - this.events.length)).fill(UNKNOWN)
    const past = [...this.events.slice(0, first), ...gap]
    // Of these one may know less now, or more: nothing that was told of them before is kept.
    for (const { n, ...event } of news.again ?? []) if (past[n!] !== UNKNOWN) past[n!] = event
    this.events = [...past, ...events]
    if (news.again?.length) this.resetCount++
    if (choices.length && !this.due) this.dueSince = performance.now()
    const choicesWith = (this.choicesWith = expandChoices(choices))
    this.choices = []
    this.preview = {}
    this.show(
      silently ? 0 : events.length,
      this.truth!,
      () => {
        if (this.choicesWith !== choicesWith) return
        if (!this.sent) this.choices = choicesWith
        if (choicesWith.length) this.rush = false
        this.notice = null
        if (choicesWith.length && this.wantsPreview) this.command({ t: 'preview' })
      },
      silently ? this.events.length : first,
    )
  }

  /** The log of what was before we came. */
  private recalled(first: number, events: GameEvent[]): void {
    this.events = [...this.events.slice(0, first), ...events]
    // nothing of ours yet
    if (this.played === null && !this.events.some((event) => event.seat === this.seat)) this.played = 0
    if (!this.busy) this.seen = this.events.length
  }

  private told(table: TableInfo): void {
    this.table = table
    if (table.status !== 'gathering') this.starting = false
    this.options = table.options
    if (this.game !== table.game) {
      this.game = table.game
      void Promise.all([gameInfo(table.game), botLevels()]).then(
        ([found]) => {
          this.palette = found?.colours ?? []
          this.introduce()
        },
        () => {},
      )
    }
    this.introduce()
  }

  /** Name the people, in the language of now. */
  introduce(): void {
    if (this.table) this.people = persons(this.table.game, this.table.chairs, this.seats, this.palette)
  }
}
