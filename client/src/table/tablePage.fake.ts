// A table's page in a test: mounted as in a browser, with the test as its server.
import { flushSync, mount, tick, unmount } from 'svelte'
import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import type { RecordedPosition } from '../games/recordedPosition'
import { expandChoiceRows, type Choice } from '../lib/scene.svelte'
import { applyPatch } from '../lib/patch'
import { settings } from '../lib/settings.svelte'
import { FakeSocket } from '../lib/socket.fake'
import type { Command, TableInfo, Welcome } from '../lib/wire'
import Table from '../pages/Table.svelte'

const NAMES = ['Ana', 'Bo', 'Cem', 'Dana', 'Eli', 'Fay']
const COLOURS = ['red', 'yellow', 'green', 'blue', 'purple', 'white']

const GAMES = ['survive', 'atlantis', 'atlandice'].map((name) => ({
  name,
  counts: [2, 3, 4],
  colours: COLOURS,
  options: [],
}))
const KNOWN: Record<string, string> = {
  '/api/games': JSON.stringify(GAMES),
  '/api/bots': JSON.stringify([{ level: 'sprat' }, { level: 'kraken' }]),
}

/** What the server answers to requests: games, bots and texts; nothing else is found. */
function answerRequest(url: string): Response {
  const texts = /^\/api\/games\/(\w+)\/texts\/(\w+)$/.exec(url)
  const file = texts && `../src/landfall/games/${texts[1]}/content/texts/${texts[2]}.json`
  const found = file ? readFileSync(file, 'utf8') : KNOWN[url]
  return new Response(found ?? '{}', { status: found ? 200 : 404, headers: { 'content-type': 'application/json' } })
}

/** What browsers have and happy-dom lacks. */
function completeDocument(): void {
  Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
}

export class TablePage {
  readonly choices: Choice[]
  private readonly page: ReturnType<typeof mount>

  private constructor(
    readonly position: RecordedPosition,
    table: Partial<TableInfo>,
    welcome: Partial<Welcome>,
  ) {
    document.body.innerHTML = ''
    completeDocument()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }) // a slow machine is no lost connection
    FakeSocket.install()
    vi.stubGlobal('fetch', async (url: string) => answerRequest(url))
    this.choices = expandChoiceRows(position.choices)
    this.page = mount(Table, { target: document.body, props: { path: ['tab'] } })
    FakeSocket.last.acceptConnection()
    const { view, seat, events, choices, options } = position
    const players = view.players
    const info: TableInfo = {
      t: 'table',
      n: 1,
      id: 'tab',
      game: view.game,
      rules: 1,
      players,
      options,
      status: view.actor === -2 ? 'over' : 'playing',
      chairs: NAMES.slice(0, players).map((name, i) => ({ name, who: name, colour: COLOURS[i]!, here: true })),
      owner: NAMES[0]!,
      clock: { mode: 'none' },
      ended: view.actor === -2 ? 'finished' : null,
      ...table,
    }
    const first: Welcome = { t: 'welcome', n: 1, version: 1, table: info, you: NAMES[seat]!, seats: [seat], seat, view }
    FakeSocket.last.receiveFromServer({ ...first, choices, first: 0, events, ...welcome })
  }

  /** The page once it is drawn. */
  static async open(
    position: RecordedPosition,
    table: Partial<TableInfo> = {},
    welcome: Partial<Welcome> = {},
  ): Promise<TablePage> {
    Object.assign(settings, { speed: 'none', confirm: false, askBridge: true, recap: false })
    const page = new TablePage(position, table, welcome)
    await vi.waitUntil(() => document.querySelector('[data-game], [role=group]'), { timeout: 150_000 })
    await page.settle()
    return page
  }

  /** Everything that follows from what happened is drawn, parts that are loaded for it (films) included. */
  async settle(): Promise<void> {
    flushSync()
    await vi.dynamicImportSettled()
    await tick()
    await new Promise((done) => setTimeout(done))
    flushSync()
  }

  /** What was sent since the last call. */
  takeSent(): Command[] {
    return FakeSocket.last.sent.splice(0)
  }
  hasSent(kind: Command['t']): boolean {
    return FakeSocket.last.sent.some((command) => command.t === kind)
  }

  /** What the board draws: the data, states and pictures of its elements. */
  outline(): string[] {
    const found: string[] = []
    for (const one of document.querySelectorAll<HTMLElement>('[data-game] > :first-child *')) {
      const state = ['aria-current', 'aria-selected', 'href', 'cx', 'cy'].flatMap((name) => {
        const value = one.getAttribute(name)
        return value === null ? [] : [`${name}=${value}`]
      })
      if (one.dataset.testid === 'positions') continue // their numbers are shown while somebody's move is
      if (one.closest('[data-testid=films]')?.querySelector('[data-film=false]')) continue // loaded when first wanted
      if (one.dataset.testid === 'films') continue
      const data = Object.entries(one.dataset).map(([name, value]) => `${name}=${value}`)
      if (data.length + state.length) found.push([one.tagName, ...data.sort(), ...state].join(' '))
    }
    return found
  }

  /** The position to which the update leads. */
  positionAfter(): RecordedPosition {
    const { view, events, next } = this.position
    const after = { view: applyPatch(view, next!.patch), choices: next!.choices, events: [...events, ...next!.events] }
    return { ...this.position, ...after, next: null }
  }

  /** The server refuses a choice. */
  refuse(id: string): void {
    FakeSocket.last.receiveFromServer({ t: 'refused', code: 'illegal', key: 'table.illegal', id })
    flushSync()
  }

  /** The update that followed in the recorded match. */
  async receiveNext(): Promise<void> {
    const { patch, choices, events } = this.position.next!
    const first = this.position.events.length
    FakeSocket.last.receiveFromServer({ t: 'update', n: 2, version: 2, patch, choices, first, events })
    await this.settle()
  }

  close(): Promise<void> {
    const closed = unmount(this.page)
    vi.unstubAllGlobals()
    vi.useRealTimers()
    return closed
  }
}
