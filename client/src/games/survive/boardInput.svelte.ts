// The meaning of a touch on the board: select a piece, play a choice, ask which of several, or ask why not.
import type { Choice, Scene } from './scene'
import { t } from '../../lib/i18n.svelte'
import { listing } from './dock/listing.svelte'
import { neighbours, BY_NAME, centreOf } from './geometry'
import type { Meaning } from './Menu.svelte'
import type { Pick } from './selection.svelte'
import { splitChoices } from './targetMarks'
import { figureOf, meaningOf } from './accessibleText'
import { colourOf, LETTERS, type SurviveView } from './view'
import type { Camera } from './camera.svelte'

export type How = 'mouse' | 'touch' | 'key'
export interface Hit {
  place: string
  /** The touched piece, if any. */
  key: string | null
  /** A token stands only for its target. */
  token: boolean
  /** The only choice of a token. */
  action: number | null
}

export class Choosing {
  menu: { place: string; title: string; items: Meaning[] } | null = $state.raw(null)

  constructor(
    private readonly scene: Scene,
    private readonly pick: Pick,
    private readonly camera: Camera,
    private readonly paint: () => Record<string, string>,
  ) {}

  private get view(): SurviveView {
    return this.scene.view as SurviveView
  }

  placeOf(key: string): string {
    if (/^s\d/.test(key)) return this.view.ships.find(([id]) => `s${id}` === key)?.[1] ?? ''
    if (/^c\d/.test(key)) return this.view.creatures.find(([id]) => `c${id}` === key)?.[2] ?? ''
    return this.view.explorers[key] ?? ''
  }
  wordsOf(key: string): string {
    if (/^s\d/.test(key)) return `ship ${this.placeOf(key)}`
    if (/^c\d/.test(key)) return `${this.view.creatures.find(([id]) => `c${id}` === key)?.[1]} ${this.placeOf(key)}`
    return key
  }

  /** Pieces on a space that may be selected. */
  private free(place: string): string[] {
    return [...this.pick.pieces.keys()].filter((key) => this.placeOf(key) === place)
  }

  /** `second`: the smaller token's choice, into the water instead of aboard. */
  tap({ place, key, token, action }: Hit, how: How, second = false): void {
    const { pick, scene } = this
    scene.notice = null
    if (this.asking) {
      this.putAway()
      return
    }
    if (!scene.choices.length) return
    if (how === 'touch' && !this.camera.touchable) {
      this.nearer(place, key)
      return
    }
    const answers = key ? pick.answers.get(key) : undefined
    if (answers && !token) {
      this.settle(place, answers, [])
      return
    }
    const targets = pick.targets.get(place)
    const exact = action === null ? undefined : targets?.find((choice) => choice.action === action)
    const takes = key !== null && key !== pick.chosen && pick.pieces.has(key)
    const own = pick.chosen !== null && this.placeOf(pick.chosen) === place
    if (exact) this.play(exact)
    else if (token && action === null && this.whyNotAboard(place)) return
    else if (targets && own) this.ownSpace(place, targets, key, takes, second)
    else if (targets) {
      const { main, water } = splitChoices(targets)
      const boards = water.length > 0 || main.some((choice) => choice.verb === 'embark')
      this.settle(place, second && water.length ? water : main, takes && !token && !boards ? [key!] : [])
    } else if (takes) this.take(key!)
    else if (key !== null && key === pick.chosen) pick.clear()
    else this.elsewhere(place, key)
  }

  /** The selected piece's own space: climb aboard, leave the ship, or another piece there. */
  private ownSpace(place: string, targets: Choice[], key: string | null, takes: boolean, second: boolean): void {
    const { pick } = this
    const board = targets.find((choice) => choice.verb === 'board')
    const dive = targets.find((choice) => choice.verb === 'dive')
    if (takes) this.take(key!)
    else if (second && dive) this.play(dive)
    else if (key !== null && key === pick.chosen) pick.clear()
    else if (board) this.play(board)
    else
      this.settle(
        place,
        targets,
        this.free(place).filter((one) => one !== pick.chosen),
        true,
      )
  }

  /** No choice here: select what stands here, deselect, or say why not. */
  private elsewhere(place: string, key: string | null): void {
    const { pick } = this
    if (this.movesWithoutTile(place, key)) return
    const free = key === null || !this.isOwn(key) ? this.free(place).filter((one) => one !== pick.chosen) : []
    if (free.length === 1) this.take(free[0]!)
    else if (free.length > 1) this.ask(place, [], free)
    else this.why(place, key)
  }

