// The page itself caches what the app needs to start offline: the files it has just loaded, so that nothing is fetched
// twice; and, for play without a server, the whole app.
import { downloadedVersion } from './offlineManifest'

const KEPT = 'landfall-app-' // as in sw.ts, followed by the version
const HOME = new URL(import.meta.env.BASE_URL, location.href.replace(/#.*/, '')).href
const ASSETS = `${HOME}assets/`
const GENERATIONS = 2 // a page of the last version may still be open and need its files
/** This page's entry script: its name identifies the version, since it refers to all others by their hashes. */
const ENTRY = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''

/** Every file of the app with its size, written by the build: [name, bytes]. */
export type Files = [name: string, bytes: number][]

/** The cache of this version; undefined without storage, or outside a build. */
function openVersionCache(): Promise<Cache> | undefined {
  return 'caches' in self && ENTRY.startsWith(ASSETS) ? caches.open(KEPT + ENTRY.slice(ASSETS.length)) : undefined
}

const isPageOfThisVersion = (page: string): boolean => page.includes(ENTRY.slice(ASSETS.length))

/** Whether the server has another version than this page; undefined: no response. */
export async function isOutdated(): Promise<boolean | undefined> {
  if (!ENTRY.startsWith(ASSETS)) return false
  const answer = await fetch(HOME, { cache: 'no-cache' }).catch(() => undefined)
  return answer?.ok ? !isPageOfThisVersion(await answer.text()) : undefined
}

/** All files of this version; empty without storage, or if the server has another version already. */
export async function fetchAppFileList(): Promise<Files> {
  if (!openVersionCache()) return []
  const answer = await fetch(`${HOME}app.json`, { cache: 'no-cache' })
  const found = answer.ok ? ((await answer.json()) as Files) : []
  return found.some(([name]) => HOME + name === ENTRY) ? found : []
}

/** Fetch the missing files; `got` is called for each. */
export async function cacheMissingFiles(
  files: Files,
  got: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const kept = await openVersionCache()
  for (const [name, bytes] of files) {
    if (kept && !(await kept.match(HOME + name))) await fetchIntoCache(kept, HOME + name, signal)
    got(bytes)
  }
}

async function fetchIntoCache(kept: Cache, url: string, signal?: AbortSignal): Promise<void> {
  const answer = await fetch(url, { cache: 'force-cache', signal })
  if (!answer.ok) throw new Error(String(answer.status))
  await kept.put(url, answer)
}

/** Cache what this page needed to start; the page itself comes last, so that a cached version is complete. */
export async function precachePage(): Promise<void> {
  const kept = await openVersionCache()
  if (!kept) return
  await document.fonts.ready
  if (downloadedVersion() !== null) await cacheMissingFiles(await fetchAppFileList(), () => {})
  for (const { name } of performance.getEntriesByType('resource'))
    if (name.startsWith(ASSETS) && !(await kept.match(name))) await fetchIntoCache(kept, name)
  if (await kept.match(HOME)) return
  for (const cache of ['force-cache', 'reload'] as const) {
    const page = await fetch(HOME, { cache })
    if (!page.ok || !isPageOfThisVersion(await page.clone().text())) continue
    await kept.put(HOME, page)
    const all = (await caches.keys()).filter((name) => name.startsWith(KEPT))
    for (const old of all.slice(0, -GENERATIONS)) await caches.delete(old)
    return
  }
}
