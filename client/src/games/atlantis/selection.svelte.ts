// A person's selection in Atlantis: a figure, cards, a payment, a gap. Shared by the board and the panels around it.
import { choicesWith, type Verb } from '../../lib/scene.svelte'
import { settings } from '../../lib/settings.svelte'
import { piecesOf, sumOf, togglePiece, worthOf, type Pieces } from './payment'
import type { Choice, GameEvent, Scene } from './scene'
import { resultOf, walkCards, type Hop, type Result } from './turn'
import {
  faceOf,
  isTile,
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
  moves: Verb<Choice, 'move'>[] = $derived.by(() => choicesWith(this.scene.choices, ...MOVES))
  buys: Verb<Choice, 'buy'>[] = $derived.by(() => choicesWith(this.scene.choices, 'buy'))
  bridges: Verb<Choice, 'bridge'>[] = $derived.by(() => choicesWith(this.scene.choices, 'bridge'))
  pays: Choice[] = $derived.by(() => choicesWith(this.scene.choices, 'pay_card', 'pay_tile'))
  /** Keeping the bridge is asked for: the second chance to lay it (AT.T1). */
  keep: Choice | undefined = $derived.by(() => this.scene.choices.find((choice) => choice.verb === 'no_bridge'))
  /** That chance passes by itself: nobody wants it. */
  passing: boolean = $derived.by(
    () => this.keep !== undefined && this.scene.playing && !this.bridging && !settings.askBridge,
  )

  mode: 'move' | 'buy' | 'bridge' | 'pay' | 'idle' = $derived.by(() => {
    if (!this.scene.choices.length || this.passing) return 'idle'
    if (this.pays.length) return 'pay'
    if (this.keep || (this.aiming && this.bridges.length)) return 'bridge'
    return this.buyOf(this.tile) ? 'buy' : 'move'
  })
  /** What the own move brought, until the next turn begins. */
  result: Result | null = $derived.by(() => {
    if (this.scene.seat === null || !this.view || !this.scene.live) return null
    return resultOf(this.scene.events.slice(0, this.scene.seen), this.scene.seat, this.view)
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
  routes: Route[] = $derived(this.mover ? this.routesOf(this.mover) : [])

  plan: Hop[] = $derived(walkCards(this.routes, this.start, this.cards))
  done: boolean = $derived(this.plan.length > 0 && !this.plan.at(-1)!.route.occupied)
  /** The cards that stay if another one is chosen: it replaces one that leads to a free tile. */
  private kept: Kind[] = $derived(this.cards.slice(0, this.plan.length - Number(this.done)))
  private before: Hop | undefined = $derived(this.plan[this.kept.length - 1])
  /** The options for the next card, and where it begins. */
  open: Route[] = $derived(this.before ? (this.before.route.then ?? []) : this.routes)
  openFrom: string = $derived(this.before?.to ?? this.start)
  /** The plan with the card pointed at, if it fits. */
  drawn: Hop[] = $derived(
    this.peek && this.fits(this.peek) ? walkCards(this.routes, this.start, [...this.kept, this.peek]) : this.plan,
  )

  /** The amount due; the suggestion; the selection. */
  due: number = $derived(this.view?.move ? this.view.move.bill - this.view.move.paid : 0)
  advice: Payment | null = $derived.by(() =>
    this.pays.length ? (this.scene.preview.pay ?? null) : (this.drawn.at(-1)?.route.pay ?? null),
  )
  payment: Pieces = $derived(this.pays.length ? (this.chosen ?? piecesOf(this.advice)) : {})
  paying: number = $derived(sumOf(this.payment))

  /** The places of the hint. */
  hinted: string[] = $derived.by(() => {
    const hint = this.scene.hint
    if (!hint) return []
    const [move] = choicesWith([hint], ...MOVES)
    if (move) return [move.from, move.to]
    return hint.verb === 'bridge' ? [String(hint.at)] : []
  })
  gapsLit: Gap[] = $derived.by(() =>
    this.mode === 'bridge' ? (this.view?.gaps ?? []).filter((gap) => this.bridgeAt(gap.at)) : [],
  )

  /** A figure's routes: the preview's, or what the choices say until it arrives. */
  private routesOf(figure: Figure): Route[] {
    const routes = this.scene.preview.figures?.[figure]
    const legal = this.moves.filter((choice) => choice.figure === figure)
    if (routes && legal.every((choice) => routes.some((route) => route.card === choice.card && route.to === choice.to)))
      return routes
    return legal.map(({ card, to, bill, verb }) => ({ card, to, occupied: verb === 'hop', bill, takes: null }))
  }
  private fits(card: Kind): boolean {
    return this.open.some((route) => route.card === card && !route.rule)
  }

  /** Figures that this card can move first. */
  figuresFor(card: Kind): Figure[] {
    return this.moves.filter((choice) => choice.card === card).map((choice) => choice.figure)
  }
  choiceOf(figure: Figure, card: Kind): Choice | undefined {
    return this.moves.find((choice) => choice.figure === figure && choice.card === card)
  }
  bridgeAt(at: number): Verb<Choice, 'bridge'> | undefined {
    return this.bridges.find((choice) => choice.at <= at && at <= choice.to)
  }

  pickFigure(figure: Figure): void {
    this.aiming = false
    this.tile = null
    const again = this.figure === figure && this.view?.phase !== 'hopping'
    const waits = this.figure === null && this.cards.length === 1 && this.figuresFor(this.cards[0]!).includes(figure)
    if (again || !waits) this.cards = []
    this.figure = again ? null : figure
    this.focus = this.me?.figures[figure] ?? this.focus
  }

  /** Select a card, or deselect it. */
  pickCard(card: Kind): void {
    this.peek = null
    this.tile = null
    if (!this.mover) {
      const able = this.figuresFor(card)
      this.cards = this.cards[0] === card ? [] : [card]
      const places = new Set(able.map((figure) => this.me?.figures[figure]))
      if (places.size === 1 && this.cards.length) this.figure = able[0]!
      return
    }
    const chosen = this.cards.includes(card)
    if (this.fits(card) && !(chosen && this.done)) this.cards = [...this.kept, card]
    else if (chosen) this.cards = this.cards.slice(0, this.cards.lastIndexOf(card))
    else if (this.routes.some((route) => route.card === card && !route.rule)) this.cards = [card]
    else this.why(card)
  }

  /** Ask why a card cannot be played with the chosen figure. */
  why(card: Kind): void {
    const route = [...this.open, ...this.routes].find((one) => one.card === card)
    if (this.mover && route) this.scene.explain(this.mover, route.to)
  }

  /** Select a place for the plan; whether it was a target. */
  pickPlace(place: string): boolean {
    if (this.done && this.plan.at(-1)!.to === place) {
      this.go()
      return true
    }
    const route = this.open.find((one) => one.to === place && !one.rule)
    if (route) this.cards = [...this.kept, route.card]
    return route !== undefined
  }

  /** Play the selected cards one after the other. */
  go(): void {
    if (this.mover && this.done) this.send(this.plan.map((hop) => `${this.mover} ${hop.card}`))
  }

  /** How many of a piece may be paid. */
  available(piece: string): number {
    if (isTile(piece)) return this.me?.tiles.filter((tile) => faceOf(tile) === piece).length ?? 0
    return (this.hand[piece as Kind] ?? 0) - (this.view?.may_not_pay?.[piece as Kind] ?? 0)
  }
  /** Add a piece to the payment or remove it. */
  toggle(piece: string): void {
    if (this.available(piece) > 0) this.chosen = togglePiece(this.payment, piece, this.available(piece), this.due)
  }
  /** Pay the selection, piece by piece, the most expensive first. */
  pay(): void {
    if (this.paying < this.due) return
    const pieces = Object.entries(this.payment).sort(([a], [b]) => worthOf(b) - worthOf(a))
    this.send(pieces.flatMap(([piece, n]) => Array.from({ length: n }, () => `pay ${piece}`)))
  }

  /** The purchase for a tile, if one is allowed. */
  buyOf(face: string | null): Verb<Choice, 'buy'> | undefined {
    return this.buys.find((choice) => `${choice.tile}${choice.value}` === face)
  }

  /** Select a tile to buy cards with, or deselect it. */
  pickTile(face: string): void {
    const again = this.tile === face
    this.clear()
    this.tile = again ? null : face
  }

  /** Switch the bridge on: show its gaps, if there are any yet. Or off. */
  switchBridge(): void {
    this.bridging = this.aiming = !this.bridging
    this.gap = this.tile = null
  }
  layBridge(): void {
    const choice = this.gap === null ? undefined : this.bridgeAt(this.gap)
    if (choice) this.play(choice)
  }

  play(choice: Choice): void {
    this.clear()
    if (choice.verb === 'bridge' || choice.verb === 'no_bridge') this.bridging = false
    this.scene.choose(withoutConfirmation(choice))
  }

  clear(): void {
    if (this.aiming) this.bridging = this.aiming = false
    this.figure = this.peek = this.tile = this.gap = this.chosen = null
    this.cards = []
  }
  /** Close what is open, one thing after the other: the list of words, then the selection. */
  escape(): void {
    if (this.worded) this.worded = false
    else this.clear()
  }

  /** New choices: continue the plan, or start over. */
  follow(choices: Choice[]): void {
    if (choices === this.last) return
    this.last = choices
    if (!choices.length) return
    this.seen = this.keep !== undefined
    if (this.pending.length) this.next()
    else if (this.view?.phase !== 'start') this.clear()
  }
  /** Let the second chance to lay the bridge pass. */
  pass(): void {
    if (this.passing) this.play(this.keep!)
  }
  /** How long the result stays, in ms, before an event of the next turn is drawn. */
  rest(event: GameEvent): number {
    return event.kind === 'turn' && this.result && !this.seen ? readingTime() : 0
  }

  private send(texts: string[]): void {
    this.pending = texts
    this.next()
  }
  private next(): void {
    const choice = this.scene.choices.find((one) => one.text === this.pending[0])
    this.pending = choice && !this.scene.goal ? this.pending.slice(1) : [] // a puzzle has one choice: nothing follows it
    if (!this.pending.length) this.clear()
    if (choice) this.scene.choose(withoutConfirmation(choice))
  }
}

/** How long the result of a move is read, in ms. */
export const readingTime = (): number => (settings.speed === 'none' ? 350 : 1200)

const selections = new WeakMap<Scene, Selection>()

export function selectionOf(scene: Scene): Selection {
  let found = selections.get(scene)
  if (!found) selections.set(scene, (found = new Selection(scene)))
  return found
}
