// A person's selection in Atlantis: a figure, cards, a payment, a gap. Shared by the board and the panels around it.
import { choicesWithVerbs, type Verb } from '../../lib/scene.svelte'
import { settings } from '../../lib/settings.svelte'
import { paymentToPieces, sumOfPieces, cyclePaymentPiece, pieceValue, type Pieces } from './payment'
import type { Choice, GameEvent, Scene } from './sceneTypes'
import { turnResultOf, hopsOfCards, type Hop, type Result } from './turnResult'
import {
  tileFaceName,
  isTileFace,
  KINDS,
  MOVES,
  withoutConfirmation,
  type AtlantisView,
  type Cards,
  type Figure,
  type Gap,
  type Kind,
  type Payment,
  type Route,
} from './view'

export class Selection {
  /** The figure chosen on the board; read `mover`. */
  figure: Figure | null = $state(null)
  /** The cards chosen, in order. */
  cards: Kind[] = $state.raw([])
  /** A card pointed at: its route is drawn, too. */
  peek: Kind | null = $state(null)
  /** The switch of the bridge: while it is on, the turn waits for a gap once the tile is taken. */
  bridging = $state(false)
  /** Gaps are chosen now instead of cards; read `mode`. */
  aiming = $state(false)
  /** The gap to bridge, by its first position; the tile to buy cards with. */
  gap: number | null = $state(null)
  tile: string | null = $state(null)
  /** The chosen payment; null follows the suggestion. */
  chosen: Pieces | null = $state.raw(null)
  /** The keyboard's place. */
  focus = $state('atlantis')
  /** The part of the path a phone shows, from 0 to 1. */
  shown: [number, number] = $state.raw([0, 1])
  /** A place to scroll to; at once while a finger slides along the map. */
  seek: string | null = $state(null)
  sliding = false
  /** All choices are listed in words. */
  worded = $state(false)

  /** Choices that follow the one just sent, in words. */
  private pending: string[] = []
  private last: Choice[] = []
  /** The result of this turn's move was seen while the bridge could be laid. */
  private seen = false

  constructor(readonly scene: Scene) {}

  view = $derived.by(() => this.scene.view as AtlantisView | undefined)
  me = $derived.by(() => (this.scene.seat === null ? undefined : this.view?.seats[this.scene.seat]))
  hand: Cards = $derived(this.me?.hand ?? {})
  kinds: Kind[] = $derived(KINDS.filter((kind) => this.hand[kind]))
  /** Texts name positions and figures, or shall be understood: the board shows their numbers and letters. */
  named = $derived.by(() => {
    const { hint, notice, pointed, recapOpen, showing } = this.scene
    const spoken = hint !== null || pointed.length > 0 || recapOpen || showing !== null || Boolean(notice?.place)
    return settings.coordinates || this.worded || spoken
  })
  moves: Verb<Choice, 'move'>[] = $derived.by(() => choicesWithVerbs(this.scene.choices, ...MOVES))
  buys: Verb<Choice, 'buy'>[] = $derived.by(() => choicesWithVerbs(this.scene.choices, 'buy'))
  bridges: Verb<Choice, 'bridge'>[] = $derived.by(() => choicesWithVerbs(this.scene.choices, 'bridge'))
  pays: Choice[] = $derived.by(() => choicesWithVerbs(this.scene.choices, 'pay_card', 'pay_tile'))
  /** Keeping the bridge is asked for: the second chance to lay it (AT.T1). */
  keep: Choice | undefined = $derived.by(() => this.scene.choices.find((choice) => choice.verb === 'no_bridge'))
  /** That chance passes by itself: nobody wants it. */
  passing: boolean = $derived.by(
    () => this.keep !== undefined && this.scene.isPlaying && !this.bridging && !settings.askBridge,
  )

  mode: 'move' | 'buy' | 'bridge' | 'pay' | 'idle' = $derived.by(() => {
    if (!this.scene.choices.length || this.passing) return 'idle'
    if (this.pays.length) return 'pay'
    if (this.keep || (this.aiming && this.bridges.length)) return 'bridge'
    return this.buyChoiceOfTile(this.tile) ? 'buy' : 'move'
  })
  /** What the own move brought, until the next turn begins. */
  result: Result | null = $derived.by(() => {
    if (this.scene.seat === null || !this.view || !this.scene.isInteractive) return null
    return turnResultOf(this.scene.events.slice(0, this.scene.seen), this.scene.seat, this.view)
  })

