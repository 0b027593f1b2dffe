// What others did since one's own turn: which actions are shown, whether it is open, and the sentence of each.
import { untrack } from 'svelte'
import type { GameUi } from '../../games/gameUi'
import { actionsSince, leadOf, type Action } from '../../lib/actions'
import { guideAt } from '../../lib/guideProgress'
import { pieces, type Piece } from '../../lib/i18n.svelte'
import type { LiveTable } from '../../lib/liveTable.svelte'
import { settings } from '../../lib/settings.svelte'
import { lineOf } from '../logText'

const FIRST_TABLES = 3 // tables at which it opens by itself

/** An action in the reader's sentences: what it means for them, otherwise what was done. */
export function sentenceOf(live: LiveTable, ui: GameUi, action: Action): Piece[] {
  const touched = live.seat === null ? undefined : action.touches.get(live.seat)
  const own = touched === undefined ? undefined : ui.recap!.part(live, touched)?.sentence?.()
  if (own) return pieces(own)
  const shown = touched === undefined ? action.leads : [touched]
  const lines = shown.map((n) => live.events[n]!).filter((event) => shown.length === 1 || !ui.silent(event))
  return lines.flatMap((event, i) => [...(i ? [{ text: ' ', strong: false }] : []), ...lineOf(live, ui, event).words])
}

export class Recap {
  actions: Action[] = $state.raw([])
  open = $state(false)
  /** The action whose sentence is shown. */
  chosen: Action | null = $state.raw(null)
  /** The first event shown: another one is another turn. */
  private first = -1

  /** Must be created while a component initialises. */
  constructor(
    readonly live: LiveTable,
    readonly ui: () => GameUi,
  ) {
    $effect(() => {
      const { view, seat, rules, choices, busy, events } = live
      if (!view || seat === null || !rules || busy || !choices.length || live.over) return
      const own = this.ui().recap?.whose(view) === seat && !this.ui().settingUp?.(view)
      untrack(() => {
        if (own) this.turn(actionsSince(events, events.length, seat, rules))
        if (!this.open) live.forgetShown() // a page keeps nothing that it does not show
      })
    })
    $effect(() => {
      if (live.sent || live.showing !== null || live.over) untrack(() => this.fold())
    })
  }

  /** What touched the reader most: a strike before anything else, and of equals the last. */
  get gravest(): Action | null {
    const touching = this.actions.filter((action) => action.touches.has(this.live.seat ?? -1))
    return touching.findLast((action) => action.weight === 'strike') ?? touching.at(-1) ?? null
  }
  get available(): boolean {
    return this.actions.length > 0 && (this.live.showing === null || this.live.repeating > 0) && !this.live.over
  }

  private turn(actions: Action[]): void {
    const first = actions[0]?.first ?? -1
    if (first === this.first) return
    this.first = first
    this.actions = actions
    this.chosen = null
    // a guide has its own words
    this.open = actions.length > 0 && !guideAt(this.live.id) && (this.always() || settings.recap)
  }

  /** Whether this is one of the reader's first tables. */
  private always(): boolean {
    const { recapTables: known } = settings
    if (known.includes(this.live.id)) return true
    if (known.length >= FIRST_TABLES) return false
    settings.recapTables = [...known, this.live.id]
    return true
  }

  private fold(): void {
    if (this.live.repeating) return
    if (this.open) this.live.forgetShown()
    this.open = false
    this.drop()
  }

  /** Open or close it by hand: it stays so. */
  toggle(): void {
    settings.recap = this.open = !this.open
    this.drop()
  }

  /** Point at an action's places and show it once more. */
  choose(action: Action): void {
    if (this.chosen === action) return this.drop()
    this.chosen = action
    if (this.live.canRepeat([action])) this.live.showAgain([action])
    this.point()
  }

  /** Ring the places of the chosen action. */
  point(): void {
    const { chosen, live } = this
    if (chosen) live.pointed = this.ui().places(live.events[leadOf(chosen)]!)
  }

  private drop(): void {
    if (!this.chosen) return
    this.chosen = null
    this.live.pointed = []
  }

  /** Show everything once more. */
  again(): void {
    this.drop()
    this.live.showAgain(this.actions)
  }
}
