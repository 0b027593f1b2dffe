// A fake WebSocket for tests: the test plays the server.
import { vi } from 'vitest'
import type { Command, ServerMessage } from './wire'

export class FakeSocket {
  static CONNECTING = 0
  static OPEN = 1
  static CLOSING = 2
  static CLOSED = 3
  static all: FakeSocket[] = []
  readyState = 0
  sent: Command[] = []
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Command)
  }
  close(): void {
    this.readyState = 3
  }
  /** The server accepts the connection. */
  acceptConnection(): void {
    this.readyState = 1
    this.onopen?.()
  }
  receiveFromServer(news: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(news) })
  }
  /** The connection breaks. */
  breakConnection(code = 1006, reason = ''): void {
    this.readyState = 3
    this.onclose?.({ code, reason })
  }
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!
  }
  static install(): void {
    FakeSocket.all = []
    vi.stubGlobal('WebSocket', FakeSocket)
  }
}
