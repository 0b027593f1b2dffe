// @vitest-environment happy-dom
// A replay goes through a record's moments, forwards at its speed and anywhere at once.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Replay } from './replayScene.svelte'
import { settings } from './settings.svelte'

const moment = (actor: number, phase: string, ...kinds: string[]) => ({
  actor,
  patch: { phase: [phase] },
  events: kinds.map((kind) => ({ kind })),
})
const RECORDING = {
  game: 'survive',
  players: 2,
  options: {},
  seats: ['Ana', 'Bo'],
  view: { game: 'survive', players: 2, actor: 0, phase: 'deal', ask: '' },
  moments: [moment(-1, 'dealt', 'tile'), moment(0, 'one', 'a'), moment(1, 'two', 'b', 'c'), moment(-2, 'end')],
}

let replay: Replay
beforeEach(async () => {
  vi.useFakeTimers()
  settings.speed = 'none'
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = url.startsWith('/api/replay') ? RECORDING : []
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  })
  replay = new Replay(null, 'a record')
  await replay.showViewpoint('open')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('it begins after the deal; a moment shows its view and the events so far', () => {
  const states = [0, 1, 2, 3, 9, -1].map((at) => {
    replay.goToMoment(at)
    return [replay.at, replay.line, replay.view?.phase, replay.seen]
  })
  expect(states).toStrictEqual([
    [0, 1, 'dealt', 1],
    [1, 2, 'one', 2],
    [2, 3, 'two', 4],
    [3, 4, 'end', 4],
    [3, 4, 'end', 4],
    [0, 1, 'dealt', 1],
  ])
  expect(replay.names).toStrictEqual(['Ana', 'Bo'])
  expect(replay.isInteractive).toBe(false)
})

test('twice the speed is half the time between moments; a moment without events does not wait', async () => {
  replay.speed = 2
  replay.startPlaying()
  await vi.advanceTimersByTimeAsync(0)
  expect(replay.at).toBe(1)
  await vi.advanceTimersByTimeAsync(300)
  expect(replay.at).toBe(1)
  await vi.advanceTimersByTimeAsync(50)
  expect(replay.at).toBe(2)
  replay.stopPlaying()
  await vi.advanceTimersByTimeAsync(2000)
  expect([replay.at, replay.running]).toStrictEqual([2, false])
  replay.stepForward()
  await vi.advanceTimersByTimeAsync(0)
  replay.startPlaying() // at the end it starts again
  await vi.advanceTimersByTimeAsync(0)
  expect(replay.at).toBe(1)
  replay.stepBack()
  expect([replay.at, replay.running]).toStrictEqual([0, false])
})
