// Tables on this device, and a worker that answers for them as a server does. It starts on first use; what is not on
// this device yet is downloaded before.
import { isFriendTable, storePlayerName, readPlayerName } from './playerNameStorage'
import { download } from './offlineDownload.svelte'
import { BASE, fetchManifest } from './offlineManifest'
import type { ResponseListener, Talk, WorkerRequest, WorkerResponse } from './offlineMessages'
import { startup } from './pythonStartup.svelte'

/** Whether this is a static site without a server. */
export const STATIC_SITE = import.meta.env.MODE === 'site'
const MINE = 'here-' // as in src/landfall/offline/offline_server.py

/** Whether a table is this device's own. */
export const isOfflineTable = (table: string): boolean => table.startsWith(MINE)

let worker: Worker | undefined
let ready: Promise<void> | undefined
let count = 0
const listeners = new Map<number, ResponseListener>()

function postToWorker(asked: WorkerRequest): void {
  worker?.postMessage(asked)
}

function requestFromWorker(make: (n: number) => WorkerRequest): Promise<[number, string, string]> {
  const n = ++count
  return new Promise((done, fail) => {
    listeners.set(n, (response) => {
      if ('progress' in response) return void (startup.progress = response.progress)
      listeners.delete(n)
      if ('answer' in response) done(response.answer)
      else fail(new Error('failed' in response ? response.failed : 'no answer'))
    })
    postToWorker(make(n))
  })
}

/** The worker failed to load or stopped: reject all pending requests; the next request starts a new one. */
function handleWorkerLoss(): void {
  worker?.terminate()
  worker = ready = undefined
  for (const [n, listener] of [...listeners]) listener({ n, failed: 'the worker is lost' })
}

/** Whether Python runs. */
export const isPythonRunning = (): boolean => worker !== undefined

/** Start Python once, after the download; it runs as long as the page. */
export function startPython(): Promise<void> {
  if (ready) return ready
  startup.phase = 'download'
  startup.progress = 0
  ready = startWorker().finally(() => (startup.phase = 'no'))
  ready.catch(() => {
    worker?.terminate()
    worker = ready = undefined
  })
  return ready
}

async function startWorker(): Promise<void> {
  await download.ensureDownloaded()
  startup.phase = 'python'
  const found = await fetchManifest()
  worker = new Worker(new URL('./offline.worker.ts', import.meta.url), { type: 'module', name: 'here' })
  worker.onmessage = (message: MessageEvent<WorkerResponse>) => listeners.get(message.data.n)?.(message.data)
  worker.onerror = worker.onmessageerror = handleWorkerLoss
  await requestFromWorker((n) => ({ n, do: 'begin', base: BASE, manifest: found, name: readPlayerName() }))
}

/** Talk with the worker. */
export async function openWorkerTalk(listener: ResponseListener): Promise<Talk> {
  await startPython()
  const n = ++count
  listeners.set(n, listener)
  return { say: (task) => postToWorker({ n, ...task }), end: () => listeners.delete(n) }
}

/** The page that embeds this one (a diagram beside rules), if it is ours: both share its Python. */
function requestFunctionOfParentPage(): typeof requestOffline | undefined {
  try {
    return self === parent ? undefined : parent.landfallOffline
  } catch {
    return undefined // a stranger's
  }
}

/** Send a request to this device instead of a server. */
export async function requestOffline(method: string, path: string, body?: unknown): Promise<Response> {
  const outer = requestFunctionOfParentPage()
  if (outer) return outer(method, path, body)
  const table = /^\/api\/tables\/([\w-]+)/.exec(path)?.[1]
  if (table && isFriendTable(table)) return (await import('./peerHostClient')).requestFromHost(table, method, path)
  await startPython()
  const text = body === undefined ? undefined : JSON.stringify(body)
  const [status, kind, said] = await requestFromWorker((n) => ({ n, do: 'ask', method, path, body: text }))
  if (method === 'POST' && path === '/api/me' && status === 200)
    storePlayerName((JSON.parse(said) as { name: string }).name)
  return new Response(status === 204 ? null : said, { status, headers: { 'content-type': kind } })
}

declare global {
  interface Window {
    landfallOffline?: typeof requestOffline
  }
}
self.landfallOffline = requestOffline