  /** Own figures that some card can move now. */
  movable: Figure[] = $derived([...new Set(this.moves.map((choice) => choice.figure))])
  /** The figure that cards apply to: the only one that can move, unless another is chosen. */
  mover: Figure | null = $derived.by(() => {
    if (!this.moves.length) return null
    if (this.view?.phase === 'hopping') return this.view.move?.figure ?? null
    if (this.figure && this.me?.figures[this.figure] !== 'mainland') return this.figure
    return this.movable.length === 1 ? this.movable[0]! : null
  })
  /** Where the mover stands, and where its move began: its bill counts from there. */
  start: string = $derived(this.mover ? (this.me?.figures[this.mover] ?? 'atlantis') : 'atlantis')
  origin: string = $derived(this.view?.phase === 'hopping' ? (this.view.move?.from ?? this.start) : this.start)
  /** The first target of each card for that figure. */
  routes: Route[] = $derived(this.mover ? this.routesOfFigure(this.mover) : [])

  plan: Hop[] = $derived(hopsOfCards(this.routes, this.start, this.cards))
  done: boolean = $derived(this.plan.length > 0 && !this.plan.at(-1)!.route.occupied)
  /** The cards that stay if another one is chosen: it replaces one that leads to a free tile. */
  private kept: Kind[] = $derived(this.cards.slice(0, this.plan.length - Number(this.done)))
  private before: Hop | undefined = $derived(this.plan[this.kept.length - 1])
  /** The options for the next card, and where it begins. */
  open: Route[] = $derived(this.before ? (this.before.route.then ?? []) : this.routes)
  openFrom: string = $derived(this.before?.to ?? this.start)
  /** The plan with the card pointed at, if it fits. */
  drawn: Hop[] = $derived(
    this.peek && this.canPlayCard(this.peek)
      ? hopsOfCards(this.routes, this.start, [...this.kept, this.peek])
      : this.plan,
  )

  /** Something is selected for a move: everything but its goals steps back. */
  veils: boolean = $derived.by(
    () =>
      this.mode === 'move' &&
      (this.drawn.length > 0 ||
        (this.figure !== null && this.routes.some((route) => !route.rule)) ||
        (!this.mover && this.cards.length > 0)),
  )

  /** The amount due; the suggestion; the selection. */
  due: number = $derived(this.view?.move ? this.view.move.bill - this.view.move.paid : 0)
  advice: Payment | null = $derived.by(() =>
    this.pays.length ? (this.scene.preview.pay ?? null) : (this.drawn.at(-1)?.route.pay ?? null),
  )
  payment: Pieces = $derived(this.pays.length ? (this.chosen ?? paymentToPieces(this.advice)) : {})
  paying: number = $derived(sumOfPieces(this.payment))

  /** The places of the hint. */
  hinted: string[] = $derived.by(() => {
    const hint = this.scene.hint
    if (!hint) return []
    const [move] = choicesWithVerbs([hint], ...MOVES)
    if (move) return [move.from, move.to]
    return hint.verb === 'bridge' ? [String(hint.at)] : []
  })
  gapsLit: Gap[] = $derived.by(() =>
    this.mode === 'bridge' ? (this.view?.gaps ?? []).filter((gap) => this.bridgeChoiceAt(gap.at)) : [],
  )

  /** A figure's routes: the preview's, or what the choices say until it arrives. */
  private routesOfFigure(figure: Figure): Route[] {
    const routes = this.scene.preview.figures?.[figure]
    const legal = this.moves.filter((choice) => choice.figure === figure)
    if (routes && legal.every((choice) => routes.some((route) => route.card === choice.card && route.to === choice.to)))
      return routes
    return legal.map(({ card, to, bill, verb }) => ({ card, to, occupied: verb === 'hop', bill, takes: null }))
  }
  private canPlayCard(card: Kind): boolean {
    return this.open.some((route) => route.card === card && !route.rule)
  }

  /** Figures that this card can move first. */
  figuresMovableBy(card: Kind): Figure[] {
    return this.moves.filter((choice) => choice.card === card).map((choice) => choice.figure)
  }
  moveChoiceOf(figure: Figure, card: Kind): Choice | undefined {
    return this.moves.find((choice) => choice.figure === figure && choice.card === card)
  }
  bridgeChoiceAt(at: number): Verb<Choice, 'bridge'> | undefined {
    return this.bridges.find((choice) => choice.at <= at && at <= choice.to)
  }

  pickFigure(figure: Figure): void {
    this.aiming = false
    this.tile = null
    const again = this.figure === figure && this.view?.phase !== 'hopping'
    const waits =
      this.figure === null && this.cards.length === 1 && this.figuresMovableBy(this.cards[0]!).includes(figure)
    if (again || !waits) this.cards = []
    this.figure = again ? null : figure
    this.focus = this.me?.figures[figure] ?? this.focus
  }

  /** Select a card, or deselect it. */
  pickCard(card: Kind): void {
    this.peek = null
    this.tile = null
    if (!this.mover) {
      const able = this.figuresMovableBy(card)
      this.cards = this.cards[0] === card ? [] : [card]
      const places = new Set(able.map((figure) => this.me?.figures[figure]))
      if (places.size === 1 && this.cards.length) this.figure = able[0]!
      return
    }
    const chosen = this.cards.includes(card)
    if (this.canPlayCard(card) && !(chosen && this.done)) this.cards = [...this.kept, card]
    else if (chosen) this.cards = this.cards.slice(0, this.cards.lastIndexOf(card))
    else if (this.routes.some((route) => route.card === card && !route.rule)) this.cards = [card]
    else this.explainWhyNot(card)
  }

