// What a board draws: a view, its choices, and the current animation. Live tables and replays fill it.
import type { Choices, GameEvent, Offer, BasePreview, Reason, View } from './wire'
import { firstFrame, type Frame } from './windowLayout'
import { pace, telling, usualPace } from './settings.svelte'

export type { Frame, GameEvent, View }
export type Choice = Offer
/** A game's own message types; for an unknown game, what all have in common. */
export interface GameTypes {
  View: View
  Event: GameEvent
  Choice: Choice
  Preview: BasePreview
}
export interface Person {
  /** The unique name for sentences. */
  name: string
  /** The short name for lists that show the colour. */
  short: string
  /** The displayed colour. */
  colour: string
  bot: string | null
  away: string | null
  here: boolean
  you: boolean
}

/** One step of an animation: the view from now on, an effect over it, and its duration. */
export interface AnimationStep<V = View> {
  view?: V
  effect?: Effect
  ms: number
}
/** Something drawn only during an animation; each board has its own kinds. */
export type Effect = Record<string, unknown> & { kind: string }

/** How a game turns one event into animation steps; registered by its UI. */
export type AnimateEvent = (view: View, event: GameEvent) => AnimationStep[]

/** A message about a touch or a refusal. */
export interface Notice {
  /** The rule that forbids it, if any. */
  rule: string | null
  /** A message key of the game's catalogue, with its arguments. */
  key: string
  args: Record<string, unknown>
  /** The space it is about, if any. */
  place: string
  /** The server's error code. */
  code?: string
}

/** An event that has not been received yet: the log requests it. */
export const UNKNOWN: GameEvent = { kind: '' }
const CROWD = 6 // pending changes above which none is animated
const FLOOD = 60 // events in one change above which none is animated
const CALM = 4 // pending events above which each is animated faster
const BRIEFEST = 0.3 // smallest share of an event's usual time

export function expandChoices(groups: Choices[]): Choice[] {
  return groups.flatMap((group) =>
    group.rows.map((row) => {
      const words: Record<string, unknown> = { verb: group.verb }
      group.keys.forEach((key, i) => (words[key] = row[i]))
      return words as Choice
    }),
  )
}

type Keys<O> = O extends unknown ? keyof O : never
type Part<O, K extends PropertyKey> = O extends unknown ? (K extends keyof O ? O[K] : undefined) : never

/** The events of one kind; `Verb` is the same for choices. */
export type Kind<E, K> = E extends { kind: infer U } ? (K extends U ? E : never) : never
export type Verb<C, V> = C extends { verb: infer U } ? (V extends U ? C : never) : never
/** Animations by kind of event. */
export type Shows<V, E extends { kind: string }, More extends unknown[] = []> = {
  [K in E['kind']]?: (view: V, event: Kind<E, K>, ...more: More) => AnimationStep<V>[]
}
/** The choices of some verbs. */
export function choicesWith<C extends { verb: string }, V extends C['verb']>(
  choices: C[],
  ...verbs: V[]
): Verb<C, V>[] {
  return choices.filter((choice) => (verbs as string[]).includes(choice.verb)) as Verb<C, V>[]
}

/** A field that only some variants have. */
export function part<O extends object, K extends Keys<O>>(of: O, key: K): Part<O, K> {
  return (of as Record<PropertyKey, unknown>)[key] as Part<O, K>
}

