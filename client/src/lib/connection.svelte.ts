// One table's socket: it reconnects, requests what it missed, and resends unacknowledged commands. It does not know
// whether a server, this device or a friend's is at the other end: `transport.ts` does.
import { app } from './appStatus.svelte'
import { isOfflineTable } from './offline'
import { openTransport, type Transport } from './transport'
import type { Command, ServerMessage } from './wire'

type Named = Extract<Command, { id: string }>
const WAITS = [200, 500, 1000, 2000, 4000, 8000]
const UNSEEN = 30_000 // while the page is hidden
const SPREAD = 0.5 // at most this share of a delay is added or taken by chance, so that clients do not come at once
const CROWDED = 10_000 // after a rejection for too many connections
const PULSE = 10_000
const SILENCE = 25_000
const NOD = 4000 // response timeout after the page was in the background
const NO_TABLE = 4404
const TURNED_AWAY = 1008
const RESTARTING = 1012 // another process takes over; the reason says after how many milliseconds to reconnect

export class Connection {
  state: 'connecting' | 'open' | 'lost' | 'closed' = $state('connecting')
  /** When the next attempt starts, while disconnected. */
  next = $state(0)
  private socket: Transport | undefined
  private unsure = new Map<string, Named>() // choices sent and not yet acknowledged
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private nod: ReturnType<typeof setTimeout> | undefined
  private readonly pulse: ReturnType<typeof setInterval>
  private lastMessageAt = Date.now()
  private since = 0 // the last entry we know
  private asked = 0 // the entry this socket was opened after
  private welcomed = false // on this socket
  /** Whether the last welcome continues from what we know; otherwise it replaces our state. */
  resumed = false

  constructor(
    private readonly table: string,
    private readonly onMessage: (news: ServerMessage) => void,
    private readonly shut: (code: number) => void = () => {},
  ) {
    this.openSocket()
    addEventListener('online', this.pingOrReconnect)
    if (!isOfflineTable(table)) addEventListener('offline', this.dropAndReconnectLater)
    document.addEventListener('visibilitychange', this.pingOrReconnect)
    this.pulse = setInterval(() => this.pingOrDropIfSilent(), PULSE)
  }

  /** Whether unacknowledged choices exist. */
  get hasUnacknowledged(): boolean {
    return this.unsure.size > 0
  }

  /** Send a command; a choice is stored until the server acknowledges it. False: it could not be sent now. */
  sendCommand(command: Command): boolean {
    if ('id' in command && (command.t === 'play' || command.t === 'undo')) this.unsure.set(command.id, command)
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(command))
    return true
  }

  /** Reconnect, perhaps as another user: the server sends everything again. */
  reconnectFromStart(): void {
    this.since = 0
    this.discardSocket()
    this.openSocket()
  }

  /** Retry now, at the user's request. */
  retryNow(): void {
    if (this.state === 'lost') this.openSocket()
  }

  close(): void {
    this.state = 'closed'
    removeEventListener('online', this.pingOrReconnect)
    removeEventListener('offline', this.dropAndReconnectLater)
    document.removeEventListener('visibilitychange', this.pingOrReconnect)
    clearTimeout(this.timer)
    clearTimeout(this.nod)
    clearInterval(this.pulse)
    this.discardSocket()
  }

  /** The browser reports the network back, or the page is visible again. */
  private pingOrReconnect = (): void => {
    if (document.hidden) return
    if (this.state === 'lost') this.openSocket()
    else if (this.state === 'open' && Date.now() - this.lastMessageAt > NOD) {
      const asked = Date.now()
      this.sendCommand({ t: 'ping' })
      clearTimeout(this.nod)
      this.nod = setTimeout(() => this.lastMessageAt < asked && this.dropAndReconnectLater(), NOD)
    }
  }

  /** The network is gone: this socket is dead. */
  private dropAndReconnectLater = (): void => {
    if (this.state === 'closed') return
    this.discardSocket()
    this.scheduleReconnect()
  }

  private discardSocket(): void {
    const socket = this.socket
    this.socket = undefined
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  private nextRetryDelayMs(): number {
    const usual = WAITS[this.tries++] ?? (document.hidden ? UNSEEN : WAITS.at(-1)!)
    return usual * (1 + SPREAD * (2 * Math.random() - 1))
  }

  private scheduleReconnect(wait = this.nextRetryDelayMs()): void {
    this.state = 'lost'
    clearTimeout(this.timer)
    this.next = Date.now() + wait
    this.timer = setTimeout(() => this.openSocket(), wait)
  }

  private pingOrDropIfSilent(): void {
    if (this.state !== 'open') return
    if (Date.now() - this.lastMessageAt > SILENCE) this.dropAndReconnectLater()
    else this.sendCommand({ t: 'ping' })
  }

  private openSocket(): void {
    clearTimeout(this.timer)
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return
    this.asked = this.since
    const socket = openTransport(this.table, this.since)
    this.socket = socket
    socket.onopen = () => {
      this.state = 'open'
      this.next = 0
      if (!isOfflineTable(this.table)) app.recordReachability(true)
      this.lastMessageAt = Date.now()
      this.welcomed = false
      this.resendUnacknowledged(socket)
    }
    socket.onmessage = (message) => {
      this.lastMessageAt = Date.now()
      this.handleMessage(JSON.parse(message.data as string) as ServerMessage)
    }
    socket.onclose = (event) => {
      if (this.state === 'closed' || this.socket !== socket) return
      this.socket = undefined
      if (event.code === NO_TABLE) {
        this.close()
        this.shut(event.code)
      } else if (event.code === RESTARTING && /^\d{1,5}$/.test(event.reason))
        this.scheduleReconnect(Number(event.reason))
      else this.scheduleReconnect(event.code === TURNED_AWAY ? CROWDED : undefined)
    }
  }

  /** Resend unacknowledged choices; the server deduplicates them by id. */
  private resendUnacknowledged(socket: Transport): void {
    for (const command of this.unsure.values()) socket.send(JSON.stringify(command))
  }

  private handleMessage(news: ServerMessage): void {
    // A complete welcome on the same socket: we were too slow, and an acknowledgement may have been dropped.
    if (news.t === 'welcome' && this.welcomed && this.socket) this.resendUnacknowledged(this.socket)
    // A server whose database is away accepts sockets and refuses: only what it serves ends the delays.
    if (news.t === 'welcome' || (news.t === 'lobby' && news.fresh)) this.tries = 0
    if (news.t === 'welcome') {
      // otherwise the server knows less than we did
      this.resumed = !this.welcomed && this.asked > 0 && news.n >= this.asked
      this.welcomed = true
    }
    if ((news.t === 'ack' || news.t === 'refused') && news.id) this.unsure.delete(news.id)
    if (news.t === 'welcome' || news.t === 'update') this.since = news.n
    this.onMessage(news)
  }
}
