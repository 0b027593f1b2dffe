// What a board draws: a view, what may be chosen in it, and what is happening just now. Live tables and replays fill it.
import type { Choices } from './wire'
import { pace } from './settings.svelte'

export type View = Record<string, unknown> & { game: string; players: number; actor: number; phase: string; ask: string }
export type GameEvent = Record<string, unknown> & { kind: string }
export type Choice = Record<string, unknown> & { verb: string; action: number; text: string; loses?: string[] }
export interface Person {
  name: string
  colour: string
  bot: string | null
  away: string | null
  here: boolean
  you: boolean
}

/** One moment of an animation: the view drawn from now on, an effect over it, and how long it lasts. */
export interface Stage {
  view?: View
  effect?: Effect
  ms: number
}
/** Something drawn only while it happens; what kinds there are is each board's own. */
export type Effect = Record<string, unknown> & { kind: string }

/** How a game turns one event into moments; registered by its room. */
export type Stages = (view: View, event: GameEvent) => Stage[]

export function spread(groups: Choices[]): Choice[] {
  return groups.flatMap((group) =>
    group.rows.map((row) => {
      const words: Record<string, unknown> = { verb: group.verb }
      group.keys.forEach((key, i) => (words[key] = row[i]))
      return words as Choice
    }),
  )
}

export abstract class Scene {
  game = $state('')
  options: Record<string, unknown> = $state.raw({})
  people: Person[] = $state.raw([])
  /** The seat whose eyes these are; null is a spectator. */
  seat: number | null = $state(null)
  /** What is drawn. It follows the true view, one event after the other. */
  view: View | undefined = $state.raw()
  effect: Effect | null = $state.raw(null)
  /** Choices of the seat, only while what is drawn is up to date. */
  choices: Choice[] = $state.raw([])
  preview: Record<string, unknown> = $state.raw({})
  /** Everything that happened, for the log; `seen` of it has been drawn. */
  events: GameEvent[] = $state.raw([])
  /** A log line or a list points at these spaces. */
  pointed: string[] = $state.raw([])
  /** Whether an animation runs. */
  busy = $state(false)
  stages: Stages = () => []
  /** Told of each event when it is drawn: sounds, the live region. */
  listeners: ((event: GameEvent) => void)[] = []

  names = $derived(this.people.map((person) => person.name))
  mine = $derived(this.view !== undefined && this.seat !== null && this.view.actor === this.seat)

  private queue: (() => Promise<void>)[] = []
  private hurry = false
  private wake: (() => void) | undefined

  /** Draw events one after the other, then the view they led to. */
  protected show(events: GameEvent[], view: View, after: () => void): void {
    this.queue.push(async () => {
      for (const event of events) {
        for (const listener of this.listeners) listener(event)
        if (this.view === undefined || pace() === 0 || this.hurry || this.queue.length > 6) continue
        for (const stage of this.stages(this.view, event)) {
          if (stage.view) this.view = stage.view
          this.effect = stage.effect ?? null
          if (!this.hurry) await this.pause(stage.ms * pace())
        }
        this.effect = null
      }
      this.view = view
      after()
    })
    if (!this.busy) void this.run()
  }

  /** Finish what is being animated at once: nobody waits who does not want to. */
  skip(): void {
    this.hurry = true
    this.wake?.()
  }

  private async run(): Promise<void> {
    this.busy = true
    for (let next = this.queue.shift(); next; next = this.queue.shift()) await next()
    this.busy = false
    this.hurry = false
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms)
      this.wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  /** Choose; asks once more where the choice costs something. */
  abstract choose(choice: Choice): void
  /** Why a piece cannot go to a place: shows the answer near `at`. */
  abstract explain(piece: string, place: string): void
}
