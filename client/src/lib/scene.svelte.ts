// What a board draws: a view, its choices, and the current animation. Live tables and replays fill it.
import { FACTORS, type Action, type ActionRules, type Timing } from './eventActions'
import type { Choices, GameEvent, Offer, BasePreview, Reason, View } from './wire'
import type { Film, Shot, Stage } from './film'
import { estimateFrame, type Frame } from './windowLayout'
import { animationTimeFactor, animationTime, settings, settingsTimeFactor, stillness } from './settings.svelte'

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
  onlineBot?: boolean // a program that its author runs
  away: string | null
  holiday?: number | null // until when the clock stands
  here: boolean
  /** The seat is this device's. */
  you: boolean
  /** It is the only one: texts say "you". At a hot seat several people read. */
  reader: boolean
}

/** One step of an animation: the view from now on, an effect over it, and its duration. Steps in a row may share a film. */
export interface AnimationStep<V = View> {
  view?: V
  effect?: Effect
  film?: Film
  ms: number
}
/** Something drawn only during an animation; each board has its own kinds. */
export type Effect = Record<string, unknown> & { kind: string }

/** How a game turns one event into animation steps; registered by its UI. Without a shot there are no films. */
export type AnimationStepsOf = (view: View, event: GameEvent, shot?: Shot) => AnimationStep[]

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
const REMEMBERED = 400 // events that can be shown again
const CROWD = 6 // pending changes above which none is animated
const FLOOD = 60 // events in one change above which none is animated
const CALM = 4 // pending events above which each is animated faster
const BRIEFEST = 0.3 // smallest share of an event's usual time
const FOLLOWING = 40 // events that a film may look ahead
const STILL = 850 // ms of each still of one's own film where motion is unwanted
const OTHERS_STILL = 350 // ms of another's

