// What others did since one's own turn: which actions are shown, whether it is open, and the sentence of each.
import { untrack } from 'svelte'
import type { GameUi } from '../../games/gameUi'
import { othersActionsSinceLastTurn, leadEventNumber, type Action } from '../../lib/eventActions'
import { guideOfTable } from '../../lib/guideProgressStorage'
import { splitMarkedText, t, type Piece } from '../../lib/i18n.svelte'
import type { LiveTable } from '../../lib/liveTable.svelte'
import type { Scene } from '../../lib/scene.svelte'
import { settings } from '../../lib/settings.svelte'
import { logLineOf } from '../logText'
import { groupEventsBySentence } from '../logTurns'

const FIRST_TABLES = 3 // tables at which it opens by itself

/** A sentence of an action: what was done, and what it means for the reader. */
interface Said {
  /** The number of its first event. */
  first: number
  deed: Piece[]
  /** It follows the deed where there is room for it. */
  route: string
  /** Null: the reader is not affected. */
  meaning: Piece[] | null
  /** The meaning is shown after the deed, not instead of it. */
  besides: boolean
}

function describedSentencesOf(live: Scene, ui: GameUi, action: Action): Said[] {
  const { events } = live
  const recap = ui.recap!
  const mine = (live.seat === null ? undefined : action.touches.get(live.seat)) ?? []
  const described = action.described.filter((n) => mine.includes(n) || !ui.hasNoLogLine(events[n]!))
  return groupEventsBySentence(
    events,
    described.length ? described : [leadEventNumber(action)],
    recap.joins ?? ui.joinsPreviousSentence,
  ).map((numbers) => {
    const group = numbers.map((n) => events[n]!)
    const last = group.pop()!
    const touched = numbers.filter((n) => mine.includes(n))
    const part = touched.length ? recap.part(live, touched.at(-1)!) : null
    const own = part?.sentence?.()
    const line = recap.line?.(live, [...group, last])
    const deed =
      described.length && ui.hasNoLogLine(last)
        ? []
        : line
          ? splitMarkedText(line)
          : logLineOf(live, ui, last, group).words
    return {
      first: numbers[0]!,
      deed,
      route: recap.routeText?.([...group, last]) ?? '',
      meaning: own ? splitMarkedText(own) : touched.length ? deed : null,
      besides: own !== undefined && part!.besides === true,
    }
  })
}

/** Sentences one after another, with what the language puts between them. */
function joinSentencePieces(all: Piece[][]): Piece[] {
  const between = { text: t('list.sentences', { a: '', b: '' }), strong: false }
  return all.filter((words) => words.length).flatMap((words, i) => (i ? [between, ...words] : words))
}

/** What was done, and from where to where. */
const deedWithRoute = ({ deed, route }: Said): Piece[] =>
  route && deed.length ? [...deed, { text: ` ${route}`, strong: true }] : deed

/** What was done in an action, as the log says it. */
export const actionDeeds = (scene: Scene, ui: GameUi, action: Action): Piece[] =>
  joinSentencePieces(describedSentencesOf(scene, ui, action).map((one) => one.deed))

/** All that an action was, in the reader's sentences. */
export function actionSentence(live: LiveTable, ui: GameUi, action: Action): Piece[] {
  const said = describedSentencesOf(live, ui, action)
  return joinSentencePieces(
    said.flatMap((one) => {
      if (one.besides) return [deedWithRoute(one), one.meaning!]
      return [one.meaning && one.meaning !== one.deed ? one.meaning : deedWithRoute(one)]
    }),
  )
}

/** The sentence of an action that tells event number `n` while it is shown: what it means for the reader, otherwise what is
 * done. What is shown after a deed may not be drawn yet. */
export function sentenceAtEvent(live: LiveTable, ui: GameUi, action: Action, n: number): Piece[] {
  const said = describedSentencesOf(live, ui, action)
  const one = said.findLast(({ first }) => first <= n) ?? said[0]!
  return one.besides && one.deed.length ? one.deed : (one.meaning ?? one.deed)
}

/** Something that happened to the reader, and how many times. */
export interface Befallen {
  action: Action
  words: Piece[]
  count: number
}

