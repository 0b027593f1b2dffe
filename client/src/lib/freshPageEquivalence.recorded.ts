// @vitest-environment happy-dom
// Non-interference: what a page holds in memory after an evening (recorded server messages in the file
// LANDFALL_RECORDED_MESSAGES) must equal what a newly connected page of the same seat holds.
// `tests/tables/test_memory.py` writes the file and runs this.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveTable } from './liveTable.svelte'
import { settings } from './settings.svelte'
import { FakeSocket } from './socket.fake'
import type { Command, ServerMessage } from './wire'

type Step =
  | { open: number | null }
  | { receive: ServerMessage }
  | { cut: true }
  | { play: number }
  | { undo: true }
  | { fresh: ServerMessage[] }

// What may differ, and why it reveals nothing.
const APART = [
  'era', // counts changes of what is drawn
  'resetCount',
  'count', // makes ids
  'sentAs', // an id, made of the time and chance
  'undoing', // ids
  'sentBy', // the seat of this page's last command
  'spoke', // who spoke since this page looked at the chat
  'sent', // the commands of a fake socket
  'socket',
  'lastMessageAt', // times and timers
  'timer',
  'pulse',
  'nod',
  'tries',
  'resumed', // how the page connected
  'asked',
  'since',
  'played', // how many choices may be undone
  'placed', // the same for a placement in the set-up
  'deeds', // which of the table's controls one has used
  'unread', // unread chat lines
  'at', // when a clock was received
  'dueSince', // when a question was received
  'watching', // a new page is not yet counted
  'here',
  'chat', // an old page has received more of it
]

/** Everything an object holds, private fields included, as plain data. */
function snapshotState(of: unknown, depth = 0): unknown {
  if (typeof of === 'function') return undefined
  if (typeof of !== 'object' || of === null) return of
  if (of instanceof Map || of instanceof Set) return [...of].map((one: unknown) => snapshotState(one, depth + 1))
  if (Array.isArray(of)) return of.map((one) => snapshotState(one, depth + 1))
  const held: Record<string, unknown> = {}
  const names = new Set(Object.keys(of))
  for (let kind = Object.getPrototypeOf(of) as object | null; kind && kind !== Object.prototype;) {
    for (const [name, what] of Object.entries(Object.getOwnPropertyDescriptors(kind))) if (what.get) names.add(name)
    kind = Object.getPrototypeOf(kind) as object | null
  }
  for (const name of names) {
    if (APART.includes(name)) continue
    const kept = snapshotState((of as Record<string, unknown>)[name], depth + 1)
    if (kept !== undefined) held[name] = kept
  }
  return held
}

/** A page that receives the recorded messages. */
class RecordedSessionPage {
  live = new LiveTable('recorded')
  private ids = new Map<string, string>() // recorded ids, by the ids of this page
  private waiting: string[] = []

  constructor() {
    FakeSocket.last.acceptConnection()
  }
  receive(news: ServerMessage): void {
    if ((news.t === 'ack' || news.t === 'refused') && news.id) {
      const mine = this.ids.get(news.id) ?? this.waiting.shift()
      if (mine) {
        this.ids.set(news.id, mine)
        news = { ...news, id: mine }
      }
    }
    FakeSocket.last.receiveFromServer(news)
  }
  /** Repeat an action, and remember its id. */
  async doAndRememberId(act: () => void): Promise<void> {
    await vi.advanceTimersByTimeAsync(0)
    const before = FakeSocket.last.sent.length
    act()
    for (const command of FakeSocket.last.sent.slice(before) as (Command & { id?: string })[])
      if (command.id) this.waiting.push(command.id)
  }
  async applyStep(step: Step): Promise<void> {
    if ('receive' in step) this.receive(step.receive)
    else if ('cut' in step) FakeSocket.last.breakConnection()
    else if ('open' in step && step.open !== null) {
      await vi.advanceTimersByTimeAsync(6000)
      expect(FakeSocket.last.url).toContain(`after=${step.open}`)
      FakeSocket.last.acceptConnection()
    } else if ('undo' in step) await this.doAndRememberId(() => this.live.undo())
    else if ('play' in step) {
      await vi.advanceTimersByTimeAsync(0)
      const choice = this.live.choices.find((one) => one.action === step.play)
      expect(choice, 'what was chosen is offered').toBeDefined()
      await this.doAndRememberId(() => this.live.choose(choice!))
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.install()
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network in tests')))
  settings.speed = 'none'
  settings.confirm = false
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const evenings = JSON.parse(readFileSync(process.env.LANDFALL_RECORDED_MESSAGES!, 'utf8')) as Record<string, Step[]>

/** Replay an evening; `compare` gets the state of this page and that of a newly connected one. */
async function replayRecordedSession(
  steps: Step[],
  compare: (kept: unknown, fresh: unknown, at: number) => void,
): Promise<number> {
  const page = new RecordedSessionPage()
  let compared = 0
  for (const [at, step] of steps.entries()) {
    await page.applyStep(step)
    if (!('fresh' in step)) continue
    await vi.advanceTimersByTimeAsync(0)
    page.live.notice = null // dismiss the notice
    const socket = FakeSocket.all.pop()!
    const newcomer = new RecordedSessionPage()
    for (const news of step.fresh) newcomer.receive(news)
    await vi.advanceTimersByTimeAsync(0)
    expect(newcomer.live.events.length).toBeGreaterThan(0)
    expect(newcomer.live.seen).toBe(newcomer.live.events.length)
    compare(snapshotState(page.live), snapshotState(newcomer.live), at)
    newcomer.live.closeConnection()
    FakeSocket.all = [socket]
    compared++
  }
  page.live.closeConnection()
  return compared
}

for (const [name, steps] of Object.entries(evenings))
  test(`${name}: an old page holds what a new one receives`, async () => {
    const compared = await replayRecordedSession(steps, (kept, fresh, at) =>
      expect(kept, `after ${at} steps`).toStrictEqual(fresh),
    )
    expect(compared).toBeGreaterThan(4)
  })

test('a client that keeps outdated events is found', async () => {
  const hasReset = (steps: (typeof evenings)[string]) =>
    steps.some((step) => 'receive' in step && 'again' in step.receive)
  const steps = Object.values(evenings).find(hasReset)!
  const deaf = steps.map((step) =>
    'receive' in step ? { receive: { ...step.receive, again: undefined } as ServerMessage } : step,
  )
  const wrong: string[] = []
  await replayRecordedSession(deaf, (kept, fresh) => {
    const [mine, theirs] = [kept, fresh].map((one) => JSON.stringify((one as { events: unknown }).events))
    if (mine !== theirs) wrong.push(mine!)
  })
  expect(wrong.length).toBeGreaterThan(0)
  expect(wrong.every((events) => events.includes('"value":'))).toBe(true)
})