export abstract class Scene<T extends GameTypes = GameTypes> {
  game = $state('')
  options: Record<string, unknown> = $state.raw({})
  people: Person[] = $state.raw([])
  /** The goal of a puzzle, a key of the game's catalogue; otherwise ''. */
  goal = $state('')
  /** The viewing seat; null is a spectator. */
  seat: number | null = $state(null)
  /** What is drawn. It follows the true view, event by event. */
  view: T['View'] | undefined = $state.raw()
  effect: Effect | null = $state.raw(null)
  /** The seat's choices, only while the drawn view is current. */
  choices: T['Choice'][] = $state.raw([])
  preview: T['Preview'] = $state.raw({})
  /** All events; the first `seen` have been drawn, and the log shows those. */
  events: T['Event'][] = $state.raw([])
  seen = $state(0)
  /** Spaces that a log line or a list points at. */
  pointed: string[] = $state.raw([])
  /** Actions on the table itself so far (undo, why, hint, log, zoom), for guides. */
  deeds: string[] = $state.raw([])
  /** The suggested choice. */
  hint: T['Choice'] | null = $state.raw(null)
  /** The reasons, as sentences of the game's catalogue. */
  why: Reason[] = $state.raw([])
  /** A costly choice that waits for confirmation. */
  doubt: T['Choice'] | null = $state.raw(null)
  /** The message about a touch or a refusal, until it is dismissed. */
  notice: Notice | null = $state.raw(null)
  /** The board's area in the window. */
  frame: Frame = $state.raw(firstFrame(innerWidth, innerHeight))
  /** The game's colours by seat. */
  palette: string[] = $state.raw([])
  /** Whether an animation runs. */
  busy = $state(false)
  /** Skip animations until the seat's own turn. */
  rush = $state(false)
  /** Incremented when the history is replaced: pending animations of an earlier era are dropped. */
  era = $state(0)
  /** Incremented when information may have to be forgotten: whoever derived something from it must drop it. */
  resetCount = $state(0)
  animateEvent: AnimateEvent = () => []
  /** Called for each event when it is drawn: sounds, the live region. `quick`: it was not animated. */
  listeners: ((event: GameEvent, quick: boolean) => void)[] = []

  names = $derived(this.people.map((person) => person.name))
  mine = $derived(this.view !== undefined && this.seat !== null && this.view.actor === this.seat)
  over = $derived(this.view?.actor === -2)
  /** Whether moves can be made here; not in replays. */
  get live(): boolean {
    return false
  }

  private queue: (() => Promise<void>)[] = []
  private hurry = false
  private wake: (() => void) | undefined

  /** The displayed colour for one of the game's colours: seats may have chosen others. */
  colourFor(colour: string): string {
    const seat = this.palette.indexOf(colour)
    if (seat < 0) return colour
    if (this.people[seat]?.colour) return this.people[seat].colour
    const taken = this.people.map((person) => person.colour)
    const free = this.palette.filter((one) => !taken.includes(one))
    return free[seat - this.people.length] ?? colour
  }

  /**
   * Animate `count` events from number `first` on, then show the view they led to. The queue holds only numbers: each
   * event is drawn as it is known by then.
   */
  protected show(count: number, view: T['View'], after: () => void, first = this.events.length - count): void {
    const era = this.era
    this.queue.push(async () => {
      const flood = count > FLOOD || document.hidden
      for (let n = first; n < first + count; n++) {
        const quick =
          this.view === undefined || !usualPace() || this.hurry || this.rush || flood || this.queue.length > CROWD
        const event = this.events[n]
        if (!event) break
        this.seen = n + 1
        for (const listener of this.listeners) listener(event, quick)
        if (quick) continue
        try {
          await this.act(event, era)
        } catch (error) {
          console.error(error) // a failed animation must not stop the next one
        }
        if (this.era !== era) return
        this.effect = null
      }
      telling.haste = 1
      this.view = view
      this.seen = Math.min(first + count, this.events.length)
      after()
    })
    if (!this.busy) void this.run()
  }

  /** The share of the usual time: the more events wait, the shorter each one. */
  protected haste(): number {
    const untold = this.events.length - this.seen + 1
    return Math.max(BRIEFEST, Math.min(1, CALM / untold))
  }

  private async act(event: GameEvent, era: number): Promise<void> {
    telling.haste = this.haste()
    for (const stage of this.animateEvent(this.view!, event)) {
      if (this.hurry || this.era !== era) break
      if (stage.view) this.view = stage.view
      this.effect = stage.effect ?? null
      await this.pause(stage.ms * pace())
    }
  }

  /** Finish the current animation at once. */
  skip(): void {
    if (!this.busy) return
    this.hurry = true
    this.wake?.()
  }

  /** Drop the current animation and the pending ones. */
  protected halt(): void {
    this.era++
    this.resetCount++
    this.queue = []
    this.effect = null
    telling.haste = 1
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
      const end = (): void => {
        clearTimeout(timer)
        this.wake = undefined
        done()
      }
      const timer = setTimeout(end, ms)
      this.wake = end
    })
  }

  did(deed: string): void {
    if (!this.deeds.includes(deed)) this.deeds = [...this.deeds, deed]
  }

  /** Choose; a costly choice asks for confirmation. */
  abstract choose(choice: Choice): void
  /** Show why a piece cannot go to a place, or why a text is no legal move, near that place. */
  abstract explain(piece: string, place: string, text?: string): void
}
