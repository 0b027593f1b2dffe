// A puzzle as a scene: the real board before one choice. A wrong attempt is played and undone.
import { fetchBotLevels, fetchGameInfo } from './gameAndBotCatalogue.svelte'
import { get, post } from './http'
import { seatedPeople } from './playerNames'
import { gameText, t } from './i18n.svelte'
import { readPuzzleProgress, recordSolved, rateFirstTry, recordHint, recordTry, type Listed } from './puzzleProgress'
import { NEWCOMER, ratingOfPuzzle, type Rating } from './puzzleRating'
import { Scene, expandChoiceRows, type Choice, type GameEvent, type View } from './scene.svelte'
import type { Choices, BasePreview } from './wire'

interface Laid extends Listed {
  game: string
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
  why: Sentence[]
  places: string[]
}
export interface Sentence {
  key: string
  args: Record<string, unknown>
}
export interface Step extends Sentence {
  places: string[]
}
/** What is shown at places of the board: a wrong attempt, one of the hints, or the celebration. */
export interface Mark {
  kind: 'wrong' | 'where' | 'which' | 'to' | 'solved'
  places: string[]
  said: Sentence[]
}
export interface Solution {
  action: number
  places: string[]
  chance: number
  margin: number
  next: number
  why: Sentence[]
}

const SHOWN = 900 // ms that a wrong attempt, or the celebration, is shown
const HINTS = ['where', 'which', 'to'] as const

export class Puzzle extends Scene {
  listed: Listed | null = $state.raw(null)
  /** The choice to try. */
  picked: Choice | null = $state.raw(null)
  tries = $state(0)
  /** The message about an illegal touch. */
  said: Sentence | null = $state.raw(null)
  /** What is marked on the board, until the next touch. */
  mark: Mark | null = $state.raw(null)
  steps: Step[] = $state.raw([])
  solution: Solution | null = $state.raw(null)
  solved = $state(false)
  /** How many of ten people solve it at the first attempt; null: unknown. */
  tenths: number | null = $state(null)
  /** The rating of one's first attempts, and what this puzzle added. */
  own: Rating | null = $state.raw(readPuzzleProgress().rating)
  gain: number | null = $state(null)
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

  override get isInteractive(): boolean {
    return true
  }
  private get apiPath(): string {
    return `/api/puzzles/${this.name}/${this.id}`
  }

  async loadPuzzle(): Promise<void> {
    const [laid, info] = await Promise.all([get<Laid>(this.apiPath), fetchGameInfo(this.name), fetchBotLevels()])
    this.palette = info?.colours ?? []
    this.game = laid.game
    this.seat = laid.seat
    this.listed = laid
    this.tenths = laid.tenths ?? null
    this.players = laid.players
    this.rival = ratingOfPuzzle(laid.fish, laid.rating)
    this.first = laid.view
    this.choicesWith = expandChoiceRows(laid.choices)
    this.preview = laid.preview
    const { solved, tried } = readPuzzleProgress()
    if (solved[this.id] === undefined) this.tries = tried[this.id] ?? 0 // on an earlier visit
    this.namePlayers()
    this.resetPosition()
  }

  /** Name the players in the current language. */
  namePlayers(): void {
    const chairs = Array.from({ length: this.players }, () => ({ here: true }))
    this.people = seatedPeople(this.game, chairs, this.seat === null ? [] : [this.seat], this.palette)
    const { number, goal, facts } = this.listed ?? { number: 0, goal: '', facts: {} }
    this.goal = gameText(this.game, `puzzle.goal.${goal}`, facts)
    this.goalTitle = t('puzzle.number', { n: number })
  }

  /** Restore the initial position. */
  resetPosition(): void {
    this.dropAnimations()
    this.view = this.first
    this.events = []
    this.seen = 0
    this.choices = this.choicesWith
    this.picked = this.hint = null
    this.pointed = this.sought = []
    this.trying = false
  }

