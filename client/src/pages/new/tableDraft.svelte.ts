// The draft of a new table, and its creation.
import { get, post, Refusal } from '../../lib/http'
import { ensureSession, session } from '../../lib/currentUser.svelte'
import { STATIC_SITE } from '../../lib/offline'
import { openTransport } from '../../lib/transport'
import type { Command, ServerMessage } from '../../lib/wire'
import type { GameInfo, Listed } from '../../lib/gameAndBotCatalogue.svelte'
import { isOptionChanged, reasonsAgainstOption, type Reason, type Values } from '../../parts/optionReasons'

/** A chair's occupant: a person who comes by the link, a bot's level, or another person at this device. */
export interface Seat {
  kind: 'person' | 'bot' | 'here'
  level: string
  name: string
}
export type ClockName = 'none' | 'quick' | 'calm' | 'day' | 'days' | 'week'
const CLOCKS: Record<ClockName, Record<string, unknown>> = {
  none: { mode: 'none' },
  quick: { mode: 'live', turn: 10, bank: 300 },
  calm: { mode: 'live', turn: 15, bank: 600 },
  day: { mode: 'days', days: 1 },
  days: { mode: 'days', days: 3 },
  week: { mode: 'days', days: 7 },
}

export class Draft {
  info: GameInfo | undefined = $state.raw()
  players = $state(4)
  seats: Seat[] = $state([])
  values: Values = $state({})
  clock: ClockName = $state('none')
  open = $state(false)
  seating: 'drawn' | 'as_sat' = $state('drawn')
  name = $state('')
  /** Chosen to be rated; `rated` says whether it is. */
  counts = $state(false)
  hints = $state(true)
  /** The server's objections to the options. */
  problems: Reason[] = $state.raw([])

  hot = $derived(this.seats.some((seat) => seat.kind === 'here'))
  bots = $derived(this.seats.filter((seat) => seat.kind === 'bot').length)
  free = $derived(this.seats.filter((seat) => seat.kind === 'person').length)
  /** No free chair. */
  full = $derived(this.free === 0)
  chosen = $derived(this.info ? this.info.options.filter((option) => isOptionChanged(this.info!, this.values, option.name)) : [])
  /** Why the match cannot be rated: a message key's end; '' if it can. */
  unrated = $derived(
    !session.me?.account
      ? 'account'
      : this.hot || this.bots
        ? 'people'
        : this.chosen.length
          ? 'options'
          : this.clock === 'none'
            ? 'clock'
            : '',
  )
  rated = $derived(this.counts && !this.unrated)

  chooseGame(info: GameInfo, players: number, level: string): void {
    this.info = info
    this.values = {}
    this.setPlayerCount(info.counts.includes(players) ? players : (info.counts[0] ?? 2), level)
  }

  /** As many chairs as players; existing ones stay. */
  setPlayerCount(players: number, level: string): void {
    this.players = players
    const kept = this.seats.slice(0, players - 1)
    while (kept.length < players - 1) kept.push({ kind: STATIC_SITE ? 'here' : 'person', level, name: '' })
    this.seats = kept
    this.dropUnavailableOptions()
  }

  reasonsAgainstOption(name: string): Reason[] {
    const option = this.info?.options.find((one) => one.name === name)
    return this.info && option ? reasonsAgainstOption(this.info, this.players, this.values, option) : []
  }

  setOption(name: string, value: unknown): void {
    this.values = { ...this.values, [name]: value }
    this.dropUnavailableOptions()
  }

  /** Switch off options that are no longer available, and then those that required them. */
  private dropUnavailableOptions(): void {
    for (let again = true; again;) {
      again = false
      for (const option of this.chosen) {
        if (!reasonsAgainstOption(this.info!, this.players, this.values, option).length) continue
        const { [option.name]: _, ...rest } = this.values
        this.values = rest
        again = true
        break
      }
    }
  }

  /** Every switch that can be on together, in order. */
  switchAllOptionsOn(): void {
    this.values = {}
    for (const option of this.info?.options ?? []) {
      if (option.kind === 'object' || this.reasonsAgainstOption(option.name).length) continue
      this.values = {
        ...this.values,
        [option.name]:
          option.kind === 'bool'
            ? !option.default
            : (option.choices.find((one) => one !== option.default) ?? option.default),
      }
    }
  }

  async checkOptions(): Promise<void> {
    if (!this.info) return
    const answer = await post<{ problems: Reason[] }>(`/api/games/${this.info.name}/options`, {
      players: this.players,
      options: this.values,
    })
    this.problems = answer.problems
  }

  /** Create the table, fill its known chairs, and return its address. */
  async createTable(): Promise<string> {
    const { name } = await ensureSession(this.name.trim()) // who has a name keeps it: it is changed on one's own page
    const body = {
      game: this.info!.name,
      players: this.players,
      options: this.values,
      clock: CLOCKS[this.clock],
      public: this.open,
      seating: this.seating,
      hot_seat: this.hot,
      rated: this.rated,
      hints: this.hints && !this.rated,
    }
    if (this.full && !this.hot) {
      return (
        await post<{ table: string }>('/api/tables/quick', { ...body, bots: this.seats.map((seat) => seat.level) })
      ).table
    }
    const { table } = await post<{ table: string }>('/api/tables', body)
    const orders: Command[] = []
    this.seats.forEach((seat, i) => {
      if (seat.kind === 'bot') orders.push({ t: 'bot', chair: i + 1, code: seat.level })
      if (seat.kind === 'here') orders.push({ t: 'sit', chair: i + 1, name: seat.name.trim() || `${name} ${i + 2}` })
    })
    if (this.full) orders.push({ t: 'start' })
    await sendFirstCommands(table, orders)
    return table
  }
}

/** Send a table's first commands one after the other. */
function sendFirstCommands(table: string, orders: Command[]): Promise<void> {
  if (!orders.length) return Promise.resolve()
  return new Promise((done, fail) => {
    const socket = openTransport(table)
    const waiting = [...orders]
    const sendNextCommand = (): void => {
      const order = waiting.shift()
      if (order) socket.send(JSON.stringify(order))
      else {
        socket.onclose = null
        socket.close()
        done()
      }
    }
    socket.onmessage = (message) => {
      const news = JSON.parse(message.data as string) as ServerMessage
      // A start is answered by a welcome to the match.
      if (
        news.t === 'done' ||
        (news.t === 'welcome' && (news.table.status !== 'gathering' || waiting.length === orders.length))
      )
        sendNextCommand()
      else if (news.t === 'refused') {
        socket.onclose = null
        socket.close()
        fail(
          new Refusal({
            code: news.code,
            key: news.key,
            args: news.args ?? {},
            rule: news.rule ?? null,
            text: news.code,
          }),
        )
      }
    }
    // A partly set-up table is still a table: its page shows what is missing.
    socket.onclose = () => done()
  })
}

/** My table of this game that already waits for people, if there is one: a second is rarely intended. */
export async function findOwnWaitingTable(game: string): Promise<Listed | undefined> {
  if (!session.me) return undefined
  const mine = await get<Listed[]>('/api/history?over=false').catch(() => [])
  return mine.find((one) => one.status === 'gathering' && one.owner && one.game === game)
}
