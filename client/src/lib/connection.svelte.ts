// One table's socket: it comes back by itself, asks for what it missed, and sends again what was not acknowledged.
import type { Command, News } from './wire'

type Named = Extract<Command, { id: string }>
const WAITS = [200, 500, 1000, 2000, 4000]
const SILENCE = 25_000

export class Connection {
  state: 'connecting' | 'open' | 'lost' | 'closed' = $state('connecting')
  private socket: WebSocket | undefined
  private unsure = new Map<string, Named>() // choices sent and not yet acknowledged
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private pulse: ReturnType<typeof setInterval> | undefined
  private heard = Date.now()
  private since = 0 // the last entry we know

  constructor(
    private readonly table: string,
    private readonly hear: (news: News) => void,
    private readonly shut: (code: number) => void = () => {},
  ) {
    this.open()
    addEventListener('online', this.wake)
    document.addEventListener('visibilitychange', this.wake)
    this.pulse = setInterval(() => this.check(), 10_000)
  }

  /** Send a command; a choice is kept until the server says what became of it. */
  send(command: Command): void {
    if ('id' in command && (command.t === 'play' || command.t === 'undo')) this.unsure.set(command.id, command)
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command))
  }

  close(): void {
    this.state = 'closed'
    removeEventListener('online', this.wake)
    document.removeEventListener('visibilitychange', this.wake)
    clearTimeout(this.timer)
    clearInterval(this.pulse)
    this.socket?.close()
  }

  private wake = (): void => {
    if (this.state === 'lost' && !document.hidden) this.open()
  }

  private check(): void {
    if (this.state !== 'open') return
    if (Date.now() - this.heard > SILENCE) this.socket?.close()
    else this.send({ t: 'ping' })
  }

  private open(): void {
    clearTimeout(this.timer)
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const after = this.since ? `?after=${this.since}` : ''
    const socket = new WebSocket(`${scheme}://${location.host}/ws/tables/${this.table}${after}`)
    this.socket = socket
    socket.onopen = () => {
      this.state = 'open'
      this.tries = 0
      this.heard = Date.now()
      for (const command of this.unsure.values()) socket.send(JSON.stringify(command))
    }
    socket.onmessage = (message) => {
      this.heard = Date.now()
      this.receive(JSON.parse(message.data as string) as News)
    }
    socket.onclose = (event) => {
      if (this.state === 'closed' || this.socket !== socket) return
      if (event.code === 4404 || event.code === 1008) {
        this.close()
        this.shut(event.code)
        return
      }
      this.state = 'lost'
      this.timer = setTimeout(() => this.open(), WAITS[Math.min(this.tries++, WAITS.length - 1)])
    }
  }

  private receive(news: News): void {
    if ((news.t === 'ack' || news.t === 'refused') && news.id) this.unsure.delete(news.id)
    if (news.t === 'welcome' || news.t === 'update') this.since = news.n
    this.hear(news)
  }
}
