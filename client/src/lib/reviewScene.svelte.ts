// Match review: a replay with each player's win probability at every moment, and the bot's choices.
import { isOfflineTable } from './offline'
import { get, post, Refusal } from './http'
import { Replay } from './replayScene.svelte'
import { expandChoiceRows, type Choice, type Scene } from './scene.svelte'
import type { Choices, BasePreview } from './wire'

export interface Alternative {
  text: string
  words: Record<string, unknown> & { verb: string }
  chance: number
}
export interface Judgement {
  /** Log lines before it. */
  at: number
  seat: number
  chance: number
  cost: number
  sure: boolean
  tries: number
  best: Alternative[]
}
export interface Moment {
  at: number
  actor: number
  turn: number
  chances: number[]
  /** The next line was the only legal choice. */
  forced?: boolean
}
export interface Mattered {
  at: number
  seat: number
  swing: number
  choice: boolean
}
export interface Account {
  luck: number
  good: number
  choices: number
}
export interface Sentence {
  key: string
  args: Record<string, unknown>
}
interface Whole {
  short: boolean
  turns: number
  moments: Moment[]
  judgements: Judgement[]
  mattered: Mattered[]
  accounts: Account[]
  summary: Sentence[]
}
interface Answer {
  state: 'none' | 'queued' | 'working' | 'kept' | 'failed'
  why?: string
  key?: string
  before?: number
  /** Lines examined so far, of how many, and the seconds that the rest may take. */
  done?: number
  total?: number
  left_s?: number | null
  review?: Whole
}
interface Offered {
  at: number
  seat: number
  chosen: number
  choices: Choices[]
  preview: BasePreview
  chances: Record<string, number>
}
/** An alternative at the current moment: what was chosen, and the chooser's win probability after each. */
export interface Branch {
  choice: Choice
  seat: number
  was: number
  now: number
}

const RETRIED = ['busy', 'offline', 'too_fast', '500', '502', '503', '504'] // refusals that may pass
const AGAIN = 1500 // ms between two progress requests
const MOST_LOST = 5 // failed requests in a row before giving up
const GOOD = 0.03 // the most that a good choice may cost
const EVEN = 0.01 // smaller differences count as none

export class Review extends Replay {
  state: Answer['state'] | 'asking' | 'refused' = $state('asking')
  /** The error, if review is not available. */
  refusal: Refusal | null = $state.raw(null)
  before = $state(0)
  progress: { done: number; total: number; left: number | null } | null = $state.raw(null)
  found: Whole | null = $state.raw(null)
  /** A player whose curve is highlighted. */
  lifted: number | null = $state(null)
  /** Whether the bot's choice is drawn. */
  arrow = $state(true)
  trying = $state(false)
  branch: Branch | null = $state.raw(null)
  private tried: Offered | null = null
  private key: string | null = null
  private again: ReturnType<typeof setTimeout> | undefined
  private gone = false

  momentsByLine = $derived(new Map((this.found?.moments ?? []).map((moment) => [moment.at, moment])))
  judged = $derived(new Map((this.found?.judgements ?? []).map((each) => [each.at, each])))
  /** The current moment's win probabilities, and the choice that led to it, if any. */
  now = $derived(this.momentsByLine.get(this.line))
  choice = $derived(this.judged.get(this.line - 1))
  pins = $derived(this.found?.mattered ?? [])
  /** Whether it is being worked out. */
  working = $derived(this.state === 'asking' || this.state === 'queued' || this.state === 'working')
  /** Whether it may be asked for again after an error. */
  retryable = $derived(
    this.state === 'failed' || (this.state === 'refused' && RETRIED.includes(this.refusal!.fault.code)),
  )

  override get isInteractive(): boolean {
    return this.trying
  }

  /** Request the review, and poll until it is complete. */
  async requestReview(): Promise<void> {
    clearTimeout(this.again)
    this.state = 'asking'
    this.refusal = null
    try {
      this.applyAnswer(await this.startReview())
    } catch (error) {
      this.handleError(error)
    }
  }

  private handleError(error: unknown): void {
    this.refusal = error instanceof Refusal ? error : null
    this.state = this.refusal ? 'refused' : 'failed'
    if (!this.refusal) console.error(error)
  }

  /** The record of a device's table goes to the server, which is faster; where there is none, the device answers. */
  private async startReview(): Promise<Answer> {
    if (this.record === null && !isOfflineTable(this.table!)) return post<Answer>(`/api/tables/${this.table}/review`)
    const record = this.record ?? (await get<string>(`/api/tables/${this.table}/record`))
    const answer = await post<Answer>('/api/reviews', { record })
    this.key = answer.key ?? null
    return answer
  }

  private applyAnswer(answer: Answer): void {
    if (this.gone) return
    this.state = answer.state === 'none' ? 'failed' : answer.state
    this.before = answer.before ?? 0
    const { done, total, left_s: left } = answer
    this.progress = total === undefined ? null : { done: done ?? 0, total, left: left ?? null }
    if (answer.review) {
      const first = !this.found
      this.found = answer.review
      if (first || !this.pins.length) this.goToLargestSwing()
    }
    if (answer.state !== 'working' && answer.state !== 'queued') return
    const path = this.key === null ? `/api/tables/${this.table}/review` : `/api/reviews/${this.key}`
    this.again = setTimeout(() => void this.pollProgress(path, 0), AGAIN)
  }

