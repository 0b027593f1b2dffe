// A replay: every view is known, so that one can go to any moment.
import { fetchBotLevels, fetchGameInfo } from './gameAndBotCatalogue.svelte'
import { get, post } from './http'
import { applyPatch } from './patch'
import { seatedPeople } from './playerNames'
import type { MomentInfo, ReplayInfo } from './rest.generated'
import { Scene, type Choice, type GameEvent, type View } from './scene.svelte'
import type { ChairInfo, Welcome } from './wire'

type Moment = Omit<MomentInfo, 'events'> & { events?: GameEvent[] }
type LoadedReplay = Omit<ReplayInfo, 'view' | 'moments'> & { view: View; moments: Moment[] }
/** A seat's view, or the open view of everything. */
export type Eyes = 'open' | number

/** A record opened from a file, passed from one page to another. */
export const carried: { record: string | null } = { record: null }
export const SPEEDS = [0.5, 1, 2, 4]
const BREATH = 650 // ms between two moments, at speed 1

export class Replay extends Scene {
  /** Moments since the deal, with which it begins. */
  at = $state(0)
  moments: Moment[] = $state.raw([])
  eyes: Eyes = $state('open')
  running = $state(false)
  speed = $state(1)
  /** The number of each moment's first event, and of the one after the last. */
  firsts: number[] = $state.raw([0])
  /** The record's own text, if it was opened from a file. */
  record: string | null = $state(null)
  /** Log lines of the deal. */
  dealt = 0
  private views: View[] = []
  private known = new Map<Eyes, Promise<LoadedReplay>>()
  private chairs: ChairInfo[] = []
  private ownSeats: number[] = [] // the reader's
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly table: string | null,
    record: string | null = null,
  ) {
    super()
    this.record = record
  }

  /** Switch the viewpoint at the same moment. */
  async showViewpoint(eyes: Eyes, line = this.line): Promise<void> {
    const recording = await this.fetchRecording(eyes)
    this.dropAnimations()
    this.eyes = eyes
    this.options = recording.options
    const chosen = recording.moments.findIndex((moment) => moment.actor >= 0)
    this.dealt = chosen < 0 ? recording.moments.length : chosen
    this.moments = recording.moments.slice(this.dealt)
    const deal = recording.moments.slice(0, this.dealt)
    const events = deal.flatMap((moment) => moment.events ?? [])
    this.views = [deal.reduce((view, moment) => applyPatch(view, moment.patch), recording.view)]
    this.firsts = [events.length]
    for (const moment of this.moments) {
      this.views.push(applyPatch(this.views.at(-1)!, moment.patch))
      events.push(...(moment.events ?? []))
      this.firsts.push(events.length)
    }
    this.events = events
    if (!this.people.length) await this.loadPlayers(recording)
    this.game = recording.game
    this.seat = eyes === 'open' ? null : eyes
    this.goToMoment(line - this.dealt)
  }

  /** The view at a moment. */
  protected viewAtMoment(at: number): View | undefined {
    return this.views[at]
  }

  /** Log lines so far: the unit of addresses and records. */
  get line(): number {
    return this.at + this.dealt
  }

  /** Go to a moment at once. */
  goToMoment(at: number): void {
    this.dropAnimations()
    this.at = Math.max(0, Math.min(at, this.moments.length))
    this.view = this.views[this.at]
    this.seen = this.firsts[this.at]!
    this.pointed = []
  }

  /** Advance by one moment, animated. */
  stepForward(): void {
    if (this.at >= this.moments.length) return void (this.running = false)
    if (this.busy) this.goToMoment(this.at)
    const moment = this.moments[this.at]!
    this.at++
    this.enqueueEvents(
      (moment.events ?? []).length,
      this.views[this.at]!,
      () => this.running && this.scheduleNextStep(),
      this.firsts[this.at - 1]!,
    )
  }

  stepBack(): void {
    this.stopPlaying()
    this.goToMoment(this.at - 1)
  }

  startPlaying(): void {
    if (this.at >= this.moments.length) this.goToMoment(0)
    this.running = true
    this.stepForward()
  }

  stopPlaying(): void {
    this.running = false
    clearTimeout(this.timer)
  }

  /** Navigate manually: stops playing. */
  stopAndNavigate(go: () => unknown): void {
    this.stopPlaying()
    go()
  }

  /** The seats' names in the current language. */
  namePlayers(): void {
    this.people = seatedPeople(this.game, this.chairs, this.ownSeats, this.palette)
  }

  protected override animationTimeShare(): number {
    return 1 / this.speed
  }

  private scheduleNextStep(): void {
    clearTimeout(this.timer)
    const quiet = (this.moments[this.at - 1]?.events ?? []).length === 0
    this.timer = setTimeout(() => this.running && this.stepForward(), (quiet ? 60 : BREATH) / this.speed)
  }

  private fetchRecording(eyes: Eyes): Promise<LoadedReplay> {
    let recording = this.known.get(eyes)
    if (!recording) {
      recording =
        this.record === null
          ? get<LoadedReplay>(`/api/tables/${this.table}/replay?eyes=${eyes}`)
          : post<LoadedReplay>(`/api/replay?eyes=${eyes}`, { record: this.record })
      recording.catch(() => this.known.delete(eyes))
      this.known.set(eyes, recording)
    }
    return recording
  }

  /** Who sat where: a table knows its chairs, a record only names, if any. */
  private async loadPlayers(recording: LoadedReplay): Promise<void> {
    const [info] = await Promise.all([fetchGameInfo(recording.game), fetchBotLevels()])
    this.palette = info?.colours ?? []
    const welcome = this.record === null ? await get<Welcome>(`/api/tables/${this.table}`) : null
    const table = welcome?.table
    this.ownSeats = table?.hot_seat ? [] : (welcome?.seats ?? [])
    this.chairs =
      table?.chairs ?? Array.from({ length: recording.players }, (_, seat) => ({ name: recording.seats[seat] ?? '' }))
    this.game = recording.game
    this.namePlayers()
  }

  choose(_choice: Choice): void {}
  explainIllegalMove(): void {}
}
