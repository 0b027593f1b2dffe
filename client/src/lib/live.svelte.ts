// A table as it is played: what the socket says becomes a scene, what a person does becomes messages.
import { Connection } from './connection.svelte'
import { patched } from './patch'
import { Scene, spread, type Choice, type GameEvent, type View } from './scene.svelte'
import type { ChatNews, Choices, Command, News, RefusedNews, TableNews } from './wire'

export interface Notice {
  /** The rule that forbids it, if one does. */
  rule: string | null
  /** A sentence's key of the game's catalogue, with its arguments. */
  key: string
  args: Record<string, unknown>
  /** The space it is about, if any. */
  place: string
}
export interface Clock {
  /** Seconds left by seat, and when that was. */
  [key: string]: unknown
}

export class LiveTable extends Scene {
  table: TableNews | undefined = $state.raw()
  you: string | null = $state(null)
  seats: number[] = $state.raw([])
  curtain = $state(false)
  chat: ChatNews[] = $state.raw([])
  clock: Clock | null = $state.raw(null)
  /** What a touch or a refusal has to say, until it is put away. */
  notice: Notice | null = $state.raw(null)
  /** A choice that costs something, waiting to be confirmed. */
  doubt: Choice | null = $state.raw(null)
  /** A choice on its way to the server. */
  sent: Choice | null = $state.raw(null)
  /** An answer kept for a moment by the server. */
  held = $state(false)
  /** The choice a hint points at. */
  hint: Choice | null = $state.raw(null)
  gone = $state(false)
  version = 0
  readonly connection: Connection

  private truth: View | undefined
  private asked = ''
  private count = 0

  constructor(readonly id: string) {
    super()
    this.connection = new Connection(id, (news) => this.hear(news), () => (this.gone = true))
  }

  close(): void {
    this.connection.close()
  }

  command(command: Command): void {
    this.connection.send(command)
  }

  choose(choice: Choice): void {
    this.notice = null
    this.hint = null
    if (choice.loses?.length && this.doubt !== choice) {
      this.doubt = choice
      return
    }
    this.doubt = null
    this.sent = choice
    this.choices = []
    this.command({ t: 'play', version: this.version, id: this.freshId(), action: choice.action })
  }

  undo(turn = false): void {
    this.doubt = null
    this.command({ t: 'undo', version: this.version, id: this.freshId(), turn })
  }

  /** Ask what a bot would choose from what this seat knows; the answer becomes `hint`. */
  askHint(): void {
    this.hint = null
    if (this.choices.length) this.command({ t: 'hint', version: this.version })
  }

  explain(piece: string, place: string): void {
    this.asked = place
    this.command({ t: 'explain', piece, place })
  }

  private freshId(): string {
    return `${Date.now().toString(36)}-${(this.count++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`
  }

  private hear(news: News): void {
    switch (news.t) {
      case 'welcome':
        this.you = news.you ?? null
        this.seats = news.seats ?? []
        this.seat = news.seat ?? null
        this.curtain = news.curtain ?? false
        this.chat = news.chat ?? []
        this.clock = news.clock ?? null
        this.version = news.version
        this.sent = null
        this.told(news.table)
        this.truth = (news.view ?? undefined) as View | undefined
        if (this.truth) this.arrive(news.first ?? 0, (news.events ?? []) as GameEvent[], news.choices ?? [], this.view === undefined)
        break
      case 'update':
        this.version = news.version
        this.clock = news.clock ?? this.clock
        this.truth = patched(this.truth ?? ({} as View), news.patch ?? {})
        this.doubt = null
        this.hint = null
        this.arrive(news.first ?? 0, (news.events ?? []) as GameEvent[], news.choices ?? [], false)
        break
      case 'table':
        this.told(news)
        break
      case 'chat':
        this.chat = [...this.chat, news]
        break
      case 'ack':
        this.sent = null
        this.held = false
        break
      case 'held':
        this.held = true
        break
      case 'refused':
        this.refused(news)
        break
      case 'why':
        if (news.rule) this.notice = { rule: news.rule, key: `why.${news.rule}`, args: {}, place: this.asked }
        break
      case 'hint':
        if (news.version === this.version) this.hint = this.choices.find((choice) => choice.action === news.action) ?? null
        break
      case 'preview':
        this.preview = news.preview
        break
    }
    for (const also of this.hearers) also(news)
  }

  /** Others who want to know what came: pages, tests of what was carried out. */
  hearers: ((news: News) => void)[] = []

  private refused(news: RefusedNews): void {
    this.held = false
    this.sent = null
    this.choices = this.offered
    const key = news.rule ? `why.${news.rule}` : news.key
    this.notice = { rule: news.rule ?? null, key, args: news.args ?? {}, place: '' }
  }

  private offered: Choice[] = []

  /** News of the position: events from number `first` on, then the truth, then what may be chosen. */
  private arrive(first: number, events: GameEvent[], choices: Choices[], silently: boolean): void {
    const kept = this.events.length > first ? this.events.slice(0, first) : this.events
    this.events = [...kept, ...events]
    this.offered = spread(choices)
    this.choices = []
    const offered = this.offered
    const view = this.truth!
    this.show(silently ? [] : events, view, () => {
      if (this.offered === offered) {
        this.choices = offered
        if (offered.length && this.wantsPreview) this.command({ t: 'preview' })
      }
    })
  }

  /** Set by rooms that draw what choices lead to. */
  wantsPreview = false

  private told(table: TableNews): void {
    this.table = table
    this.game = table.game
    this.options = table.options
    this.people = table.chairs.map((chair, seat) => ({
      name: chair.name || chair.bot || '',
      colour: chair.colour ?? '',
      bot: chair.bot ?? null,
      away: chair.away ?? null,
      here: chair.here ?? false,
      you: this.seats.includes(seat),
    }))
  }
}
