// The tile that just sank: its back, who fell, and the consequences. Collected from events as they are drawn.
import type { GameEvent, Scene } from '../sceneTypes'
import { animationTimeFactor } from '../../../lib/settings.svelte'

export interface Sunk {
  seat: number
  terrain: string
  at: string
  /** Its back; '' if it went to a hand unseen. */
  back: string
  kept: boolean
  fell: string[]
  gone: GameEvent[]
  came: GameEvent[]
}

const STAYS = 4200
const LATER = ['rolled', 'turn', 'placed']
const LOSSES = ['removed', 'swallowed', 'creature_removed', 'wrecked']
const COMES = ['arrived', 'ship_came', 'taken_aboard', 'guarded']

export class Reveal {
  now: Sunk | null = $state.raw(null)
  private timer: ReturnType<typeof setTimeout> | undefined
  private open = false

  recordEvent = (event: GameEvent): void => {
    if (event.kind === 'sunk') {
      this.open = true
      this.showSunkTile({
        seat: event.seat as number,
        terrain: event.terrain as string,
        at: event.at as string,
        back: '',
        kept: false,
        fell: (event.fell as string[]) ?? [],
        gone: [],
        came: [],
      })
    } else if (!this.open || !this.now) {
      return
    } else if (event.kind === 'revealed') {
      this.showSunkTile({ ...this.now, back: event.back as string })
    } else if (event.kind === 'kept') {
      this.showSunkTile({ ...this.now, back: (event.back as string | undefined) ?? '', kept: true })
    } else if (LOSSES.includes(event.kind)) {
      this.showSunkTile({ ...this.now, gone: [...this.now.gone, event] })
    } else if (COMES.includes(event.kind)) {
      this.showSunkTile({ ...this.now, came: [...this.now.came, event] })
    } else if (LATER.includes(event.kind)) {
      this.open = false
    }
  }

  closeReveal = (): void => {
    clearTimeout(this.timer)
    this.now = null
  }

  private showSunkTile(sunk: Sunk): void {
    this.now = sunk
    clearTimeout(this.timer)
    this.timer = setTimeout(this.closeReveal, STAYS * Math.max(0.6, animationTimeFactor()))
  }
}

const reveals = new WeakMap<Scene, Reveal>()

/** The reveal of a scene: a card describes it, the board shows where. */
export function revealOf(scene: Scene): Reveal {
  let reveal = reveals.get(scene)
  if (!reveal) reveals.set(scene, (reveal = new Reveal()))
  return reveal
}

/** Follow a scene's events while a component is mounted. */
export function subscribeToEvents(scene: Scene, record: (event: GameEvent) => void): () => void {
  const listener = record as (event: { kind: string }) => void // a Survive scene emits only its own events
  scene.listeners.push(listener)
  return () => {
    scene.listeners = scene.listeners.filter((one) => one !== listener)
  }
}
