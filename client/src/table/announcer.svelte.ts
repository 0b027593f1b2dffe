// What is read aloud, in one order: what happened, then what is asked; an answer to a key at once.
import { joinSentences } from '../lib/i18n.svelte'
import type { Scene } from '../lib/scene.svelte'

/** How long more may follow before it is read, in ms. */
const GATHER = 250
/** Lines that are read of what happened at once, the last ones; and texts that the page keeps for the reader. */
const LINES = 24
const KEPT = 3

export class Announcer {
  /** The texts of the live region, the newest last. */
  texts: { n: number; text: string }[] = $state.raw([])

  /** What the game says with its question. */
  detail: ((scene: Scene) => string) | undefined = $state.raw()
  /** How many earlier lines are left out, in words. */
  leftOut: ((n: number) => string) | undefined

  private count = 0
  private news: string[] = []
  private question = ''
  /** The question is still to be read. */
  private pending = false
  private timer: ReturnType<typeof setTimeout> | undefined
  /** What happened last, as it was read. */
  private last: string[] = []

  /** Something happened: it is read in its order. */
  tell(line: string): void {
    this.news.push(line)
    this.gather()
  }

  /** The question of now: read after all that happened; `again`, even if it is the same. */
  ask(question: string, again: boolean): void {
    if (question === this.question && !again) return
    this.question = question
    this.pending = true
    this.gather()
  }

  /** The answer to a key or a touch, at once; nothing of what waits is lost. */
  answer(text: string): void {
    if (text) this.read(text)
  }

  /** The last news and question again. */
  repeat(): void {
    this.read(joinSentences([...this.last, this.question]))
  }

  /** What was told may have to be forgotten. */
  forget(): void {
    this.texts = []
    this.news = []
    this.last = []
  }

  private gather(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.readGathered(), GATHER)
  }

  private readGathered(): void {
    const more = this.news.length - LINES
    const before = more > 0 ? (this.leftOut?.(more) ?? '') : ''
    const lines = [before, ...this.news.slice(-LINES)].filter(Boolean)
    this.read(joinSentences([...lines, this.pending ? this.question : '']))
    if (lines.length) this.last = lines
    this.news = []
    this.pending = false
  }

  private read(text: string): void {
    if (text) this.texts = [...this.texts.slice(1 - KEPT), { n: this.count++, text }]
  }
}

const announcers = new WeakMap<Scene, Announcer>()

/** The announcer of a scene. */
export function announcerOf(scene: Scene): Announcer {
  let found = announcers.get(scene)
  if (!found) announcers.set(scene, (found = new Announcer()))
  return found
}
