// The lobby's socket: public tables, who is here, who waits, and one's own search for a table. It stays open while one
// looks for a table, whatever page is shown: without it the search ends.
import { untrack } from 'svelte'
import { Connection } from './connection.svelte'
import { ensureSession } from './currentUser.svelte'
import { sendRequest, post } from './http'
import { t } from './i18n.svelte'
import { STATIC_SITE } from './offline'
import { navigateTo, route } from './router.svelte'
import { SEARCH_KEY as KEY, searching } from './searchStatus.svelte'
import { playMotif } from './sound'
import { LOBBY } from './transport'
import type { HereInfo, HerePerson, LobbyMessage, LobbyTable, SearchInfo, ServerMessage, WaitingInfo } from './wire'

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

function readStoredSearch(): Stored {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>
    return { terms: { ...FIRST, ...kept.terms }, looking: kept.looking ?? false }
  } catch {
    return { terms: FIRST, looking: false }
  }
}

/** Remember what was looked for last, and whether the search may still go on. */
function storeSearch(what: Partial<Stored>): void {
  searching.active = what.looking ?? searching.active
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readStoredSearch(), ...what }))
  } catch {
    // without storage nothing is remembered
  }
}

class Lobby {
  search: SearchInfo | null = $state.raw(null)
  waiting: WaitingInfo[] = $state.raw([])
  /** Public tables by id; undefined until they have come. */
  tables: Record<string, LobbyTable> | undefined = $state.raw()
  here: HereInfo | undefined = $state.raw()
  followed: HerePerson[] = $state.raw([])
  /** How often something of one's own has changed. */
  homeChanges = $state(0)
  /** When the last message came, by this device's clock. */
  lastMessageAt = $state(0)
  /** The table that was found, until it is opened. */
  found: string | null = $state(null)
  /** When the last news of the search came, by this device's clock. */
  searchUpdatedAt = $state(0)
  asked = $state(false)
  connection: Connection | undefined = $state.raw()
  private viewers = 0
  private opened = new Set<string>() // tables that were found and opened already

  constructor() {
    if (!STATIC_SITE && readStoredSearch().looking) this.connect()
  }

  /** The last terms. */
  get lastSearchTerms(): SearchTerms {
    return readStoredSearch().terms
  }

  /** A page shows the lobby: connect while it does. Returns what ends it. */
  connectWhileUsed(): () => void {
    this.viewers++
    untrack(() => this.connect())
    return () => {
      this.viewers--
      untrack(() => this.disconnectIfUnused())
    }
  }

  async startSearch(terms: SearchTerms): Promise<void> {
    await ensureSession(t('shell.guest'))
    storeSearch({ terms, looking: true })
    this.found = null
    this.connect()
    await post('/api/search', terms)
  }

  async stopSearch(): Promise<void> {
    storeSearch({ looking: false })
    await sendRequest('DELETE', '/api/search')
  }

  requestBots(): Promise<void> {
    return post('/api/search/bots')
  }

  /** Who we are has changed. */
  reconnectAsUser(): void {
    this.connection?.reconnectFromStart()
  }

  /** Go to the table that was found. */
  goToFoundTable(): void {
    const table = this.found
    if (table === null) return
    this.opened.add(table)
    this.found = null
    storeSearch({ looking: false })
    navigateTo(`/t/${table}`)
    this.disconnectIfUnused()
  }

  private connect(): void {
    if (STATIC_SITE) return
    this.connection ??= new Connection(LOBBY, (news) => this.handleMessage(news))
  }

  private disconnectIfUnused(): void {
    if (this.viewers > 0 || this.search || this.found || !this.connection) return
    this.connection.close()
    this.connection = undefined
    this.asked = false
  }

  private handleMessage(news: ServerMessage): void {
    if (news.t === 'lobby') this.applyLobbyMessage(news)
  }

  private mergeChangedTables(changed: Record<string, LobbyTable | null>, fresh: boolean): void {
    const now: Record<string, LobbyTable | null> = { ...(fresh ? {} : this.tables), ...changed }
    this.tables = Object.fromEntries(Object.entries(now).filter(([, row]) => row !== null)) as Record<
      string,
      LobbyTable
    >
  }

  private applyLobbyMessage(news: LobbyMessage): void {
    this.lastMessageAt = Date.now()
    if (news.waiting) this.waiting = news.waiting
    if (news.tables) this.mergeChangedTables(news.tables, news.fresh ?? false)
    if (news.here) this.here = news.here
    if (news.followed) this.followed = news.followed
    if (news.home) this.homeChanges++
    if (news.search !== undefined) {
      this.search = news.search
      this.searchUpdatedAt = Date.now()
      this.asked = true
    }
    if (news.found && !this.opened.has(news.found) && readStoredSearch().looking && this.found !== news.found) {
      this.found = news.found
      playMotif('turn')
      // At another table nobody is torn away from it; elsewhere it opens by itself, for its clock runs.
      setTimeout(() => !route.path.startsWith('/t/') && this.goToFoundTable(), FOUND_MS)
    }
    if (news.search === null && !this.found) this.disconnectIfUnused()
  }
}

export const lobby = new Lobby()
