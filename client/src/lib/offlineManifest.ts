// What can be downloaded for playing without a server, and which version this device has.
import { KEPT, type Manifest } from './offlineMessages'

export const BASE = new URL(`${import.meta.env.BASE_URL}here/`, location.href.replace(/#.*/, '')).href
const THERE = 'landfall.here'
const PATIENCE = 4000 // ms for a network request where a cached response will do

/** The downloaded version, if any. */
export function downloadedVersion(): string | null {
  return localStorage.getItem(THERE)
}

export function setDownloadedVersion(version: string | null): void {
  if (version === null) localStorage.removeItem(THERE)
  else localStorage.setItem(THERE, version)
}

async function cachedResponse(url: string): Promise<Response | undefined> {
  return 'caches' in self ? (await caches.open(KEPT)).match(url) : undefined
}

let manifest: Promise<Manifest> | undefined
/** What can be downloaded; fails if the server offers nothing. */
export function fetchManifest(): Promise<Manifest> {
  const signal = downloadedVersion() === null ? undefined : AbortSignal.timeout(PATIENCE)
  manifest ??= fetch(`${BASE}manifest.json`, { signal })
    .catch(async (error: unknown) => (await cachedResponse(`${BASE}manifest.json`)) ?? Promise.reject(error))
    .then(async (answer) => {
      if (!answer.ok) throw new Error(String(answer.status))
      return (await answer.json()) as Manifest
    })
  manifest.catch(() => (manifest = undefined))
  return manifest
}
