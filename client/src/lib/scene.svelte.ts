// What a board draws: a view, what may be chosen in it, and what is happening just now. Live tables and replays fill
// it.
import type { Choices, GameEvent, Offer, BasePreview, Reason, View } from './wire'
import { firstFrame, type Frame } from './windowLayout'
import { pace, telling, usualPace } from './settings.svelte'

export type { Frame, GameEvent, View }
export type Choice = Offer
/** What a game tells, as its own declarations say; of a game that is not known, what all have in common. */
export interface GameTypes {
  View: View
  Event: GameEvent
  Choice: Choice
  Preview: BasePreview
}
export interface Person {
  /** As sentences name them: no two at a table alike. */
  name: string
  /** As lists name them, where the colour is beside it. */
  short: string
  /** The colour that is drawn. */
  colour: string
  bot: string | null
  away: string | null
  here: boolean
  you: boolean
}

/** One moment of an animation: the view drawn from now on, an effect over it, and how long it lasts. */
export interface AnimationStep<V = View> {
  view?: V
  effect?: Effect
  ms: number
}
/** Something drawn only while it happens; what kinds there are is each board's own. */
export type Effect = Record<string, unknown> & { kind: string }

/** How a game turns one event into moments; registered by its room. */
export type AnimateEvent = (view: View, event: GameEvent) => AnimationStep[]

/** What a touch or a refusal has to say. */
export interface Notice {
  /** The rule that forbids it, if one does. */
  rule: string | null
  /** A sentence's key of the game's catalogue, with its arguments. */
  key: string
  args: Record<string, unknown>
  /** The space it is about, if any. */
  place: string
  /** The server's word for what was refused. */
  code?: string
}

/** An event that is not known yet: the log asks for it. */
export const UNKNOWN: GameEvent = { kind: '' }
const CROWD = 6 // waiting changes beyond which none is animated
const FLOOD = 60 // events in one change beyond which none is animated
const CALM = 4 // events that may wait to be told before each is told quicker
const BRIEFEST = 0.3 // of its usual time any of them is told in

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

/** Of all events those of one kind; `Verb` the same for choices. */
export type Kind<E, K> = E extends { kind: infer U } ? (K extends U ? E : never) : never
export type Verb<C, V> = C extends { verb: infer U } ? (V extends U ? C : never) : never
/** How events are shown, by kind: each gets its own. */
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

/** A part that some of these have and others do not. */
export function part<O extends object, K extends Keys<O>>(of: O, key: K): Part<O, K> {
  return (of as Record<PropertyKey, unknown>)[key] as Part<O, K>
}

export abstract class Scene<T extends GameTypes = GameTypes> {
  game = $state('')
  options: Record<string, unknown> = $state.raw({})
  people: Person[] = $state.raw([])
  /** What is to be reached, a key of the game's catalogue; '' but in puzzles. */
  goal = $state('')
  /** The seat whose eyes these are; null is a spectator. */
  seat: number | null = $state(null)
  /** What is drawn. It follows the true view, one event after the other. */
  view: T['View'] | undefined = $state.raw()
  effect: Effect | null = $state.raw(null)
  /** Choices of the seat, only while what is drawn is up to date. */
  choices: T['Choice'][] = $state.raw([])
  preview: T['Preview'] = $state.raw({})
  /** Everything that happened; `seen` of it has been drawn, and that is what the log shows. */
  events: T['Event'][] = $state.raw([])
  seen = $state(0)
  /** A log line or a list points at these spaces. */
  pointed: string[] = $state.raw([])
  /** What was done so far with the table itself (undo, why, hint, log, zoom); guides look for it. */
  deeds: string[] = $state.raw([])
  /** The choice a hint points at. */
  hint: T['Choice'] | null = $state.raw(null)
  /** Why, in sentences of the game's catalogue. */
  why: Reason[] = $state.raw([])
  /** A choice that costs something, waiting to be confirmed. */
  doubt: T['Choice'] | null = $state.raw(null)
  /** What a touch or a refusal has to say, until it is put away. */
  notice: Notice | null = $state.raw(null)
  /** Where the board is seen. */
  frame: Frame = $state.raw(firstFrame(innerWidth, innerHeight))
  /** The game's colours by seat, as its own words have them. */
  palette: string[] = $state.raw([])
  /** Whether an animation runs. */
  busy = $state(false)
  /** Nothing is animated until it is one's own choice. */
  rush = $state(false)
  /** Begins anew where the story does not go on: what was waiting in an earlier one is not drawn any more. */
  era = $state(0)
  /** Rises when what was told may have to be forgotten: whoever keeps something of it lets it go. */
  resetCount = $state(0)
  animateEvent: AnimateEvent = () => []
  /** Told of each event when it is drawn: sounds, the live region. `quick`: it was not animated. */
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

  /** The colour to draw for a colour of the game's own words: seats may have chosen others. */
  colourFor(colour: string): string {
    const seat = this.palette.indexOf(colour)
    if (seat < 0) return colour
    if (this.people[seat]?.colour) return this.people[seat].colour
    const taken = this.people.map((person) => person.colour)
    const free = this.palette.filter((one) => !taken.includes(one))
    return free[seat - this.people.length] ?? colour
  }

  /** Draw `count` events from number `first` on, one after the other, then the view they led to. What waits keeps only
   * numbers: each event is drawn as it is told by then. */
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
          console.error(error) // a board that cannot draw a moment still draws the next
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

  /** Of the usual time so much: the more waits to be told, the shorter each of it. */
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

  /** Finish what is being animated at once: nobody waits who does not want to. */
  skip(): void {
    if (!this.busy) return
    this.hurry = true
    this.wake?.()
  }

  /** Forget what is being drawn and what waits to be. */
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

  /** Choose; asks once more where the choice costs something. */
  abstract choose(choice: Choice): void
  /** Why a piece cannot go to a place, or why not what a text says: shows the answer, near that place. */
  abstract explain(piece: string, place: string, text?: string): void
}