export function expandChoiceRows(groups: Choices[]): Choice[] {
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
export function choicesWithVerbs<C extends { verb: string }, V extends C['verb']>(
  choices: C[],
  ...verbs: V[]
): Verb<C, V>[] {
  return choices.filter((choice) => (verbs as string[]).includes(choice.verb)) as Verb<C, V>[]
}

/** A field that only some variants have. */
export function optionalField<O extends object, K extends Keys<O>>(of: O, key: K): Part<O, K> {
  return (of as Record<PropertyKey, unknown>)[key] as Part<O, K>
}

export abstract class Scene<T extends GameTypes = GameTypes> {
  game = $state('')
  options: Record<string, unknown> = $state.raw({})
  people: Person[] = $state.raw([])
  /** The goal of a puzzle and the puzzle's name, in words; otherwise ''. */
  goal = $state('')
  goalTitle = $state('')
  /** The viewing seat; null is a spectator. */
  seat: number | null = $state(null)
  /** What is drawn. It follows the true view, event by event. */
  view: T['View'] | undefined = $state.raw()
  effect: Effect | null = $state.raw(null)
  /** The film over the board, and the moment at which it stands still. */
  film: Film | null = $state.raw(null)
  filmMoment: number | null = $state(null)
  /** The board that shows films; null: it shows none. */
  stage: Stage | null = $state.raw(null)
  /** The seat's choices, only while the drawn view is current. */
  choices: T['Choice'][] = $state.raw([])
  preview: T['Preview'] = $state.raw({})
  /** All events; the first `seen` have been drawn, and the log shows those. */
  events: T['Event'][] = $state.raw([])
  seen = $state(0)
  /** Spaces that a log line or a list points at. */
  pointed: string[] = $state.raw([])
  /** Places that must be in view; nothing marks them. */
  sought: string[] = $state.raw([])
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
  frame: Frame = $state.raw(estimateFrame(innerWidth, innerHeight))
  /** The game's colours by seat. */
  palette: string[] = $state.raw([])
  /** Whether an animation runs. */
  busy = $state(false)
  /** Skip animations until the seat's own turn. */
  rush = $state(false)
  /** The animation stands still until it is resumed. */
  paused = $state(false)
  /** The event of another player's action that is shown, or was last; null: none since one's own turn. */
  showing: number | null = $state(null)
  /** The recap is open: its texts name places. */
  recapOpen = $state(false)
  /** How many lists of what happened are on the page: the board shows the pieces' names that they mention. */
  storyCount = $state(0)
  /** How many known actions are being shown again. */
  repeating = $state(0)
  /** How the game's events form actions. */
  rules: ActionRules | null = $state.raw(null)
  /** Incremented when the history is replaced: pending animations of an earlier era are dropped. */
  era = $state(0)
  /** Incremented when information may have to be forgotten: whoever derived something from it must drop it. */
  resetCount = $state(0)
  animationStepsOf: AnimationStepsOf = () => []
  /** How long the board stays as it is before an event is drawn, in ms, at every speed. */
  restBeforeEvent: (event: GameEvent) => number = () => 0
  /** Called for each event when it is drawn: sounds, the live region. `quick`: it was not animated. */
  listeners: ((event: GameEvent, quick: boolean) => void)[] = []

  names = $derived(this.people.map((person) => person.name))
  mine = $derived(this.view !== undefined && this.seat !== null && this.view.actor === this.seat)
  over = $derived(this.view?.actor === -2)
  /** Whether moves can be made here; not in replays. */
  get isInteractive(): boolean {
    return false
  }
  /** Whether this device plays and the match is running. */
  get isPlaying(): boolean {
    return false
  }

  private queue: { run: () => Promise<void>; urgent: boolean }[] = []
  /** What is skipped: one action, or all that waits. */
  private hurry: '' | 'action' | 'all' = ''
  /** The board stays as it is before the next event. */
  private resting = false
  private wake: (() => void) | undefined
  /** Views before others' events, by number, to show them again. */
  private viewsBefore = new Map<number, T['View']>()
  /** Whether the current action is to be shown once more. */
  private repeats = false

  /** The displayed colour for one of the game's colours: seats may have chosen others. */
  displayColourOf(colour: string): string {
    const seat = this.palette.indexOf(colour)
    if (seat < 0) return colour
    if (this.people[seat]?.colour) return this.people[seat].colour
    const taken = this.people.map((person) => person.colour)
    const free = this.palette.filter((one) => !taken.includes(one))
    return free[seat - this.people.length] ?? colour
  }

  /**
   * Animate `count` events from number `first` on, then show the view they led to. The queue holds only numbers: each
   * event is drawn as it is known by then. What waits before something urgent is not animated.
   */
  protected enqueueEvents(
    count: number,
    view: T['View'],
    after: () => void,
    first = this.events.length - count,
    urgent = false,
  ): void {
    const era = this.era
    const runEvents = async (): Promise<void> => {
      const flood = count > FLOOD || document.hidden
      for (let n = first; n < first + count; n++) {
        const event = this.events[n]
        if (!event) break
        const wait = flood || this.rush ? 0 : this.restBeforeEvent(event)
        if (wait) await this.restBoard(wait)
        if (this.era !== era) return
        const action = this.othersActionOfEvent(n)
        const timing = action && this.timingOfEvent(action, n)
        const awaited = this.queue.some((one) => one.urgent) || (!timing && this.queue.length > CROWD)
        const still = !timing && !settingsTimeFactor() && !this.showsStills
        const quick = this.view === undefined || still || this.hurry !== '' || this.rush || flood || awaited
        this.seen = n + 1
        this.showing = action ? n : null
        for (const listener of this.listeners) listener(event, quick || !settingsTimeFactor())
        if (action && this.view !== undefined) this.rememberViewBefore(n, this.view)
        if (!quick) await this.animateEventSafely(n, era, timing)
        if (this.era !== era) return
        this.clearEffects()
        if (action && n === action.last) {
          if (this.repeats) await this.repeatThenRestoreView(action, era)
          if (this.era !== era) return
          if (this.hurry === 'action') this.hurry = ''
        }
      }
      animationTime.share = 1
      this.view = view
      this.seen = Math.min(first + count, this.events.length)
      after()
    }
    this.enqueueAnimation(runEvents, urgent)
  }

  private enqueueAnimation(run: () => Promise<void>, urgent = false): void {
    this.queue.push({ run, urgent })
    if (!this.busy) void this.runQueue()
  }

  /** The share of the usual time: the more events wait, the shorter each one. */
  protected animationTimeShare(): number {
    const unplayed = this.events.length - this.seen + 1
    return Math.max(BRIEFEST, Math.min(1, CALM / unplayed))
  }

  /** The action of another player that event `n` belongs to, if it is shown at their pace. */
  protected othersActionOfEvent(_n: number): Action | null {
    return null
  }
  /** How event `n` of an action is shown; null: as one's own. */
  protected timingOfEvent(_action: Action, _n: number): Timing | null {
    return null
  }
  /** The places that an event is about. */
  placesOfEvent: (event: GameEvent) => string[] = () => []

  private async animateEventSafely(n: number, era: number, timing: Timing | null): Promise<void> {
    try {
      await this.animateEvent(n, era, timing)
    } catch (error) {
      console.error(error) // a failed animation must not stop the next one
    }
  }

  private async restBoard(ms: number): Promise<void> {
    this.resting = true
    await this.restUnlessPaused(ms)
    this.resting = false
  }

  /** Whoever wants no motion sees films as stills; whoever wants no animation sees none. */
  private get showsStills(): boolean {
    return stillness.matches && settings.speed !== 'none'
  }
  private clearEffects(): void {
    this.effect = this.film = this.filmMoment = null
  }

  /** How event `n` is to be filmed; undefined: nothing shows films. */
  private shotOf(n: number, timing: Timing | null): Shot | undefined {
    if (!this.stage) return undefined
    return {
      stage: this.stage,
      brief: timing !== null && !timing.touches,
      paint: (colour) => this.displayColourOf(colour),
      reader: this.seat,
      before: this.events[n - 1],
      following: this.events.slice(n + 1, n + 1 + FOLLOWING),
    }
  }

  private async animateEvent(n: number, era: number, timing: Timing | null): Promise<void> {
    const event = this.events[n]!
    if (timing?.ring) {
      this.pointed = this.placesOfEvent(event)
      await this.restUnlessPaused(timing.ring)
      this.pointed = []
    }
    const stages = this.animationStepsOf(this.view!, event, this.shotOf(n, timing))
    const still = !settingsTimeFactor()
    animationTime.share = still ? 1 : this.shareOfUsualTime(stages, timing)
    for (const [i, stage] of stages.entries()) {
      if (this.era !== era) return
      if (stage.view) this.view = stage.view
      if (this.hurry) continue
      if (still) {
        if (stage.film && stage.film !== stages[i - 1]?.film) await this.showStills(stage.film, timing, era)
        continue
      }
      this.effect = stage.effect ?? null
      this.film = stage.film ?? null
      const cut = i === stages.length - 1 ? (timing?.overlap ?? 0) : 0
      await this.restUnlessPaused(Math.max(0, stage.ms * animationTimeFactor() - cut))
    }
    if (!timing?.rest || this.hurry || this.era !== era) return
    this.clearEffects()
    await this.restUnlessPaused(timing.rest)
  }

  /** The share of the usual time that brings the steps to their timing. */
  private shareOfUsualTime(stages: AnimationStep<T['View']>[], timing: Timing | null): number {
    const usual = stages.reduce((sum, stage) => sum + stage.ms, 0)
    if (stages.some((stage) => stage.film))
      return (timing?.scale ?? FACTORS[settings.speed] * this.animationTimeShare()) / settingsTimeFactor()
    return timing && usual ? timing.move / usual / settingsTimeFactor() : this.animationTimeShare()
  }

  /** A film without motion: of another's only its last still. */
  private async showStills(film: Film, timing: Timing | null, era: number): Promise<void> {
    if (!this.showsStills) return
    for (const moment of timing?.touches === false ? film.stills.slice(-1) : film.stills) {
      if (this.hurry || this.era !== era) return
      this.film = film
      this.filmMoment = moment
      await this.restUnlessPaused(timing?.touches === false ? OTHERS_STILL : STILL)
    }
    if (this.era === era) this.clearEffects()
  }

  private rememberViewBefore(n: number, view: T['View']): void {
    this.viewsBefore.set(n, view)
    if (this.viewsBefore.size > REMEMBERED) this.viewsBefore.delete(this.viewsBefore.keys().next().value!)
  }

  /** Whether all of these can be shown again. */
  canRepeatActions(actions: Action[]): boolean {
    return actions.length > 0 && actions.every((action) => this.viewsBefore.has(action.first))
  }

  /** Show an action once more, then the view it led to. */
  private async repeatThenRestoreView(action: Action, era: number): Promise<void> {
    const after = this.view
    this.repeats = false
    this.hurry = ''
    await this.animateAction(action, era)
    if (this.era === era) this.view = after
  }

  private async animateAction(action: Action, era: number): Promise<void> {
    const before = this.viewsBefore.get(action.first)
    if (!before) return
    this.view = before
    for (let n = action.first; n <= action.last && this.era === era && !this.hurry; n++) {
      this.showing = n
      await this.animateEventSafely(n, era, this.timingOfEvent(action, n))
    }
    if (this.era === era) this.clearEffects()
  }

  /** Show known actions again, then the view as it is. */
  protected repeatActions(actions: Action[], after: () => void): void {
    const era = this.era
    this.enqueueAnimation(async () => {
      const [view, showing] = [this.view, this.showing]
      this.repeating = actions.length
      for (const action of actions) if (this.era === era && !this.hurry) await this.animateAction(action, era)
      this.repeating = 0
      if (this.era !== era) return
      animationTime.share = 1
      this.clearEffects()
      this.pointed = []
      this.view = view
      this.showing = showing
      after()
    })
  }

  /** Show the action that is shown, or was last, once more. */
  repeatLastAction(): void {
    const action = this.showing === null ? null : this.othersActionOfEvent(this.showing)
    if (!action || !this.canRepeatActions([action])) return
    this.paused = false
    if (!this.busy) return this.repeatActions([action], () => {})
    this.repeats = true
    this.hurry = 'action'
    this.wake?.()
  }

  /** Finish the current action at once; without one, everything that waits. A rest only ends. */
  skipCurrentAction(): void {
    if (!this.busy) return
    this.paused = false
    if (!this.resting) this.hurry = this.showing !== null && !this.repeating && this.hurry !== 'all' ? 'action' : 'all'
    this.wake?.()
  }

  /** Finish everything that waits at once. */
  protected skipAllPending(): void {
    if (!this.busy) return
    this.paused = false
    this.hurry = 'all'
    this.wake?.()
  }

  /** Stand still, or go on. */
  togglePause(): void {
    this.paused = !this.paused
    if (!this.paused) this.wake?.()
  }

  /** Nothing of others' turns is shown again. */
  forgetViewsBefore(): void {
    this.viewsBefore.clear()
  }

  /** What was known may have to be forgotten. */
  protected forgetEarlierKnowledge(): void {
    this.resetCount++
    this.forgetViewsBefore()
  }

  /** Drop the current animation and the pending ones. */
  protected dropAnimations(): void {
    this.era++
    this.forgetEarlierKnowledge()
    this.queue = []
    this.repeats = this.paused = false
    this.repeating = 0
    this.showing = null
    this.clearEffects()
    animationTime.share = 1
    this.wake?.()
  }

  private async runQueue(): Promise<void> {
    this.busy = true
    for (let next = this.queue.shift(); next; next = this.queue.shift()) await next.run()
    this.busy = false
    this.hurry = ''
  }

  private async restUnlessPaused(ms: number): Promise<void> {
    await this.restUntilWoken(ms)
    while (this.paused && !this.hurry) await this.restUntilWoken(null)
  }

  /** Until the time has passed, or somebody wakes it. */
  private restUntilWoken(ms: number | null): Promise<void> {
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer)
        this.wake = undefined
        done()
      }
      const timer = ms === null ? undefined : setTimeout(end, ms)
      this.wake = end
    })
  }

  recordDeed(deed: string): void {
    if (!this.deeds.includes(deed)) this.deeds = [...this.deeds, deed]
  }

  /** Choose; a costly choice asks for confirmation. */
  abstract choose(choice: Choice): void
  /** Show why a piece cannot go to a place, or why a text is no legal move, near that place. */
  abstract explainIllegalMove(piece: string, place: string, text?: string): void
}