  /** Asked for a tile, touching an own explorer or a ship that carries one means: no tile, move this one. */
  private movesWithoutTile(place: string, key: string | null): boolean {
    const { pick, scene, view } = this
    const pass = view.phase === 'hand' && !pick.tile && scene.choices.find((choice) => choice.verb === 'pass')
    const own = Object.keys(view.explorers).filter((one) => view.explorers[one] === place && this.isOwn(one))
    const piece = key === null ? own[0] : own.includes(key) || (key.startsWith('s') && own.length) ? key : undefined
    if (!pass || piece === undefined || (key === null && own.length > 1)) return false
    // a tile could be played on it, or there
    const named = (value: unknown): boolean => value === place || value === key || own.includes(String(value))
    if (scene.choices.some((choice) => choice !== pass && Object.values(choice).some(named))) return false
    pick.next = piece
    this.play(pass)
    return true
  }

  private isOwn(key: string): boolean {
    return (
      key in this.view.explorers &&
      this.scene.seat !== null &&
      (this.view.seats[this.scene.seat]?.colours ?? []).includes(colourOf(key))
    )
  }

  take(key: string): void {
    this.pick.piece = key
    this.pick.asked = null
  }

  /** A touch on something too small only zooms in; an unambiguous piece is selected. */
  private nearer(place: string, key: string | null): void {
    const free = key !== null && this.pick.pieces.has(key) ? [key] : this.free(place)
    if (!free.length && this.movesWithoutTile(place, key)) return
    if (free.length === 1) this.take(free[0]!)
    if (!this.camera.touchable) this.camera.look(centreOf(place), true)
  }

  /** Play the only meaning, or open the menu. */
  private settle(place: string, choices: Choice[], pieces: string[], always = false): void {
    if (choices.length === 1 && !pieces.length && !always) this.play(choices[0]!)
    else this.ask(place, choices, pieces)
  }

  private ask(place: string, choices: Choice[], pieces: string[]): void {
    const paint = this.paint()
    const items: Meaning[] = choices.map((choice) => meaningOf(this.scene, choice, paint))
    for (const key of pieces) {
      const words = this.wordsOf(key)
      items.push({ id: key, piece: key, words, ...figureOf(this.scene, words, paint) })
    }
    this.menu = { place, title: t('survive.board.which'), items }
  }

  meant(item: Meaning): void {
    this.menu = null
    if (item.choice) this.play(item.choice)
    else if (item.piece) this.take(item.piece)
  }

  play(choice: Choice): void {
    this.menu = null
    this.pick.play(choice)
  }

  private why(place: string, key: string | null): void {
    const { pick, scene } = this
    const { held } = pick
    let [words, where] = ['', place]
    if (pick.chosen) words = this.wordsOf(pick.chosen)
    else if (held) words = Object.keys(LETTERS).find((letter) => LETTERS[letter] === held.colour) ?? ''
    else if (key) {
      words = this.wordsOf(key)
      if (this.isOwn(key)) where = this.waterBeside(place) ?? place
    }
    const at = this.camera.toWindow(centreOf(place))
    pick.asked = { space: place, x: at.x, y: at.y }
    scene.explain(words, where)
  }

  /** Why the selected explorer may only swim to a ship's space: the question mark over the ship was touched. */
  private whyNotAboard(place: string): boolean {
    const choice = this.pick.targets.get(place)?.find((one) => one.verb === 'enter_water')
    if (choice?.verb !== 'enter_water' || !this.view.ships.some(([, at]) => at === place)) return false
    this.pick.asked = { space: place, ...this.camera.toWindow(centreOf(place)) }
    this.scene.explain(choice.piece, place, `${choice.piece} ${choice.direction} ship`)
    return true
  }

  /** A piece without moves is asked about a step into the sea beside it. */
  private waterBeside(place: string): string | undefined {
    const space = BY_NAME.get(place)
    return space && neighbours(space).find((one) => !this.view.tiles[one.name])?.name
  }

  /** A menu or the list is open: a touch of the board closes it and plays nothing. */
  get asking(): boolean {
    return this.menu !== null || listing(this.scene).open
  }
  private putAway(): void {
    this.menu = null
    listing(this.scene).open = false
  }

  /** Close the latest first: a menu or the list, then the selection. */
  escape(): void {
    const { pick, scene } = this
    if (this.asking) this.putAway()
    else if (pick.piece !== null) pick.clear()
    else pick.tile = null
    scene.notice = null
  }
}
