// A list that does not move under a pointer or a finger: its order waits until that is gone. Rows change where they
// stand; those that are gone stay, marked.
export interface Steady<T> {
  row: T
  gone: boolean
}

export class SteadyRows<T> {
  private held = $state(false)
  private kept: T[] = $state.raw([])
  /** The rows in their order, as they are now. */
  rows: Steady<T>[]

  constructor(now: () => T[], key: (row: T) => string) {
    $effect(() => {
      if (!this.held) this.kept = now()
    })
    this.rows = $derived.by(() => {
      const found = now()
      if (!this.held) return found.map((row) => ({ row, gone: false }))
      const current = new Map(found.map((row) => [key(row), row]))
      return this.kept.map((row) => ({ row: current.get(key(row)) ?? row, gone: !current.has(key(row)) }))
    })
  }

  holdOrder = (): void => {
    this.held = true
  }
  releaseOrder = (): void => {
    this.held = false
  }
}
