// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Scene, expandChoiceRows, type GameEvent, type View } from './scene.svelte'
import { animationTimeFactor, settings } from './settings.svelte'

const view = (phase: string): View => ({ game: 'survive', players: 2, actor: 0, phase, ask: 'ask' })

class Drawn extends Scene {
  done: string[] = []
  bring(kinds: string[], phase: string): void {
    const events: GameEvent[] = kinds.map((kind) => ({ kind }))
    this.events = [...this.events, ...events]
    this.enqueueEvents(events.length, view(phase), () => this.done.push(phase))
  }
  stop(): void {
    this.dropAnimations()
  }
  choose(): void {}
  explainIllegalMove(): void {}
}

let scene: Drawn
beforeEach(() => {
  vi.useFakeTimers()
  settings.speed = 'normal'
  scene = new Drawn()
  scene.view = view('start')
  scene.animationStepsOf = (now, event) => [{ view: { ...now, phase: event.kind }, ms: 100 }]
})
afterEach(() => vi.useRealTimers())

test('events are drawn one after the other, then the view they led to', async () => {
  scene.bring(['a', 'b'], 'end')
  expect(scene.busy).toBe(true)
  expect(scene.view?.phase).toBe('a')
  expect(scene.seen).toBe(1)
  await vi.advanceTimersByTimeAsync(105)
  expect(scene.view?.phase).toBe('b')
  expect(scene.seen).toBe(2)
  expect(scene.done).toStrictEqual([])
  await vi.advanceTimersByTimeAsync(105)
  expect(scene.view?.phase).toBe('end')
  expect(scene.done).toStrictEqual(['end'])
  expect(scene.busy).toBe(false)
})

test('skipping shows the end at once, and what waits with it', async () => {
  scene.bring(['a'], 'one')
  scene.bring(['b'], 'two')
  scene.skipCurrentAction()
  await vi.advanceTimersByTimeAsync(0)
  expect(scene.view?.phase).toBe('two')
  expect(scene.done).toStrictEqual(['one', 'two'])
  expect(scene.seen).toBe(2)
})

test('the board rests before an event, at every speed; a skip ends only the rest', async () => {
  scene.restBeforeEvent = (event) => (event.kind === 'b' ? 1000 : 0)
  scene.bring(['a', 'b', 'c'], 'end')
  await vi.advanceTimersByTimeAsync(900)
  expect([scene.view?.phase, scene.seen]).toStrictEqual(['a', 1])
  scene.skipCurrentAction()
  await vi.advanceTimersByTimeAsync(10)
  expect([scene.view?.phase, scene.seen]).toStrictEqual(['b', 2])
  await vi.advanceTimersByTimeAsync(500)
  expect(scene.view?.phase).toBe('end')
  settings.speed = 'none'
  scene.bring(['b'], 'still')
  await vi.advanceTimersByTimeAsync(900)
  expect(scene.view?.phase).toBe('end')
  await vi.advanceTimersByTimeAsync(200)
  expect(scene.view?.phase).toBe('still')
})

test('what was forgotten is not drawn any more', async () => {
  scene.bring(['a', 'b'], 'one')
  scene.stop()
  scene.view = view('jumped')
  await vi.advanceTimersByTimeAsync(500)
  expect(scene.view.phase).toBe('jumped')
  expect(scene.done).toStrictEqual([])
  scene.bring(['c'], 'two') // it continues
  await vi.advanceTimersByTimeAsync(105)
  expect(scene.view?.phase).toBe('two')
})

test('an animation that was dropped draws none of its further steps', async () => {
  scene.animationStepsOf = (now) => ['one', 'two', 'three'].map((phase) => ({ view: { ...now, phase }, ms: 100 }))
  scene.bring(['a'], 'end')
  expect(scene.view?.phase).toBe('one')
  scene.stop()
  scene.view = view('undone')
  await vi.advanceTimersByTimeAsync(1000)
  expect(scene.view.phase).toBe('undone')
})

test('no motion, no waiting; every listener gets every event', () => {
  settings.speed = 'none'
  const received: string[] = []
  scene.listeners.push((event, quick) => received.push(`${event.kind}${quick}`))
  scene.bring(['a', 'b'], 'end')
  expect(scene.view?.phase).toBe('end')
  expect(received).toStrictEqual(['atrue', 'btrue'])
})

test('the more events wait, the shorter each animation and all that moves with it', async () => {
  scene.bring(['a'], 'one')
  expect(animationTimeFactor()).toBe(0.75)
  for (let n = 0; n < 5; n++) scene.bring(['b', 'c', 'd', 'e'], `end${n}`)
  await vi.advanceTimersByTimeAsync(76)
  expect(scene.view?.phase).toBe('b')
  expect(animationTimeFactor()).toBeLessThan(0.3)
  await vi.advanceTimersByTimeAsync(1000) // at the usual pace 1500
  expect(scene.view?.phase).toBe('end4')
  expect(animationTimeFactor()).toBe(0.75)
})

test('long absence is caught up without animation', async () => {
  scene.bring(Array<string>(80).fill('a'), 'end')
  await vi.advanceTimersByTimeAsync(0)
  expect(scene.view?.phase).toBe('end')
})

test('a board that cannot draw an event does not stop the table', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  scene.animationStepsOf = () => {
    throw new Error('no')
  }
  scene.bring(['a'], 'end')
  await vi.advanceTimersByTimeAsync(0)
  expect(scene.view?.phase).toBe('end')
  expect(error).toHaveBeenCalled()
})

test('choices are spread from their groups', () => {
  expect(
    expandChoiceRows([{ verb: 'walk', keys: ['piece', 'action', 'text'], rows: [['r1', 5, 'r1 NE']] }]),
  ).toStrictEqual([{ verb: 'walk', piece: 'r1', action: 5, text: 'r1 NE' }])
})

test('colours are drawn as the seats chose them', () => {
  const person = { name: '', short: '', bot: null, away: null, here: true, you: false, reader: false }
  scene.palette = ['red', 'yellow', 'green']
  scene.people = [
    { ...person, colour: 'green' },
    { ...person, colour: 'red' },
  ]
  expect([
    scene.displayColourOf('red'),
    scene.displayColourOf('yellow'),
    scene.displayColourOf('green'),
    scene.displayColourOf('none'),
  ]).toStrictEqual(['green', 'red', 'yellow', 'none'])
})
