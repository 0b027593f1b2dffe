// The progress of a guide: the current lesson, the completed ones, and the end. Independent of the game.
import { untrack } from 'svelte'
import { saveGuideProgress, readGuideProgress } from '../lib/guideProgressStorage'
import type { LiveTable } from '../lib/liveTable.svelte'
import type { GameEvent } from '../lib/scene.svelte'
import type { GuideData, Lesson } from './guideData'
import { matchesTree, valuesAtPath, triggerHolds, type Moment } from './lessonTrigger'

const READ = 7000 // ms that a lesson without a condition stays, unless dismissed
const AT_ONCE = 2 // lessons to read in one position (same as tests/guide_walkthrough.py)
const SOME = 4 // places pointed at, at most

/** What a lesson points at now. */
export interface Aim {
  places: string[]
  controls: string[]
}

export class Course {
  met: string[] = $state.raw([])
  now: Lesson | null = $state.raw(null)
  /** Hidden: only the pill is left. */
  off = $state(false)
  /** It had ended before, and its final card was dismissed. */
  closed = $state(false)
  private waiting: Lesson[] = [] // triggered by events that will not repeat
  private since = 0
  private position: unknown // the choices that `readHere` lessons were read at
  private readHere = 0

  constructor(
    readonly live: LiveTable,
    readonly data: GuideData,
  ) {
    const memory = readGuideProgress(live.game, data.id)
    this.met = memory.met ?? []
    this.off = memory.off ?? false
    this.closed = memory.done ?? false
  }

  /** The required lessons. */
  get requiredLessons(): Lesson[] {
    return this.data.lessons.filter((lesson) => !lesson.extra)
  }
  get completedCount(): number {
    return this.requiredLessons.filter((lesson) => this.met.includes(lesson.id)).length
  }
  /** Whether all required lessons are completed. */
  get isCompleted(): boolean {
    return this.completedCount === this.requiredLessons.length
  }
  /** The index among required lessons in the order of this match; null for others. */
  lessonNumber(lesson: Lesson): number | null {
    if (lesson.extra) return null
    return this.requiredLessons.filter((one) => one !== lesson && this.met.includes(one.id)).length + 1
  }
  guideText(key: string): string {
    const whole = key ? `${this.data.id}.${key}` : this.data.id
    return this.data.texts[whole] ?? whole
  }

  private currentMoment(event: GameEvent | null = null): Moment {
    const { live } = this
    return {
      seat: live.seat ?? this.data.seat,
      view: live.view as unknown as Record<string, unknown>,
      choices: live.choices as unknown as Record<string, unknown>[],
      event: event as Record<string, unknown> | null,
      met: this.met,
      deeds: live.deeds,
    }
  }

  /** Check whether a lesson is due or the current one is completed. */
  updateCurrentLesson(event: GameEvent | null = null): void {
    if (!this.live.view) return
    const moment = this.currentMoment(event)
    if (this.now && this.endIfCompletedOrPast(this.now, moment)) return
    const fresh = this.data.lessons.filter(
      (lesson) =>
        lesson !== this.now &&
        !this.met.includes(lesson.id) &&
        !this.waiting.includes(lesson) &&
        triggerHolds(lesson.when, moment),
    )
    if (event) this.waiting.push(...fresh.filter((lesson) => 'event' in lesson.when))
    if (this.position !== this.live.choices) [this.position, this.readHere] = [this.live.choices, 0]
    const next = fresh.find((lesson) => this.mayBeShownNow(lesson)) ?? this.waiting[0]
    if (next && this.completeIfReplaceable()) this.showLesson(next)
  }

  /** Lessons that are only read wait for the next position if this one had enough of them. */
  private mayBeShownNow(lesson: Lesson): boolean {
    const waits = lesson.until !== undefined && !lesson.read
    return !this.waiting.includes(lesson) && (waits || this.readHere < AT_ONCE)
  }
  /** Whether the current lesson was completed, or its moment has passed: then it will come again. */
  private endIfCompletedOrPast(lesson: Lesson, moment: Moment): boolean {
    if (lesson.until && triggerHolds(lesson.until, moment)) {
      this.completeLesson(lesson)
      return true
    }
    const asked = moment.view.actor !== moment.seat || moment.choices.length > 0
    if (lesson.until && !('event' in lesson.when) && asked && !triggerHolds(lesson.when, moment)) this.now = null
    return false
  }
  private completeIfReplaceable(): boolean {
    if (!this.now) return true
    if (this.now.until && !this.now.read) return false
    if (performance.now() - this.since < READ) return false
    this.recordCompleted(this.now)
    return true
  }
  private showLesson(lesson: Lesson): void {
    this.now = lesson
    if (!lesson.until || lesson.read) this.readHere++
    this.since = performance.now()
    this.waiting = this.waiting.filter((one) => one !== lesson)
  }
  private recordCompleted(lesson: Lesson): void {
    this.met = [...this.met, lesson.id]
    saveGuideProgress(this.live.game, this.data.id, { met: this.met })
  }
  /** Complete a lesson; the next due one follows at once. */
  completeLesson(lesson: Lesson): void {
    this.recordCompleted(lesson)
    this.now = null
    this.live.pointed = []
    if (this.isCompleted) saveGuideProgress(this.live.game, this.data.id, { done: true })
    this.updateCurrentLesson()
  }
  setTurnedOff(off: boolean): void {
    this.off = off
    if (off) this.live.pointed = []
    saveGuideProgress(this.live.game, this.data.id, { off })
  }
  closeGuide(): void {
    this.closed = true
  }

  /** What the current lesson points at. */
  get currentTargets(): Aim {
    const aim: Aim = { places: [], controls: [] }
    if (!this.now || this.off || !this.live.view) return aim
    const moment = this.currentMoment()
    for (const point of this.now.point ?? []) {
      if (typeof point === 'string') aim.places.push(point)
      else if ('control' in point) aim.controls.push(point.control)
      else if ('view' in point) aim.places.push(...valuesAtPath(moment.view, point.view, moment).map(String))
      else {
        const places = moment.choices
          .filter((choice) => matchesTree(choice, point.choice, moment))
          .map((choice) => String(choice[point.part]))
        aim.places.push(...new Set(places))
      }
    }
    aim.places = [...new Set(aim.places)].slice(0, SOME)
    return aim
  }

  /** Follow a table until it is left. */
  followTable(): () => void {
    const passEventToCourse = (event: GameEvent): void => untrack(() => this.updateCurrentLesson(event))
    this.live.listeners.push(passEventToCourse)
    return () => void (this.live.listeners = this.live.listeners.filter((one) => one !== passEventToCourse))
  }
}
