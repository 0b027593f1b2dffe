// Counting at the end of a match: the rows one after the other from the last place up, thing by thing.
import { animationTimeFactor } from '../lib/settings.svelte'

const THING = 220 // milliseconds
const MOST = 8000 // milliseconds for all rows together

export interface Counted {
  key: number
  /** How many things are counted one after the other. */
  things: number
}

export class Count<R extends Counted> {
  private beat = $state(0)
  /** The beat at which each row begins. It has one more than things: there its sum is read. */
  private readonly plan = $derived.by(() => {
    const starts = new Map<number, number>()
    let beats = 0
    for (const row of [...this.rows()].reverse()) {
      starts.set(row.key, beats)
      beats += row.things + 1
    }
    return { starts, beats }
  })
  readonly done = $derived(this.beat >= this.plan.beats)

  /** To be called while a component is set up. */
  constructor(private readonly rows: () => R[]) {
    $effect(() => {
      const step = Math.min(THING * animationTimeFactor(), MOST / Math.max(1, this.plan.beats))
      if (!step) return this.skipToEnd()
      const timer = setInterval(() => {
        this.beat++
        if (this.done) clearInterval(timer)
      }, step)
      return () => clearInterval(timer)
    })
  }

  skipToEnd(): void {
    this.beat = Infinity
  }

  /** How many things of a row are counted; below 0 until its turn comes. */
  countedThingsOf(row: R): number {
    return Math.min(row.things, this.beat - this.plan.starts.get(row.key)!)
  }

  /** Whether a row's sum is there. */
  isRowCounted(row: R): boolean {
    return this.beat > this.plan.starts.get(row.key)! + row.things
  }
}
