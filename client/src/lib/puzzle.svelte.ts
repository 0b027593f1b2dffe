// A puzzle as a scene: the real board before one choice. A wrong attempt is played and undone.
import { botLevels, gameInfo } from './gameCatalogue.svelte'
import { get, post } from './http'
import { persons } from './playerNames'
import { kept, note, noteFirst, noteHint, noteTry } from './puzzleProgress'
import { rival, type Rating } from './rating'
import { Scene, expandChoices, type Choice, type GameEvent, type View } from './scene.svelte'
import type { Choices, BasePreview } from './wire'

interface Laid {
  id: string
  game: string
  theme: string
  fish: string
  seat: number
  players: number
  view: View
  choices: Choices[]
  preview: BasePreview
  tenths?: number | null
  rating?: number | null
}
interface Tried {
  right: boolean
  events: GameEvent[]
  view: View
  key: string
  args: Record<string, unknown>
}
export interface Sentence {
  key: string
  args: Record<string, unknown>
}
interface Step extends Sentence {
  places: string[]
}
export interface Solution {
  action: number
  chance: number
  margin: number
  next: number
  why: Sentence[]
}

const SHOWN = 900 // ms that a wrong attempt is shown

export class Puzzle extends Scene {
  theme = $state('')
  fish = $state('')
  /** The choice to try. */
  picked: Choice | null = $state.raw(null)
  tries = $state(0)
  /** The message about an attempt or an illegal touch. */
  said: Sentence | null = $state.raw(null)
  steps: Sentence[] = $state.raw([])
  solution: Solution | null = $state.raw(null)
  solved = $state(false)
  /** How many of ten people solve it at the first attempt; null: unknown. */
  tenths: number | null = $state(null)
  /** The rating of one's first attempts. */
  own: Rating | null = $state.raw(kept().rating)
  /** An attempt is being animated. */
  trying = $state(false)
  private first: View | undefined
  private choicesWith: Choice[] = []
  private players = 0
  private rival: Rating | null = null
  /** An attempt or a hint on this page: known even without storage. */
  private touched = false

  constructor(
    readonly name: string,
    readonly id: string,
    /** The day whose puzzle it is; null: none. */
    readonly day: number | null,
  ) {
    super()
  }

  override get live(): boolean {
    return true
  }
  private get path(): string {
    return `/api/puzzles/${this.name}/${this.id}`
  }

  async lay(): Promise<void> {
    const [laid, info] = await Promise.all([get<Laid>(this.path), gameInfo(this.name), botLevels()])
    this.palette = info?.colours ?? []
    this.game = laid.game
    this.seat = laid.seat
    this.theme = laid.theme
    this.fish = laid.fish
    this.tenths = laid.tenths ?? null
    this.players = laid.players
    this.rival = rival(laid.fish, laid.rating)
    this.first = laid.view
    this.choicesWith = expandChoices(laid.choices)
    this.preview = laid.preview
    this.introduce()
    this.reset()
  }

  /** Name the players in the current language. */
  introduce(): void {
    const chairs = Array.from({ length: this.players }, () => ({ here: true }))
    this.people = persons(this.game, chairs, this.seat === null ? [] : [this.seat], this.palette)
    this.goal = `puzzle.goal.${this.theme}`
  }

  /** Restore the initial position. */
  reset(): void {
    this.halt()
    this.view = this.first
    this.events = []
    this.seen = 0
    this.choices = this.choicesWith
    this.picked = this.hint = null
    this.pointed = []
    this.trying = false
  }

  choose(choice: Choice): void {
    if (this.trying || this.solution) return
    this.said = null
    this.pointed = []
    this.picked = this.hint = choice
  }

  /** Deselect the choice. */
  undo(): void {
    if (!this.trying) this.reset()
  }

  async try(): Promise<void> {
    const choice = this.picked
    if (!choice || this.trying) return
    this.trying = true
    const fresh = this.fresh()
    this.tries++
    this.hint = null
    this.choices = []
    try {
      const tried = await post<Tried>(`${this.path}/try`, { action: choice.action, first: fresh })
      const total = noteTry(this.id)
      this.touched = true
      if (fresh && this.rival) this.own = noteFirst(this.rival, tried.right)
      this.events = tried.events
      this.said = { key: tried.key, args: tried.args }
      this.show(tried.events.length, tried.view, () => void this.judged(tried.right, total), 0)
    } catch (error) {
      this.tries--
      this.reset()
      throw error
    }
  }

  /** Whether this device has no attempt, hint or solution of it yet. */
  private fresh(): boolean {
    const before = kept()
    return !this.touched && (before.tried[this.id] ?? before.solved[this.id]) === undefined
  }

  private async judged(right: boolean, total: number): Promise<void> {
    if (!right) return void setTimeout(() => this.reset(), SHOWN)
    this.solved = true
    note(this.id, total, this.day)
    try {
      this.solution = await get<Solution>(`${this.path}/solution`)
    } catch {
      this.solution = null // solved anyway; the reasons may be requested again
    } finally {
      this.trying = false
    }
  }

  /** The next of three hints. */
  async ask(): Promise<void> {
    if (this.steps.length >= 3 || this.solution) return
    const step = await get<Step>(`${this.path}/hint?step=${this.steps.length + 1}`)
    noteHint(this.id)
    this.touched = true
    this.steps = [...this.steps, step]
    this.pointed = step.places
  }

  async reveal(): Promise<void> {
    const found = await get<Solution>(`${this.path}/solution`)
    this.reset()
    this.said = null
    note(this.id, 0, null)
    this.solution = found
    this.hint = this.choiceOf(found.action)
    this.choices = []
  }

  /** Start over with the solution hidden. */
  again(): void {
    this.solution = null
    this.said = null
    this.solved = false
    this.tries = 0
    this.reset()
  }

  choiceOf(action: number): Choice | null {
    return this.choicesWith.find((choice) => choice.action === action) ?? null
  }

  async explain(piece: string, place: string, text?: string): Promise<void> {
    const touched = text === undefined ? { piece, place } : { text }
    const { rule } = await post<{ rule: string | null }>(`${this.path}/why`, touched).catch(() => ({ rule: null }))
    this.said = rule ? { key: `why.${rule}`, args: {} } : null
  }
}
