// A person's selection in Atlantis: a figure, cards, a payment. Shared by the board and the panels around it.
import { choicesWith, type Verb } from '../../lib/scene.svelte'
import type { Choice, Scene } from './scene'
import {
  faceOf,
  isTile,
  KINDS,
  MOVES,
  readFace,
  sure,
  type AtlantisView,
  type Cards,
  type Figure,
  type Gap,
  type Kind,
  type Payment,
  type Route,
} from './view'

/** One card of a plan: from where, to where. */
export interface Hop {
  card: Kind
  from: string
  to: string
  route: Route
}
/** Tiles and cards by name, `pink3` and `pink`, with the number of each. */
export type Pieces = Record<string, number>

export const worthOf = (piece: string): number => (isTile(piece) ? readFace(piece).value : 1)
export const sumOf = (pieces: Pieces): number =>
  Object.entries(pieces).reduce((sum, [piece, n]) => sum + n * worthOf(piece), 0)

function piecesOf(payment: Payment | null | undefined): Pieces {
  const pieces: Pieces = {}
  for (const tile of payment?.tiles ?? []) pieces[faceOf(tile)] = (pieces[faceOf(tile)] ?? 0) + 1
  for (const kind of KINDS) if (payment?.cards[kind]) pieces[kind] = payment.cards[kind]
  return pieces
}

export class Selection {
  /** The figure chosen on the board; read `mover`. */
  figure: Figure | null = $state(null)
  /** The cards chosen, in order. */
  cards: Kind[] = $state.raw([])
  /** A card pointed at: its route is drawn, too. */
  peek: Kind | null = $state(null)
  /** The current use of the board and the tray; read `mode`. */
  use: 'move' | 'buy' | 'bridge' = $state('move')
  /** The tile to buy cards with; the gap to bridge, by its first position. */
  tile: string | null = $state(null)
  gap: number | null = $state(null)
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
  /** Keep the bridge for this turn: asked only once. */
  keep = $state(false)
  /** The figure whose final crossing is being scored. */
  crossing: { seat: number; figure: Figure; bill: number } | null = $state.raw(null)

  private pending: string[] = []
  private last: Choice[] = []

  constructor(readonly scene: Scene) {}

  view = $derived.by(() => this.scene.view as AtlantisView | undefined)
  me = $derived.by(() => (this.scene.seat === null ? undefined : this.view?.seats[this.scene.seat]))
  hand: Cards = $derived(this.me?.hand ?? {})
  kinds: Kind[] = $derived(KINDS.filter((kind) => this.hand[kind]))
  moves: Verb<Choice, 'move'>[] = $derived.by(() => choicesWith(this.scene.choices, ...MOVES))
  buys: Verb<Choice, 'buy'>[] = $derived.by(() => choicesWith(this.scene.choices, 'buy'))
  bridges: Verb<Choice, 'bridge'>[] = $derived.by(() => choicesWith(this.scene.choices, 'bridge'))
  pays: Choice[] = $derived.by(() => choicesWith(this.scene.choices, 'pay_card', 'pay_tile'))

  mode: 'move' | 'buy' | 'bridge' | 'pay' | 'idle' = $derived.by(() => {
    if (!this.scene.choices.length) return 'idle'
    if (this.pays.length) return 'pay'
    if (this.use === 'buy' && this.buys.length) return 'buy'
    if (
      this.bridges.length &&
      (this.use === 'bridge' || !this.scene.choices.some((c) => c.verb === 'show' || choicesWith([c], ...MOVES).length))
    )
      return 'bridge'
    return 'move'
  })

  /** Own figures that some card can move now. */
  movable: Figure[] = $derived([...new Set(this.moves.map((choice) => choice.figure))])
  /** The figure that cards apply to. */
  mover: Figure | null = $derived.by(() => {
    if (!this.moves.length) return null
    if (this.view?.phase === 'hopping') return this.view.move?.figure ?? null
    if (this.figure && this.me?.figures[this.figure] !== 'mainland') return this.figure
    return null
  })
  /** The first target of each card for that figure. */
  routes: Route[] = $derived(this.mover ? this.routesOf(this.mover) : [])

