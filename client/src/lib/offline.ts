// Tables on this device, and a worker that answers for them as a server does. It starts on first use; what is not on
// this device yet is downloaded before.
import { download } from './download.svelte'
import { BASE, offer } from './offlineManifest'
import type { WorkerRequest, WorkerResponse } from './offlineMessages'
import { startup } from './startup.svelte'

/** Whether this is a static site without a server. */
export const STATIC_SITE = import.meta.env.MODE === 'site'
const MINE = 'here-' // as in src/landfall/offline/offline_server.py
const NAME = 'landfall.name'

/** Whether a table is this device's own. */
export const isOfflineTable = (table: string): boolean => table.startsWith(MINE)

/** The name somebody plays by on this device; empty: none yet. */
export const ownName = (): string => localStorage.getItem(NAME) ?? ''

/** Keep a name for this device. */
export const keepName = (name: string): void => localStorage.setItem(NAME, name)

type ResponseListener = (response: WorkerResponse) => void
let worker: Worker | undefined
let ready: Promise<void> | undefined
let count = 0
const listeners = new Map<number, ResponseListener>()

function say(asked: WorkerRequest): void {
  worker?.postMessage(asked)
}

function once(make: (n: number) => WorkerRequest): Promise<[number, string, string]> {
  const n = ++count
  return new Promise((done, fail) => {
    listeners.set(n, (response) => {
      if ('progress' in response) return void (startup.progress = response.progress)
      listeners.delete(n)
      if ('answer' in response) done(response.answer)
      else fail(new Error('failed' in response ? response.failed : 'no answer'))
    })
    say(make(n))
  })
}

/** The worker failed to load or stopped: reject all pending requests; the next request starts a new one. */
function lost(): void {
  worker?.terminate()
  worker = ready = undefined
  for (const [n, listener] of [...listeners]) listener({ n, failed: 'the worker is lost' })
}

/** Whether Python runs. */
export const isRunning = (): boolean => worker !== undefined

/** Start Python once, after the download; it runs as long as the page. */
export function begin(): Promise<void> {
  if (ready) return ready
  startup.phase = 'download'
  startup.progress = 0
  ready = start().finally(() => (startup.phase = 'no'))
  ready.catch(() => {
    worker?.terminate()
    worker = ready = undefined
  })
  return ready
}

async function start(): Promise<void> {
  await download.ensure()
  startup.phase = 'python'
  const found = await offer()
  worker = new Worker(new URL('./offline.worker.ts', import.meta.url), { type: 'module', name: 'here' })
  worker.onmessage = (message: MessageEvent<WorkerResponse>) => listeners.get(message.data.n)?.(message.data)
  worker.onerror = worker.onmessageerror = lost
  await once((n) => ({ n, do: 'begin', base: BASE, manifest: found, name: ownName() }))
}

/** The page that embeds this one (a diagram beside rules), if it is ours: both share its Python. */
function around(): typeof requestOffline | undefined {
  try {
    return self === parent ? undefined : parent.landfallOffline
  } catch {
    return undefined // a stranger's
  }
}

/** Send a request to this device instead of a server. */
export async function requestOffline(method: string, path: string, body?: unknown): Promise<Response> {
  const outer = around()
  if (outer) return outer(method, path, body)
  await begin()
  const text = body === undefined ? undefined : JSON.stringify(body)
  const [status, kind, said] = await once((n) => ({ n, do: 'ask', method, path, body: text }))
  if (method === 'POST' && path === '/api/me' && status === 200) keepName((JSON.parse(said) as { name: string }).name)
  return new Response(status === 204 ? null : said, { status, headers: { 'content-type': kind } })
}

declare global {
  interface Window {
    landfallOffline?: typeof requestOffline
  }
}
self.landfallOffline = requestOffline

/** A connection to a table: the part of WebSocket's interface that is used. */
export type Transport = Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>

class OfflineConnection implements Transport {
  readyState: WebSocket['readyState'] = WebSocket.CONNECTING
  onopen: Transport['onopen'] = null
  onmessage: Transport['onmessage'] = null
  onclose: Transport['onclose'] = null
  private readonly n = ++count

  constructor(table: string, after: number | undefined) {
    begin().then(
      () => {
        if (this.readyState !== WebSocket.CONNECTING) return
        listeners.set(this.n, (response) => this.receive(response))
        say({ n: this.n, do: 'open', table, after })
      },
      () => this.shut(1006),
    )
  }

  send(data: string): void {
    say({ n: this.n, do: 'say', text: data })
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) say({ n: this.n, do: 'close' })
    this.readyState = WebSocket.CLOSED
    listeners.delete(this.n)
  }

  private receive(response: WorkerResponse): void {
    const self = this as unknown as WebSocket
    if ('open' in response) {
      this.readyState = WebSocket.OPEN
      this.onopen?.call(self, new Event('open'))
    } else if ('text' in response) this.onmessage?.call(self, new MessageEvent('message', { data: response.text }))
    else this.shut('shut' in response ? response.shut : 1006)
  }

  private shut(code: number): void {
    this.readyState = WebSocket.CLOSED
    listeners.delete(this.n)
    this.onclose?.call(this as unknown as WebSocket, new CloseEvent('close', { code }))
  }
}

export const LOBBY = 'lobby' // in place of a table: the lobby's own socket

/** Connect to a table of this device or of the server, or to the lobby. `after`: the last known entry. */
export function openTransport(table: string, after = 0): Transport {
  if (isOfflineTable(table)) return new OfflineConnection(table, after || undefined)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const path = table === LOBBY ? LOBBY : `tables/${table}${after ? `?after=${after}` : ''}`
  return new WebSocket(`${scheme}://${location.host}/ws/${path}`)
}
