// The worker that plays without a server: Python with rules, bots and tables, apart from the page. Requests carry a
// number; a table's messages carry the number of their connection.
/// <reference lib="webworker" />
import type { PyodideAPI } from 'pyodide'
import type { PyProxy } from 'pyodide/ffi'
import { KEPT, type WorkerRequest, type Manifest, type WorkerResponse } from './offlineMessages'
import { Net, type Plan, type Stored } from './valueNet'
import type { OfflineStorage } from './offlineStorage'
import { TakeoverStorage } from './takeoverStorage'

interface Door {
  receive: (text: string) => void
  close: () => Promise<void>
}
interface Device {
  request: (method: string, url: string, body?: string) => Promise<PyProxy>
  connect: (
    table: string,
    after: number | undefined,
    send: (text: string) => void,
    shut: () => void,
  ) => Promise<Door | undefined>
  on_notification: (kind: string, words: string) => void
}

interface PeerSession {
  receive: (text: string) => void
  close: () => void
}
interface Peers {
  connect: (table: string, guest: string, send: (text: string) => void, close: () => void) => PeerSession
}

type Progress = (share: number) => void
type Begin = (shelf: OfflineStorage | undefined, name: string, make: typeof makeNet) => Promise<Device>

const NO_TABLE = 4404
const GOING_AWAY = 1001
const HOME = '/landfall'
const sessions = new Map<number, Promise<PeerSession>>()
const doors = new Map<number, Promise<Door | undefined>>()
let device: Promise<Device> | undefined
let python: PyodideAPI | undefined
let friends: Peers | undefined

const respond = (response: WorkerResponse): void => postMessage(response)

/** A file of the download, from the cache or the network. */
async function fetchDownloadedFile(url: string): Promise<Response> {
  const kept = 'caches' in self ? await (await caches.open(KEPT)).match(url) : undefined
  const found = kept ?? (await fetch(url))
  if (!found.ok) throw new Error(`${found.status} ${url}`)
  return found
}

/** Load Python; its largest file is compressed in the download, so that any file server sends it small. */
async function loadPython(base: string, manifest: Manifest, progress: Progress): Promise<PyodideAPI> {
  const home = base + manifest.python
  const network = self.fetch.bind(self)
  self.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(base)) return network(input, init)
    if (!url.endsWith('.wasm')) return fetchDownloadedFile(url)
    const packed = await fetchDownloadedFile(`${url}.gz`)
    const body = packed.body!.pipeThrough(new DecompressionStream('gzip'))
    return new Response(body, { headers: { 'content-type': 'application/wasm' } })
  }
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ `${home}pyodide.mjs`)) as typeof import('pyodide')
    progress(0.1)
    const py = await loadPyodide({ indexURL: home, lockFileContents: JSON.stringify(manifest.lock) })
    progress(0.5)
    for (const archive of [...(manifest.packages ?? []), manifest.rules, manifest.nets])
      if (archive)
        py.unpackArchive(await (await fetchDownloadedFile(base + archive)).arrayBuffer(), 'zip', { extractDir: HOME })
    progress(0.6)
    return py
  } finally {
    self.fetch = network
  }
}

/** A net for Python; arguments and results are copied. */
function makeNet(plan: string, stored: PyProxy): { evaluate: (rows: PyProxy) => Float32Array } {
  const made = new Net(JSON.parse(plan) as Plan, stored.toJs() as Record<string, Stored>)
  return { evaluate: (rows) => made.evaluate(rows.toJs() as Uint8Array) }
}

async function startPythonServer(base: string, manifest: Manifest, name: string, progress: Progress): Promise<Device> {
  const [py, shelf] = await Promise.all([
    loadPython(base, manifest, progress),
    TakeoverStorage.open().catch(() => undefined),
  ])
  python = py
  py.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(HOME)})`)
  const start = py.pyimport('landfall.offline.browser_entry_point').start_offline_api as Begin
  const device = await start(shelf, name, makeNet)
  shelf?.listenToOtherPages((kind, words) => device.on_notification(kind, words))
  return device
}

async function connectToTable(n: number, table: string, after: number | undefined): Promise<Door | undefined> {
  const reportNoTable = (): void => respond({ n, shut: NO_TABLE })
  const door = await (await device!).connect(table, after, (text) => respond({ n, text }), reportNoTable)
  if (!door) reportNoTable()
  return door
}

/** A friend's channel: Python reads its messages, and sends as a server would. */
async function connectFriend(n: number, table: string, guest: string): Promise<PeerSession> {
  const here = await device!
  const make = python!.pyimport('landfall.offline.peer_sessions').Peers as (device: Device) => Peers
  friends ??= make(here)
  return friends.connect(
    table,
    guest,
    (text) => respond({ n, text }),
    () => respond({ n, shut: GOING_AWAY }),
  )
}

async function handleRequest(asked: WorkerRequest): Promise<void> {
  const { n } = asked
  if (asked.do === 'begin') {
    device = startPythonServer(asked.base, asked.manifest, asked.name, (progress) => respond({ n, progress }))
    await device
    return respond({ n, answer: [200, 'text/plain', ''] })
  }
  if (asked.do === 'ask') {
    const found = await (await device!).request(asked.method, asked.path, asked.body)
    respond({ n, answer: found.toJs() as [number, string, string] })
    return found.destroy()
  }
  if (asked.do === 'open') {
    respond({ n, open: true })
    const door = connectToTable(n, asked.table, asked.after)
    doors.set(n, door)
    await door
    return
  }
  if (asked.do === 'peer') {
    const session = connectFriend(n, asked.table, asked.guest)
    sessions.set(n, session)
    await session
    return
  }
  if (asked.do === 'receive') {
    ;(await sessions.get(n))?.receive(asked.text)
    return respond({ n, received: true })
  }
  if (asked.do === 'part') {
    const session = sessions.get(n)
    sessions.delete(n)
    return (await session)?.close()
  }
  const door = await doors.get(n)
  if (asked.do === 'say') door?.receive(asked.text)
  else {
    doors.delete(n)
    await door?.close()
  }
}

onmessage = (message: MessageEvent<WorkerRequest>): void => {
  handleRequest(message.data).catch((error: unknown) => respond({ n: message.data.n, failed: String(error) }))
}