  choose(choice: Choice): void {
    if (this.trying || this.solution) return
    this.said = this.mark = null
    this.pointed = this.sought = []
    this.picked = this.hint = choice
  }

  /** Deselect the choice. */
  undo(): void {
    if (this.trying) return
    this.mark = null
    this.resetPosition()
  }

  async tryChoice(): Promise<void> {
    const choice = this.picked
    if (!choice || this.trying) return
    this.trying = true
    const fresh = this.isFirstAttempt()
    this.tries++
    this.hint = this.mark = null
    this.choices = []
    try {
      const tried = await post<Tried>(`${this.apiPath}/try`, { action: choice.action, first: fresh })
      const total = recordTry(this.id)
      this.touched = true
      if (fresh && this.rival) {
        const before = (this.own ?? NEWCOMER).mu
        this.own = rateFirstTry(this.rival, tried.right)
        this.gain = Math.round(this.own.mu) - Math.round(before)
      }
      this.events = tried.events
      this.enqueueEvents(tried.events.length, tried.view, () => void this.showResult(tried, total), 0)
    } catch (error) {
      this.tries--
      this.resetPosition()
      throw error
    }
  }

  /** Whether this device has no attempt, hint or solution of it yet. */
  private isFirstAttempt(): boolean {
    const before = readPuzzleProgress()
    return !this.touched && (before.tried[this.id] ?? before.solved[this.id]) === undefined
  }

  private async showResult(tried: Tried, total: number): Promise<void> {
    const { key, args, why, places } = tried
    if (!tried.right) {
      this.mark = { kind: 'wrong', places, said: [...why, { key, args }] }
      return void setTimeout(() => this.resetPosition(), SHOWN)
    }
    this.solved = true
    this.mark = { kind: 'solved', places, said: [] }
    setTimeout(() => this.mark?.kind === 'solved' && (this.mark = null), SHOWN)
    recordSolved(this.id, total, this.day)
    try {
      this.solution = await get<Solution>(`${this.apiPath}/solution`)
    } catch {
      this.solution = null // solved anyway; the reasons may be requested again
    } finally {
      this.trying = false
    }
  }

  /** The next of three hints. */
  async requestNextHint(): Promise<void> {
    if (this.steps.length >= HINTS.length || this.solution || this.trying) return
    const step = await get<Step>(`${this.apiPath}/hint?step=${this.steps.length + 1}`)
    recordHint(this.id)
    this.touched = true
    this.steps = [...this.steps, step]
    this.showHintOnBoard(this.steps.length - 1)
  }

  /** Show a hint that was given, on the board; what was chosen is deselected. */
  showHintOnBoard(number: number): void {
    const step = this.steps[number]
    if (!step || this.trying || this.solution) return
    this.resetPosition()
    this.said = null
    const board = step.places.filter((place) => !place.includes(' '))
    if (number > 0) this.pointed = board // the first says only where to look
    this.sought = board
    this.mark = { kind: HINTS[number]!, places: step.places, said: [step] }
  }

  async revealSolution(): Promise<void> {
    const found = await get<Solution>(`${this.apiPath}/solution`)
    this.resetPosition()
    this.said = this.mark = null
    recordSolved(this.id, 0, null)
    this.solution = found
    this.hint = this.choiceWithAction(found.action)
    this.choices = []
  }

  /** Start over with the solution hidden. */
  startOver(): void {
    this.solution = this.mark = null
    this.said = this.gain = null
    this.solved = false
    this.tries = 0
    this.resetPosition()
  }

  choiceWithAction(action: number): Choice | null {
    return this.choicesWith.find((choice) => choice.action === action) ?? null
  }

  async explainIllegalMove(piece: string, place: string, text?: string): Promise<void> {
    const touched = text === undefined ? { piece, place } : { text }
    const { rule } = await post<{ rule: string | null }>(`${this.apiPath}/why`, touched).catch(() => ({ rule: null }))
    this.said = rule ? { key: `why.${rule}`, args: {} } : null
  }
}
