// The service worker: the app starts, and this device's content opens, without a network. It caches nothing by itself:
// pages cache what they needed to start (lib/precache.ts), so that a first visit fetches nothing twice. The build
// writes its version above, so that a browser notices a new one. It shows push messages, too.
/// <reference lib="webworker" />

export {} // a module of its own: what it names is not the page's
const worker = globalThis as unknown as ServiceWorkerGlobalScope
const KEPT = 'landfall-app-' // as in lib/precache.ts; this file has no imports
const HOME = new URL('./', worker.location.href).href
const PATIENCE = 4000 // ms for a page; a network that does not respond counts as none
const NO_PAGES = /^(api|docs|metrics|licences)\b/ // served by the server only
const LASTING = /^(assets|here\/\d[^/]*)\// // named by their hashes: a cached copy is current

/** The page of the latest version that was cached completely. */
async function cachedPage(): Promise<Response | undefined> {
  for (const name of (await caches.keys()).reverse()) {
    const page = name.startsWith(KEPT) && (await (await caches.open(name)).match(HOME, { ignoreVary: true }))
    if (page) return page
  }
  return undefined
}

/** The server's current page; the cached one if no server responds. */
async function fetchPageOrCached(request: Request): Promise<Response> {
  const late = new Promise<undefined>((done) => setTimeout(done, PATIENCE))
  const asked = fetch(request)
  const found = await Promise.race([asked, late]).catch(() => undefined)
  if (found && found.status < 500) return found
  return (await cachedPage().catch(() => undefined)) ?? found ?? asked
}

// pages are not affected: files are requested by hashed names
worker.addEventListener('install', () => void worker.skipWaiting())
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const path = request.url.startsWith(HOME) ? request.url.slice(HOME.length) : undefined
  if (request.method !== 'GET' || path === undefined || NO_PAGES.test(path)) return
  if (request.mode === 'navigate') event.respondWith(fetchPageOrCached(request))
  else if (LASTING.test(path)) {
    const kept = caches.match(request, { ignoreVary: true }).catch(() => undefined)
    event.respondWith(kept.then((found) => found ?? fetch(request)))
  }
})

// --- push messages: what the server's web/push.py sends

interface PushMessage {
  kind: string
  title: string
  body: string
  tag: string
  path: string
  /** The tables at which it is our turn. */
  waiting: string[]
}
const TURN = 'turn '
const EVERY = `${TURN}*` // several tables in one message

/** Show a message in place of older ones about the same; those about turns that were made meanwhile go. */
async function showPushNotification(message: PushMessage): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const old of await worker.registration.getNotifications()) {
    const table = old.tag.startsWith(TURN) ? old.tag.slice(TURN.length) : undefined
    if (table === undefined || old.tag === message.tag) continue
    if (message.tag === EVERY || (old.tag !== EVERY && !message.waiting.includes(table))) old.close()
  }
  const url = new URL(`.${message.path}`, HOME).href
  if (pages.some((page) => page.url === url && page.visibilityState === 'visible')) return
  await worker.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    icon: new URL('icon-192.png', HOME).href,
    data: url,
  })
}

/** Open what a message is about: in its own page if there is one, else in any, else in a new one. */
async function focusOrOpenPage(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((one) => one.url === url)
  if (page) await page.focus()
  else await worker.clients.openWindow(url)
}

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showPushNotification(event.data.json() as PushMessage))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(focusOrOpenPage(event.notification.data as string))
})
