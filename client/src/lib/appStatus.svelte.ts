// The app as a whole: whether the server can be reached, whether there is a newer version, whether it can be installed.
// None of it ever reloads a page by itself.
import { STATIC_SITE } from './offline'
import { keep, isOutdated } from './precache'

const VISITS = 'landfall.visits'
const RESTS = 'landfall.install.rests' // until when nobody is asked
const MONTH = 30 * 24 * 3600 * 1000
const FOREVER = Number.MAX_SAFE_INTEGER
const LOOK = 3600 * 1000 // ms between two looks for a newer version

/** What a browser offers that can install pages. */
interface Offer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

class App {
  /** `offline`: this device has no network; `gone`: it has one, and no server answers. */
  line: 'online' | 'offline' | 'gone' = $state(navigator.onLine ? 'online' : 'offline')
  newer = $state(false)
  /** How it can be installed: by a button, by the browser's menu, or not at all. */
  install: 'button' | 'menu' | 'no' = $state('no')
  /** Whether a look for a newer version was in vain: the server did not answer then. */
  unsure = false
  private offer: Offer | undefined

  constructor() {
    addEventListener('online', () => {
      this.line = 'online'
      if (this.unsure) void look()
    })
    addEventListener('offline', () => (this.line = 'offline'))
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault()
      this.offer = event as Offer
      this.install = wanted() ? 'button' : 'no'
    })
    addEventListener('appinstalled', () => (this.install = 'no'))
    if (/iPhone|iPad/.test(navigator.userAgent) && wanted()) this.install = 'menu'
  }

  /** What became of a question to the server; where files are all there is, a kept one says nothing of the network. */
  heard(parseAnswer: boolean): void {
    if (STATIC_SITE) return
    this.line = parseAnswer ? 'online' : navigator.onLine ? 'gone' : 'offline'
    if (parseAnswer && this.unsure) void look()
  }

  async add(): Promise<void> {
    await this.offer?.prompt()
    this.install = 'no'
  }

  notNow(ever = false): void {
    localStorage.setItem(RESTS, String(ever ? FOREVER : Date.now() + MONTH))
    this.install = 'no'
  }
}

/** From the second visit on, unless it is installed, or somebody said not now. */
function wanted(): boolean {
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

function count(): void {
  try {
    if (sessionStorage.getItem(VISITS) !== null) return
    sessionStorage.setItem(VISITS, '1')
    localStorage.setItem(VISITS, String(Number(localStorage.getItem(VISITS)) + 1))
  } catch {
    // a browser that keeps nothing is always at its first visit
  }
}

count()
export const app = new App()

/** Called once the page speaks: keep what it needed, and look now and then whether there is something newer. */
export async function settle(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const found = await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`)
  found.addEventListener('updatefound', () => void look())
  let last = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - last < LOOK) return
    last = Date.now()
    void found.update().catch(() => undefined)
  })
  await navigator.serviceWorker.ready
  app.unsure ||= app.line !== 'online' // what was kept may be older than what the browser has seen meanwhile
  await keep()
}

async function look(): Promise<void> {
  if (!navigator.serviceWorker.controller) return
  app.unsure = false
  const found = await isOutdated()
  app.unsure ||= found === undefined
  app.newer ||= found === true
}
