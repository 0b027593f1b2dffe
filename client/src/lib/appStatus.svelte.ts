// The app's status: server reachable, newer version available, installable. It never reloads a page by itself.
import { STATIC_SITE } from './offline'
import { precachePage, isOutdated } from './precache'

const VISITS = 'landfall.visits'
const RESTS = 'landfall.install.rests' // no install prompt until then
const MONTH = 30 * 24 * 3600 * 1000
const FOREVER = Number.MAX_SAFE_INTEGER
const LOOK = 3600 * 1000 // ms between two checks for a newer version

/** The event of browsers that can install pages. */
interface Offer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

class App {
  /** `offline`: the device has no network; `gone`: it has one, but the server does not respond. */
  line: 'online' | 'offline' | 'gone' = $state(navigator.onLine ? 'online' : 'offline')
  newer = $state(false)
  /** How it can be installed: by a button, by the browser's menu, or not at all. */
  install: 'button' | 'menu' | 'no' = $state('no')
  /** Whether the last check for a newer version got no response. */
  unsure = false
  private offer: Offer | undefined

  constructor() {
    addEventListener('online', () => {
      this.line = 'online'
      if (this.unsure) void checkForNewVersion()
    })
    addEventListener('offline', () => (this.line = 'offline'))
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault()
      this.offer = event as Offer
      this.install = shouldOfferInstall() ? 'button' : 'no'
    })
    addEventListener('appinstalled', () => (this.install = 'no'))
    if (/iPhone|iPad/.test(navigator.userAgent) && shouldOfferInstall()) this.install = 'menu'
  }

  /** Record whether a request was answered; on a static site a cached response says nothing about the network. */
  recordReachability(answered: boolean): void {
    if (STATIC_SITE) return
    this.line = answered ? 'online' : navigator.onLine ? 'gone' : 'offline'
    if (answered && this.unsure) void checkForNewVersion()
  }

  async promptInstall(): Promise<void> {
    await this.offer?.prompt()
    this.install = 'no'
  }

  declineInstall(ever = false): void {
    localStorage.setItem(RESTS, String(ever ? FOREVER : Date.now() + MONTH))
    this.install = 'no'
  }
}

/** From the second visit on, unless it is installed or was declined. */
function shouldOfferInstall(): boolean {
  try {
    return (
      !matchMedia('(display-mode: standalone)').matches &&
      Number(localStorage.getItem(VISITS)) > 1 &&
      Date.now() > Number(localStorage.getItem(RESTS))
    )
  } catch {
    return false
  }
}

function countVisit(): void {
  try {
    if (sessionStorage.getItem(VISITS) !== null) return
    sessionStorage.setItem(VISITS, '1')
    localStorage.setItem(VISITS, String(Number(localStorage.getItem(VISITS)) + 1))
  } catch {
    // without storage every visit is the first
  }
}

countVisit()
export const app = new App()

/** Called after the first render: cache what the page needed, and check for newer versions from time to time. */
export async function precacheAndWatchVersion(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const found = await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`)
  found.addEventListener('updatefound', () => void checkForNewVersion())
  let last = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - last < LOOK) return
    last = Date.now()
    void found.update().catch(() => undefined)
  })
  await navigator.serviceWorker.ready
  app.unsure ||= app.line !== 'online' // the cache may be older than the browser's own copy
  await precachePage()
}

async function checkForNewVersion(): Promise<void> {
  if (!navigator.serviceWorker.controller) return
  app.unsure = false
  const found = await isOutdated()
  app.unsure ||= found === undefined
  app.newer ||= found === true
}
