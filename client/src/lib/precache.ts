// What the app needs to start without a network, put away by the page itself once it runs: what it has just loaded, so
// that nothing is brought twice; and, for who wants to play without a server, all of the app.
import { downloadedVersion } from './offline'

const KEPT = 'landfall-app-' // as in sw.ts; the rest of the name is the version
const HOME = new URL(import.meta.env.BASE_URL, location.href.replace(/#.*/, '')).href
const ASSETS = `${HOME}assets/`
const GENERATIONS = 2 // a page of the last version may still be open, and ask for its files
/** The script this page began with: its name tells the version, since it names all others by what is in them. */
const ENTRY = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''

/** Every file of the app with its size, written by the build: [name, bytes]. */
export type Files = [name: string, bytes: number][]

/** Where this version is kept; undefined where a browser keeps nothing, or this is no build. */
function place(): Promise<Cache> | undefined {
  return 'caches' in self && ENTRY.startsWith(ASSETS) ? caches.open(KEPT + ENTRY.slice(ASSETS.length)) : undefined
}

const ours = (page: string): boolean => page.includes(ENTRY.slice(ASSETS.length))

/** Whether the server has another version than this page's; undefined: it did not say. */
export async function isOutdated(): Promise<boolean | undefined> {
  if (!ENTRY.startsWith(ASSETS)) return false
  const answer = await fetch(HOME, { cache: 'no-cache' }).catch(() => undefined)
  return answer?.ok ? !ours(await answer.text()) : undefined
}

/** All files of this version; none where there is nothing to keep them in, or the server has another one already. */
export async function appFiles(): Promise<Files> {
  if (!place()) return []
  const answer = await fetch(`${HOME}app.json`, { cache: 'no-cache' })
  const found = answer.ok ? ((await answer.json()) as Files) : []
  return found.some(([name]) => HOME + name === ENTRY) ? found : []
}

/** Bring what is not here yet of these files; `got` hears of each. */
export async function bring(files: Files, got: (bytes: number) => void, signal?: AbortSignal): Promise<void> {
  const kept = await place()
  for (const [name, bytes] of files) {
    if (kept && !(await kept.match(HOME + name))) await put(kept, HOME + name, signal)
    got(bytes)
  }
}

async function put(kept: Cache, url: string, signal?: AbortSignal): Promise<void> {
  const answer = await fetch(url, { cache: 'force-cache', signal })
  if (!answer.ok) throw new Error(String(answer.status))
  await kept.put(url, answer)
}

/** Put away what this page needed to start; last of all the page itself, so that what is kept is whole. */
export async function keep(): Promise<void> {
  const kept = await place()
  if (!kept) return
  await document.fonts.ready
  if (downloadedVersion() !== null) await bring(await appFiles(), () => {})
  for (const { name } of performance.getEntriesByType('resource'))
    if (name.startsWith(ASSETS) && !(await kept.match(name))) await put(kept, name)
  if (await kept.match(HOME)) return
  for (const cache of ['force-cache', 'reload'] as const) {
    const page = await fetch(HOME, { cache })
    if (!page.ok || !ours(await page.clone().text())) continue
    await kept.put(HOME, page)
    const all = (await caches.keys()).filter((name) => name.startsWith(KEPT))
    for (const old of all.slice(0, -GENERATIONS)) await caches.delete(old)
    return
  }
}