  /** The plan, hop by hop, including the card pointed at, if it fits. */
  plan: Hop[] = $derived(this.walk(this.cards))
  drawn: Hop[] = $derived.by(() => {
    if (!this.peek || !this.open.some((route) => route.card === this.peek && !route.rule)) return this.plan
    const last = this.plan.at(-1)
    const cards = last && !last.route.occupied ? this.cards.slice(0, -1) : this.cards
    return this.walk([...cards, this.peek])
  })
  done: boolean = $derived(this.plan.length > 0 && !this.plan.at(-1)!.route.occupied)
  /** The options for the next card: after an occupied tile from there, otherwise instead of the last card. */
  open: Route[] = $derived.by(() => {
    const last = this.plan.at(-1)
    if (!last) return this.routes
    if (last.route.occupied) return last.route.then ?? []
    const before = this.plan.at(-2)
    return before ? (before.route.then ?? []) : this.routes
  })
  openFrom: string = $derived.by(() => {
    const last = this.plan.at(-1)
    if (last?.route.occupied) return last.to
    return last ? last.from : this.start
  })
  /** Where the mover stands, and where its move began: its bill counts from there. */
  start: string = $derived(this.mover ? (this.me?.figures[this.mover] ?? 'atlantis') : 'atlantis')
  origin: string = $derived(this.view?.phase === 'hopping' ? (this.view.move?.from ?? this.start) : this.start)

  /** The amount due; the suggestion; the selection. */
  due: number = $derived(this.view?.move ? this.view.move.bill - this.view.move.paid : 0)
  advice: Payment | null = $derived.by(() =>
    this.pays.length ? (this.scene.preview.pay ?? null) : (this.drawn.at(-1)?.route.pay ?? null),
  )
  payment: Pieces = $derived(this.pays.length ? (this.chosen ?? piecesOf(this.advice)) : {})
  paying: number = $derived(sumOf(this.payment))

  /** A figure's routes: the preview's, or what the choices say until it arrives. */
  private routesOf(figure: Figure): Route[] {
    const routes = this.scene.preview.figures?.[figure]
    const legal = this.moves.filter((choice) => choice.figure === figure)
    if (routes && legal.every((choice) => routes.some((route) => route.card === choice.card && route.to === choice.to)))
      return routes
    return legal.map((choice) => ({
      card: choice.card,
      to: choice.to,
      occupied: choice.verb === 'hop',
      bill: choice.bill,
      takes: null,
    }))
  }

  private walk(cards: Kind[]): Hop[] {
    const hops: Hop[] = []
    let from = this.start
    let routes: Route[] = this.routes
    for (const card of cards) {
      const route = routes.find((one) => one.card === card && !one.rule)
      if (!route) break
      hops.push({ card, from, to: route.to, route })
      from = route.to
      routes = route.then ?? []
    }
    return hops
  }

  /** The places of the hint. */
  hinted: string[] = $derived.by(() => {
    const hint = this.scene.hint
    if (!hint) return []
    const [move] = choicesWith([hint], ...MOVES)
    if (move) return [move.from, move.to]
    return hint.verb === 'bridge' ? [String(hint.at)] : []
  })

  /** Figures that this card can move first. */
  figuresFor(card: Kind): Figure[] {
    return this.moves.filter((choice) => choice.card === card).map((choice) => choice.figure)
  }

  choiceOf(figure: Figure, card: Kind): Choice | undefined {
    return this.moves.find((choice) => choice.figure === figure && choice.card === card)
  }

  pickFigure(figure: Figure): void {
    this.use = 'move'
    if (this.figure === figure && this.view?.phase !== 'hopping') {
      this.figure = null
      this.cards = []
      return
    }
    const keep = this.figure === null && this.cards.length === 1 && this.figuresFor(this.cards[0]!).includes(figure)
    if (!keep) this.cards = []
    this.figure = figure
    this.focus = this.me?.figures[figure] ?? this.focus
  }

  /** Select a card, or deselect it. */
  pickCard(card: Kind): void {
    this.peek = null
    this.use = 'move'
    if (!this.mover) {
      const able = this.figuresFor(card)
      const places = new Set(able.map((figure) => this.me?.figures[figure]))
      this.cards = this.cards[0] === card ? [] : [card]
      if (places.size === 1 && this.cards.length) {
        this.figure = able[0]!
        this.cards = [card]
      }
      return
    }
    const last = this.plan.at(-1)
    const fits = this.open.find((route) => route.card === card)
    if (last?.route.occupied && fits && !fits.rule) this.cards = [...this.cards.slice(0, this.plan.length), card]
    else if (this.cards.includes(card)) this.cards = this.cards.slice(0, this.cards.lastIndexOf(card))
    else if (fits && !fits.rule) this.cards = [...this.cards.slice(0, this.plan.length - (last ? 1 : 0)), card]
    else if (this.routes.some((route) => route.card === card && !route.rule)) this.cards = [card]
    else this.why(card)
  }