  /** Poll the progress; a failed request is repeated. A hidden page does not poll. */
  private async pollProgress(path: string, lost: number): Promise<void> {
    if (this.gone) return
    if (document.hidden) return void (this.again = setTimeout(() => void this.pollProgress(path, lost), AGAIN))
    try {
      this.applyAnswer(await get<Answer>(path))
    } catch (error) {
      if (lost < MOST_LOST) this.again = setTimeout(() => void this.pollProgress(path, lost + 1), AGAIN * (lost + 1))
      else this.handleError(error)
    }
  }

  /** Show the largest swing first, unless the address or the reader went somewhere. */
  private goToLargestSwing(): void {
    if (this.at > 0 || this.running || this.trying || !this.pins.length) return
    const largest = this.pins.reduce((most, pin) => (Math.abs(pin.swing) > Math.abs(most.swing) ? pin : most))
    this.goToMoment(largest.at - this.dealt)
  }

  /** Go to the next key moment, or the one before. */
  goToPin(way: 1 | -1): void {
    const lines = this.pins.map((one) => one.at)
    const next = way > 0 ? lines.find((line) => line > this.line) : lines.findLast((line) => line < this.line)
    if (next !== undefined) this.stopAndNavigate(() => this.goToMoment(next - this.dealt))
  }

  stopPolling(): void {
    this.gone = true
    clearTimeout(this.again)
    this.stopPlaying()
  }

  /** The scene before the current moment, for texts about its alternatives. */
  sceneBeforeMoment(): Scene {
    const view = this.viewAtMoment(this.at - (this.trying ? 0 : 1))
    return new Proxy(this as Scene, {
      get: (scene, name) => {
        if (name === 'view') return view
        const value: unknown = Reflect.get(scene, name, scene)
        return typeof value === 'function' ? (value.bind(scene) as unknown) : value
      },
    })
  }

  /** The bot's choice instead of the one shown, if it differs. */
  betterChoice(): Alternative | null {
    const choice = this.choice
    if (!choice || !choice.sure || choice.cost < EVEN) return null
    return choice.best[0] ?? null
  }

  isGoodChoice(choice: Judgement): boolean {
    return choice.cost < GOOD || !choice.sure
  }

  // --- another choice ---------------------------------------------------------------------------------------------

  /** Try another choice instead of the one that led to the current moment. */
  async offerOtherChoices(): Promise<void> {
    if (!this.choice || this.table === null) return
    this.stopPlaying()
    const at = this.choice.at
    const offered = await get<Offered | null>(`/api/tables/${this.table}/review/choices?at=${at}`)
    if (!offered) return
    await this.showViewpoint(offered.seat, at)
    this.hint = null
    this.tried = offered
    this.preview = offered.preview
    this.trying = true
    this.choices = expandChoiceRows(offered.choices)
  }

  /** Return to the played match. */
  async returnToMatch(): Promise<void> {
    const at = this.tried?.at
    this.clearAlternative()
    if (at !== undefined) await this.showViewpoint('open', at + 1)
  }

  private clearAlternative(): void {
    this.trying = false
    this.tried = this.branch = this.hint = null
    this.choices = []
    this.preview = {}
  }

  override choose(choice: Choice): void {
    const offered = this.tried
    if (!offered) return
    const [was, now] = [offered.chances[offered.chosen], offered.chances[choice.action]]
    if (was === undefined || now === undefined) return
    const shown = this.momentsByLine.get(offered.at + 1)?.chances[offered.seat] ?? was
    this.branch = { choice, seat: offered.seat, was: shown, now: Math.max(0, Math.min(1, shown + now - was)) }
    this.hint = choice
    this.choices = []
  }

  /** Navigation ends the alternative and shows everything again. */
  override goToMoment(at: number): void {
    if (!this.trying || at === this.at) return super.goToMoment(at)
    this.clearAlternative()
    void this.showViewpoint('open', at + this.dealt)
  }

  override stepForward(): void {
    if (this.trying) void this.returnToMatch()
    else super.stepForward()
  }

  override startPlaying(): void {
    if (this.trying) void this.returnToMatch().then(() => super.startPlaying())
    else super.startPlaying()
  }
}

/** Probabilities as whole percentages that add up to 100. */
export function wholePercents(chances: number[]): number[] {
  const exact = chances.map((chance) => chance * 100)
  const whole = exact.map(Math.floor)
  const order = exact.map((_, i) => i).sort((a, b) => exact[b]! - whole[b]! - (exact[a]! - whole[a]!))
  const left = Math.round(exact.reduce((sum, one) => sum + one, 0)) - whole.reduce((sum, one) => sum + one, 0)
  for (const i of order.slice(0, left)) whole[i]!++
  return whole
}
