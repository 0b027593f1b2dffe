// HTTP requests to the server, or to this device for its own tables. An error response is thrown as a Refusal with its
// message key.
import { app } from './appStatus.svelte'
import { NotDownloaded } from './offlineDownload.svelte'
import { isFriendTable, storePlayerName, readPlayerName } from './playerNameStorage'
import { isOfflineTable, isPythonRunning, requestOffline, STATIC_SITE } from './offline'
import { downloadedVersion } from './offlineManifest'
import { listStoredTables } from './offlineStorage'

export interface Fault {
  code: string
  key: string
  args: Record<string, unknown>
  rule: string | null
  text: string
}

export class Refusal extends Error {
  constructor(readonly fault: Fault) {
    super(fault.text)
  }
}

const FIRST: Fault = { code: 'here', key: 'here.first', args: {}, rule: null, text: 'Download the games first.' }
const NO_TABLE: Fault = { code: 'no_table', key: 'table.no_table', args: {}, rule: null, text: 'No such table.' }
const GONE: Fault = { code: 'offline', key: 'net.offline', args: {}, rule: null, text: 'The server cannot be reached.' }

const TABLE = /^\/api\/tables\/([\w-]+)/
// answered by static files
const WRITTEN = /^\/api\/(games|bots|puzzles\/\w+)$|^\/api\/games\/\w+\/(texts\/\w+|(rules|figures)\?.*)$/
const EXPLANATION = /^\/api\/games\/\w+\/figures\/.*\/why/
const OPTIONS = /^\/api\/games\/\w+\/options$/
const KEPT = 'landfall-words' // the browser's cache of such answers, for a start without a network
const NOBODY = [502, 504] // a proxy's status when its server is down

/** The file that answers a request where there is no server. */
const staticFilePath = (path: string): string => `.${path.replace('?language=', '/')}.json`

async function fetchFromServer(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error: unknown) => {
    app.recordReachability(false)
    throw error
  })
  const gone = NOBODY.includes(answer.status)
  app.recordReachability(!gone)
  if (gone) throw new Error(String(answer.status))
  return answer
}

/** Responses that are equal for everybody: cached, and used when the server does not respond. */
async function fetchCacheable(path: string): Promise<Response> {
  // Without storage or space the response is still used.
  const kept = 'caches' in self ? await caches.open(KEPT).catch(() => undefined) : undefined
  const answer = await fetchFromServer('GET', path).catch(async (error: unknown) => {
    const before = await kept?.match(path, { ignoreVary: true }).catch(() => undefined)
    if (before) return before
    throw error
  })
  if (answer.ok) void kept?.put(path, answer.clone()).catch(() => undefined)
  return answer
}

/** What this device answers without Python, so that looking around starts and downloads nothing. */
async function answerWithoutPython(method: string, path: string, body?: unknown): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(path, location.origin)
  if (method === 'POST' && pathname === '/api/me' && !isPythonRunning()) {
    const name = (body as { name: string }).name.trim()
    storePlayerName(name)
    return Response.json({ name, account: false })
  }
  // a table that cannot be is refused when it is made
  if (OPTIONS.test(pathname) && !isPythonRunning()) return Response.json({ problems: [] })
  if (method !== 'GET') return undefined
  if (pathname === '/api/whoami')
    return Response.json(readPlayerName() ? { name: readPlayerName(), account: false } : null)
  if (pathname === '/api/tables') return Response.json([])
  if (pathname === '/api/history') return Response.json(await listStoredTables(searchParams))
  if (EXPLANATION.test(path) && downloadedVersion() === null) return Response.json({ rule: null })
  return undefined
}

/** The answer of this device. What is not on it yet is downloaded first; a table that it does not have is not. */
async function answerOnDevice(method: string, path: string, body?: unknown): Promise<Response> {
  const table = TABLE.exec(path)?.[1]
  if (table !== undefined && isOfflineTable(table) && !isPythonRunning() && !isFriendTable(table)) {
    const kept = await listStoredTables(new URLSearchParams())
    if (!kept.some((one) => one.table === table)) return Response.json(NO_TABLE, { status: 404 })
  }
  return (await answerWithoutPython(method, path, body)) ?? requestOffline(method, path, body)
}

/** This device answers for its own tables, and for everything where there is no server. */
export async function fetchResponse(method: string, path: string, body?: unknown): Promise<Response> {
  const table = TABLE.exec(path)?.[1]
  if (table !== undefined && isOfflineTable(table)) return answerOnDevice(method, path, body)
  if (STATIC_SITE) {
    if (!WRITTEN.test(path)) return answerOnDevice(method, path, body)
    return fetchCacheable(staticFilePath(path)).catch((error: unknown) => {
      if (downloadedVersion() === null) throw error
      return requestOffline(method, path)
    })
  }
  try {
    return await (WRITTEN.test(path) ? fetchCacheable(path) : fetchFromServer(method, path, body))
  } catch (error) {
    const own = table === undefined || ['quick', 'open', 'guided'].includes(table)
    if (own && downloadedVersion() !== null) return answerOnDevice(method, path, body)
    throw error
  }
}

export async function sendRequest<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetchResponse(method, path, body).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal(error instanceof NotDownloaded ? FIRST : GONE)
  })
  return parseResponse<T>(answer)
}

/** Parse a response; throw a refusal. */
export async function parseResponse<T>(answer: Response): Promise<T> {
  const kind = answer.headers.get('content-type') ?? ''
  const content: unknown =
    answer.status === 204 ? null : kind.includes('json') ? await answer.json() : await answer.text()
  if (answer.ok) return content as T
  const fault =
    typeof content === 'object' && content !== null && 'code' in content
      ? (content as Fault)
      : { ...GONE, code: String(answer.status) }
  throw new Refusal(fault)
}

export const get = <T>(path: string): Promise<T> => sendRequest<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}): Promise<T> => sendRequest<T>('POST', path, body)