  /** Ask why a card cannot be played with the chosen figure. */
  explainWhyNot(card: Kind): void {
    const route = [...this.open, ...this.routes].find((one) => one.card === card)
    if (this.mover && route) this.scene.explainIllegalMove(this.mover, route.to)
  }

  /** Select a place for the plan; whether it was a target. */
  pickPlace(place: string): boolean {
    if (this.done && this.plan.at(-1)!.to === place) {
      this.playSelectedCards()
      return true
    }
    const route = this.open.find((one) => one.to === place && !one.rule)
    if (route) this.cards = [...this.kept, route.card]
    return route !== undefined
  }

  /** Play the selected cards one after the other. */
  playSelectedCards(): void {
    if (this.mover && this.done) this.playTexts(this.plan.map((hop) => `${this.mover} ${hop.card}`))
  }

  /** How many of a piece may be paid. */
  countPayable(piece: string): number {
    if (isTileFace(piece)) return this.me?.tiles.filter((tile) => tileFaceName(tile) === piece).length ?? 0
    return (this.hand[piece as Kind] ?? 0) - (this.view?.may_not_pay?.[piece as Kind] ?? 0)
  }
  /** Add a piece to the payment or remove it. */
  cyclePaymentPiece(piece: string): void {
    if (this.countPayable(piece) > 0)
      this.chosen = cyclePaymentPiece(this.payment, piece, this.countPayable(piece), this.due)
  }
  /** Pay the selection, piece by piece, the most expensive first. */
  playPayment(): void {
    if (this.paying < this.due) return
    const pieces = Object.entries(this.payment).sort(([a], [b]) => pieceValue(b) - pieceValue(a))
    this.playTexts(pieces.flatMap(([piece, n]) => Array.from({ length: n }, () => `pay ${piece}`)))
  }

  /** The purchase for a tile, if one is allowed. */
  buyChoiceOfTile(face: string | null): Verb<Choice, 'buy'> | undefined {
    return this.buys.find((choice) => `${choice.tile}${choice.value}` === face)
  }

  /** Select a tile to buy cards with, or deselect it. */
  pickTile(face: string): void {
    const again = this.tile === face
    this.clearSelection()
    this.tile = again ? null : face
  }

  /** Switch the bridge on: show its gaps, if there are any yet. Or off. */
  toggleBridge(): void {
    this.bridging = this.aiming = !this.bridging
    this.gap = this.tile = null
  }
  layBridge(): void {
    const choice = this.gap === null ? undefined : this.bridgeChoiceAt(this.gap)
    if (choice) this.playChoice(choice)
  }

  playChoice(choice: Choice): void {
    this.clearSelection()
    if (choice.verb === 'bridge' || choice.verb === 'no_bridge') this.bridging = false
    this.scene.choose(withoutConfirmation(choice))
  }

  clearSelection(): void {
    if (this.aiming) this.bridging = this.aiming = false
    this.figure = this.peek = this.tile = this.gap = this.chosen = null
    this.cards = []
  }
  /** Close what is open, one thing after the other: the list of words, then the selection. */
  closeLatest(): void {
    if (this.worded) this.worded = false
    else this.clearSelection()
  }

  /** New choices: continue the plan, or start over. */
  handleNewChoices(choices: Choice[]): void {
    if (choices === this.last) return
    this.last = choices
    if (!choices.length) return
    this.seen = this.keep !== undefined
    if (this.pending.length) this.playNextPending()
    else if (this.view?.phase !== 'start') this.clearSelection()
  }
  /** Let the second chance to lay the bridge pass. */
  passSecondChance(): void {
    if (this.passing) this.playChoice(this.keep!)
  }
  /** How long the result stays, in ms, before an event of the next turn is drawn. */
  resultRestMs(event: GameEvent): number {
    return event.kind === 'turn' && this.result && !this.seen ? resultReadingMs() : 0
  }

  private playTexts(texts: string[]): void {
    this.pending = texts
    this.playNextPending()
  }
  private playNextPending(): void {
    const choice = this.scene.choices.find((one) => one.text === this.pending[0])
    this.pending = choice && !this.scene.goal ? this.pending.slice(1) : [] // a puzzle has one choice: nothing follows it
    if (!this.pending.length) this.clearSelection()
    if (choice) this.scene.choose(withoutConfirmation(choice))
  }
}

/** How long the result of a move is read, in ms. */
export const resultReadingMs = (): number => (settings.speed === 'none' ? 350 : 1200)

const selections = new WeakMap<Scene, Selection>()

export function selectionOf(scene: Scene): Selection {
  let found = selections.get(scene)
  if (!found) selections.set(scene, (found = new Selection(scene)))
  return found
}