/** All that happened to the reader, in order; the same sentence is shown once. */
export function eventsBefallingReader(live: LiveTable, ui: GameUi, actions: Action[]): Befallen[] {
  const found = new Map<string, Befallen>()
  for (const action of actions.filter((one) => one.touches.has(live.seat ?? -1)))
    for (const { meaning } of describedSentencesOf(live, ui, action)) {
      if (!meaning) continue
      const key = `${action.doer} ${meaning.map((piece) => piece.text).join('')}`
      const same = found.get(key)
      if (same) same.count++
      else found.set(key, { action, words: meaning, count: 1 })
    }
  return [...found.values()]
}

/** The `most` gravest of them, strikes before all else, in their order. */
export function mostSevereOf(all: Befallen[], most: number): Befallen[] {
  const strikes = (one: Befallen): number => (one.action.weight === 'strike' ? 0 : 1)
  const kept = [...all].sort((a, b) => strikes(a) - strikes(b)).slice(0, most)
  return all.filter((one) => kept.includes(one))
}

export class Recap {
  private found: Action[] = $state.raw([])
  /** The history in which they were found. */
  private era = -1
  open = $state(false)
  /** The action whose sentence is shown. */
  chosen: Action | null = $state.raw(null)

  /** The actions for which it was opened by hand. */
  private requested: Action[] = $state.raw([])

  /** Must be created while a component initialises. Where it is crowded out it is shown only by hand. */
  constructor(
    readonly live: LiveTable,
    readonly ui: () => GameUi,
    private readonly isCrowdedOut = (): boolean => false,
  ) {
    $effect(() => {
      const { view, seat, rules, choices, busy, events } = live
      if (!view || seat === null || !rules || busy || !choices.length || live.over) return
      const own = this.ui().recap?.whose(view) === seat && !this.ui().isSettingUp?.(view)
      untrack(() => {
        if (own) this.update(othersActionsSinceLastTurn(events, events.length, seat, rules))
        if (!this.open) live.forgetViewsBefore() // a page keeps nothing that it does not show
      })
    })
    $effect(() => {
      if (this.found.length && !this.actions.length)
        untrack(() => {
          this.found = []
          this.unchoose()
        })
    })
    $effect(() => void (live.recapOpen = this.shown))
    $effect(() => {
      if (live.sent || live.showing !== null || live.over) untrack(() => this.close())
    })
  }

  /** What others did; nothing if it was taken back since. */
  get actions(): Action[] {
    const last = this.found.at(-1)?.last ?? 0
    return last < this.live.events.length ? this.found : []
  }
  get available(): boolean {
    return this.actions.length > 0 && (this.live.showing === null || this.live.repeating > 0) && !this.live.over
  }

  get shown(): boolean {
    return this.open && this.available && (this.requested === this.found || !this.isCrowdedOut())
  }

  private update(actions: Action[]): void {
    const same = actions[0]?.first === this.found[0]?.first && actions.at(-1)?.last === this.found.at(-1)?.last
    if (same && this.era === this.live.era) return
    this.era = this.live.era
    this.found = actions
    this.unchoose()
    if (same) return // others of the same numbers
    // a guide has its own words
    this.open = actions.length > 0 && !guideOfTable(this.live.id) && (this.isEarly() || settings.recap)
  }

  /** Whether this is one of the reader's first tables. */
  private isEarly(): boolean {
    const { recapTables: known } = settings
    if (known.includes(this.live.id)) return true
    if (known.length >= FIRST_TABLES) return false
    settings.recapTables = [...known, this.live.id]
    return true
  }

  private close(): void {
    if (this.live.repeating) return
    if (this.open) this.live.forgetViewsBefore()
    this.open = false
    this.unchoose()
  }

  /** Open or close it by hand: it stays so. */
  toggle(): void {
    settings.recap = this.open = !this.shown
    this.requested = this.open ? this.found : []
    this.unchoose()
  }

  /** Point at an action's places and show it once more. */
  choose(action: Action): void {
    if (this.chosen === action) return this.unchoose()
    this.chosen = action
    if (this.live.canRepeatActions([action])) this.live.replayActions([action])
    this.ringPlaces()
  }

  /** Ring the places of the chosen action. */
  ringPlaces(): void {
    const { chosen, live } = this
    if (chosen) live.pointed = this.ui().placesOfEvent(live.events[leadEventNumber(chosen)]!)
  }

  private unchoose(): void {
    if (!this.chosen) return
    this.chosen = null
    this.live.pointed = []
  }

  /** Show everything once more. */
  replay(): void {
    this.unchoose()
    this.live.replayActions(this.actions)
  }
}
