// The lobby's socket: one's own search for a table, and who waits. It stays open while one looks for a table, whatever
// page is shown: without it the search ends.
import { Connection } from './connection.svelte'
import { ensureSession } from './currentUser.svelte'
import { ask, post } from './http'
import { t } from './i18n.svelte'
import { STATIC_SITE } from './offline'
import { go, route } from './router.svelte'
import { SEARCH_KEY as KEY, searching } from './searching.svelte'
import { play } from './sound'
import { LOBBY } from './transport'
import type { LobbyMessage, SearchInfo, ServerMessage, WaitingInfo } from './wire'

export interface SearchTerms {
  games: string[]
  sizes: number[]
  pace: 'quarter' | 'day' | 'three_days' | 'week'
  rated: boolean
  bots: string
}

const FIRST: SearchTerms = { games: [], sizes: [2, 3, 4], pace: 'quarter', rated: false, bots: 'marlin' }
export const FOUND_MS = 2600 // that a page says so before the table opens

interface Stored {
  terms: SearchTerms
  looking: boolean
}

function stored(): Stored {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>
    return { terms: { ...FIRST, ...kept.terms }, looking: kept.looking ?? false }
  } catch {
    return { terms: FIRST, looking: false }
  }
}

/** Remember what was looked for last, and whether the search may still go on. */
function store(what: Partial<Stored>): void {
  searching.active = what.looking ?? searching.active
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...what }))
  } catch {
    // without storage nothing is remembered
  }
}

class Lobby {
  search: SearchInfo | null = $state.raw(null)
  waiting: WaitingInfo[] = $state.raw([])
  /** The table that was found, until it is opened. */
  found: string | null = $state(null)
  /** When the last news of the search came, by this device's clock. */
  receivedAt = $state(0)
  asked = $state(false)
  connection: Connection | undefined = $state.raw()
  private viewers = 0
  private opened = new Set<string>() // tables that were found and opened already

  constructor() {
    if (!STATIC_SITE && stored().looking) this.connect()
  }

  /** The last terms. */
  get terms(): SearchTerms {
    return stored().terms
  }

  /** A page shows the lobby: connect while it does. Returns what ends it. */
  use(): () => void {
    this.viewers++
    this.connect()
    return () => {
      this.viewers--
      this.rest()
    }
  }

  async look(terms: SearchTerms): Promise<void> {
    await ensureSession(t('shell.guest'))
    store({ terms, looking: true })
    this.found = null
    this.connect()
    await post('/api/search', terms)
  }

  async stop(): Promise<void> {
    store({ looking: false })
    await ask('DELETE', '/api/search')
  }

  callBots(): Promise<void> {
    return post('/api/search/bots')
  }

  /** Who we are has changed. */
  renew(): void {
    this.connection?.renew()
  }

  /** Go to the table that was found. */
  open(): void {
    const table = this.found
    if (table === null) return
    this.opened.add(table)
    this.found = null
    store({ looking: false })
    go(`/t/${table}`)
    this.rest()
  }

  private connect(): void {
    if (STATIC_SITE) return
    this.connection ??= new Connection(LOBBY, (news) => this.receive(news))
  }

  private rest(): void {
    if (this.viewers > 0 || this.search || this.found || !this.connection) return
    this.connection.close()
    this.connection = undefined
    this.asked = false
  }

  private receive(news: ServerMessage): void {
    if (news.t === 'lobby') this.take(news)
  }

  private take(news: LobbyMessage): void {
    if (news.waiting) this.waiting = news.waiting
    if (news.search !== undefined) {
      this.search = news.search
      this.receivedAt = Date.now()
      this.asked = true
    }
    if (news.found && !this.opened.has(news.found) && stored().looking && this.found !== news.found) {
      this.found = news.found
      play('turn')
      // At another table nobody is torn away from it; elsewhere it opens by itself, for its clock runs.
      setTimeout(() => !route.path.startsWith('/t/') && this.open(), FOUND_MS)
    }
    if (news.search === null && !this.found) this.rest()
  }
}

export const lobby = new Lobby()
