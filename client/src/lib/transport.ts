// Connections to tables: of a server by a WebSocket, of this device by its worker, of a friend's by a data channel.
import { isFriendTable } from './playerNameStorage'
import { isOfflineTable, openWorkerTalk } from './offline'
import type { ResponseListener, Talk, WorkerResponse } from './offlineMessages'

/** A connection to a table: the part of WebSocket's interface that is used. */
export type Transport = Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>

const SHUT = 1006

/** A connection to a table that Python holds, here or on a friend's device. */
class TalkConnection implements Transport {
  readyState: WebSocket['readyState'] = WebSocket.CONNECTING
  onopen: Transport['onopen'] = null
  onmessage: Transport['onmessage'] = null
  onclose: Transport['onclose'] = null
  private talk: Talk | undefined

  constructor(table: string, after: number | undefined, begin: (listener: ResponseListener) => Promise<Talk>) {
    begin((response) => this.handleResponse(response)).then(
      (talk) => {
        if (this.readyState !== WebSocket.CONNECTING) return talk.end()
        this.talk = talk
        talk.say({ do: 'open', table, after })
      },
      () => this.handleShut(SHUT),
    )
  }

  send(data: string): void {
    this.talk?.say({ do: 'say', text: data })
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) this.talk?.say({ do: 'close' })
    this.readyState = WebSocket.CLOSED
    this.talk?.end()
  }

  private handleResponse(response: WorkerResponse): void {
    const self = this as unknown as WebSocket
    if ('open' in response) {
      this.readyState = WebSocket.OPEN
      this.onopen?.call(self, new Event('open'))
    } else if ('text' in response) this.onmessage?.call(self, new MessageEvent('message', { data: response.text }))
    else this.handleShut('shut' in response ? response.shut : SHUT)
  }

  private handleShut(code: number): void {
    this.readyState = WebSocket.CLOSED
    this.talk?.end()
    this.onclose?.call(this as unknown as WebSocket, new CloseEvent('close', { code }))
  }
}

export const LOBBY = 'lobby' // in place of a table: the lobby's own socket

/** Connect to a table of this device, of a friend's or of the server. `after`: the last known entry. */
export function openTransport(table: string, after = 0): Transport {
  if (isFriendTable(table))
    return new TalkConnection(table, after || undefined, async (listener) =>
      (await import('./peerHostClient')).openHostTalk(table, listener),
    )
  if (isOfflineTable(table)) return new TalkConnection(table, after || undefined, openWorkerTalk)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const path = table === LOBBY ? LOBBY : `tables/${table}${after ? `?after=${after}` : ''}`
  return new WebSocket(`${scheme}://${location.host}/ws/${path}`)
}