  /** Ask why a card cannot be played with the chosen figure. */
  why(card: Kind): void {
    const route = this.open.find((one) => one.card === card) ?? this.routes.find((one) => one.card === card)
    if (this.mover && route) this.scene.explain(this.mover, route.to)
  }

  /** Select a place for the plan; whether it was a target. */
  pickPlace(place: string): boolean {
    const last = this.plan.at(-1)
    if (last && this.done && last.to === place) {
      this.go()
      return true
    }
    const route = this.open.find((one) => one.to === place && !one.rule)
    if (!route) return false
    this.cards =
      last && !last.route.occupied
        ? [...this.cards.slice(0, this.plan.length - 1), route.card]
        : [...this.cards.slice(0, this.plan.length), route.card]
    return true
  }

  /** Play the selected cards one after the other. */
  go(): void {
    if (!this.mover || !this.done) return
    this.pending = this.plan.map((hop) => `${this.mover} ${hop.card}`)
    this.next()
  }

  /** How many of a piece may be paid. */
  available(piece: string): number {
    if (isTile(piece)) return this.me?.tiles.filter((tile) => faceOf(tile) === piece).length ?? 0
    const kind = piece as Kind
    return (this.hand[kind] ?? 0) - (this.view?.may_not_pay?.[kind] ?? 0)
  }

  /** Add a piece to the payment or remove it; superfluous pieces are removed, too. */
  toggle(piece: string): void {
    const pieces = { ...this.payment }
    const n = pieces[piece] ?? 0
    if (n >= this.available(piece)) delete pieces[piece]
    else {
      pieces[piece] = n + 1
      for (const other of Object.keys(pieces).sort((a, b) => worthOf(a) - worthOf(b))) {
        while (other !== piece && pieces[other] && sumOf(pieces) - worthOf(other) >= this.due) {
          pieces[other] -= 1
          if (!pieces[other]) delete pieces[other]
        }
      }
    }
    this.chosen = pieces
  }

  /** Pay the selection, piece by piece, the most expensive first. */
  pay(): void {
    if (this.paying < this.due) return
    this.pending = Object.entries(this.payment)
      .sort(([a], [b]) => worthOf(b) - worthOf(a))
      .flatMap(([piece, n]) => Array.from({ length: n }, () => `pay ${piece}`))
    this.next()
  }

  buy(): void {
    const choice = this.buys.find((one) => `${one.tile}${one.value}` === this.tile)
    if (choice) this.play(choice)
  }

  bridgeAt(at: number): Verb<Choice, 'bridge'> | undefined {
    return this.bridges.find((choice) => choice.at <= at && at <= choice.to)
  }

  layBridge(): void {
    const choice = this.gap === null ? undefined : this.bridgeAt(this.gap)
    if (choice) this.play(choice)
  }

  play(choice: Choice): void {
    this.clear()
    this.scene.choose(sure(choice))
  }

  /** Clear the selection; false if there was none. */
  clear(): boolean {
    const had =
      this.cards.length > 0 ||
      this.figure !== null ||
      this.use !== 'move' ||
      this.gap !== null ||
      this.tile !== null ||
      this.chosen !== null
    this.figure = null
    this.cards = []
    this.peek = null
    this.use = 'move'
    this.tile = null
    this.gap = null
    this.chosen = null
    return had
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
    const kept = this.keep ? choices.find((choice) => choice.verb === 'no_bridge') : undefined
    if (kept) {
      this.keep = false
      return this.play(kept)
    }
    if (this.pending.length) this.next()
    else if (this.view?.phase !== 'start') this.clear()
  }

  private next(): void {
    const text = this.pending[0]
    const choice = this.scene.choices.find((one) => one.text === text)
    if (!choice) {
      this.pending = []
      this.clear()
      return
    }
    this.pending = this.scene.goal ? [] : this.pending.slice(1) // a puzzle has one choice: nothing follows it
    if (!this.pending.length) this.clear()
    this.scene.choose(sure(choice))
  }

  gapsLit: Gap[] = $derived.by(() =>
    this.mode === 'bridge' ? (this.view?.gaps ?? []).filter((gap) => this.bridgeAt(gap.at)) : [],
  )
}

const desks = new WeakMap<Scene, Selection>()

export function selectionOf(scene: Scene): Selection {
  let desk = desks.get(scene)
  if (!desk) desks.set(scene, (desk = new Selection(scene)))
  return desk
}
