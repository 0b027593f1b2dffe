// The service worker: the app starts, and what is on this device is read, without a network. It keeps nothing by
// itself: pages put away what they needed to start (lib/precache.ts), so that a first visit brings no byte twice. The build
// writes its version above, so that a browser sees that there is a new one.
/// <reference lib="webworker" />

export {} // a module of its own: what it names is not the page's
const worker = globalThis as unknown as ServiceWorkerGlobalScope
const KEPT = 'landfall-app-' // as in lib/precache.ts; this file stands alone
const HOME = new URL('./', worker.location.href).href
const PATIENCE = 4000 // ms for a page; a network that says nothing is none
const NO_PAGES = /^(api|docs|metrics|licences)\b/ // what the server alone can show
const LASTING = /^(assets|here\/\d[^/]*)\// // named by what is in them: what is kept is what would come

/** The page of the latest version that was kept whole. */
async function keptPage(): Promise<Response | undefined> {
  for (const name of (await caches.keys()).reverse()) {
    const page = name.startsWith(KEPT) && (await (await caches.open(name)).match(HOME, { ignoreVary: true }))
    if (page) return page
  }
  return undefined
}

/** A page as the server has it today; as it was kept, where no server answers. */
async function page(request: Request): Promise<Response> {
  const late = new Promise<undefined>((done) => setTimeout(done, PATIENCE))
  const asked = fetch(request)
  const found = await Promise.race([asked, late]).catch(() => undefined)
  if (found && found.status < 500) return found
  return (await keptPage().catch(() => undefined)) ?? found ?? asked
}

worker.addEventListener('install', () => void worker.skipWaiting()) // pages stay as they are: files are asked for by name
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const path = request.url.startsWith(HOME) ? request.url.slice(HOME.length) : undefined
  if (request.method !== 'GET' || path === undefined || NO_PAGES.test(path)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (LASTING.test(path)) {
    const kept = caches.match(request, { ignoreVary: true }).catch(() => undefined)
    event.respondWith(kept.then((found) => found ?? fetch(request)))
  }
})
