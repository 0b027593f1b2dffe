// The meaning of a touch on the board: select a piece, play a choice, ask which of several, or ask why not.
import type { Choice, Scene } from './sceneTypes'
import { t } from '../../lib/i18n.svelte'
import { choiceListStateOf } from './dock/choiceListState.svelte'
import { neighbours, BY_NAME, placeCentre } from './boardGeometry'
import type { Meaning } from './ChoiceMenu.svelte'
import type { Selection } from './selection.svelte'
import { separateEnterWaterChoices } from './targetMarks'
import { menuItemOfPiece, menuItemOfChoice } from './accessibleText'
import { colourOfPiece, LETTERS, type SurviveView } from './view'
import type { Camera } from './camera.svelte'

/** An attack is answered on its own card. */
const focusQuestion = (): Promise<void> => import('../../lib/keyboardFocus').then(({ focusContent }) => focusContent())

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

export class BoardInput {
  menu: { place: string; title: string; items: Meaning[] } | null = $state.raw(null)

  constructor(
    private readonly scene: Scene,
    private readonly pick: Selection,
    private readonly camera: Camera,
    private readonly paint: () => Record<string, string>,
  ) {}

  private get surviveView(): SurviveView {
    return this.scene.view as SurviveView
  }

  placeOfPiece(key: string): string {
    if (/^s\d/.test(key)) return this.surviveView.ships.find(([id]) => `s${id}` === key)?.[1] ?? ''
    if (/^c\d/.test(key)) return this.surviveView.creatures.find(([id]) => `c${id}` === key)?.[2] ?? ''
    return this.surviveView.explorers[key] ?? ''
  }
  positionWordsOfPiece(key: string): string {
    if (/^s\d/.test(key)) return `ship ${this.placeOfPiece(key)}`
    if (/^c\d/.test(key))
      return `${this.surviveView.creatures.find(([id]) => `c${id}` === key)?.[1]} ${this.placeOfPiece(key)}`
    return key
  }

  /** Pieces on a space that may be selected. */
  private selectablePiecesOn(place: string): string[] {
    return [...this.pick.pieces.keys()].filter((key) => this.placeOfPiece(key) === place)
  }

  /** `second`: the smaller token's choice, into the water instead of aboard. */
  handleTap({ place, key, token, action }: Hit, how: How, second = false): void {
    const { pick, scene } = this
    scene.notice = null
    if (this.isMenuOrListOpen) {
      this.closeMenuAndList()
      return
    }
    if (!scene.choices.length) return
    if (how === 'touch' && !this.camera.touchable) {
      this.zoomInOrSelect(place, key)
      return
    }
    const answers = key ? pick.answers.get(key) : undefined
    if (answers && !token) {
      this.playOnlyChoiceOrAsk(place, answers, [])
      return
    }
    const targets = pick.targets.get(place)
    const exact = action === null ? undefined : targets?.find((choice) => choice.action === action)
    const takes = key !== null && key !== pick.chosen && pick.pieces.has(key)
    const own = pick.chosen !== null && this.placeOfPiece(pick.chosen) === place
    if (exact) this.playChoice(exact)
    else if (token && action === null && this.whyNotAboard(place)) return
    else if (targets && own) this.tapOwnSpace(place, targets, key, takes, second)
    else if (targets) {
      const { main, water } = separateEnterWaterChoices(targets)
      const boards = water.length > 0 || main.some((choice) => choice.verb === 'embark')
      this.playOnlyChoiceOrAsk(place, second && water.length ? water : main, takes && !token && !boards ? [key!] : [])
    } else if (takes) this.selectPiece(key!)
    else if (key !== null && key === pick.chosen) pick.clearSelection()
    else if (this.surviveView.attack?.at === place) void focusQuestion()
    else this.tapSpaceWithoutChoice(place, key)
  }

  /** The selected piece's own space: climb aboard, leave the ship, or another piece there. */
  private tapOwnSpace(place: string, targets: Choice[], key: string | null, takes: boolean, second: boolean): void {
    const { pick } = this
    const board = targets.find((choice) => choice.verb === 'board')
    const dive = targets.find((choice) => choice.verb === 'dive')
    if (takes) this.selectPiece(key!)
    else if (second && dive) this.playChoice(dive)
    else if (key !== null && key === pick.chosen) pick.clearSelection()
    else if (board) this.playChoice(board)
    else
      this.playOnlyChoiceOrAsk(
        place,
        targets,
        this.selectablePiecesOn(place).filter((one) => one !== pick.chosen),
        true,
      )
  }

  /** No choice here: select what stands here, deselect, or say why not. */
  private tapSpaceWithoutChoice(place: string, key: string | null): void {
    const { pick } = this
    if (this.declineTileToMove(place, key)) return
    const free =
      key === null || !this.isOwnExplorer(key)
        ? this.selectablePiecesOn(place).filter((one) => one !== pick.chosen)
        : []
    if (free.length === 1) this.selectPiece(free[0]!)
    else if (free.length > 1) this.openChoiceMenu(place, [], free)
    else this.explainWhyNot(place, key)
  }

  /** Asked for a tile, touching an own explorer or a ship that carries one means: no tile, move this one. */
  private declineTileToMove(place: string, key: string | null): boolean {
    const { pick, scene, surviveView: view } = this
    const pass = view.phase === 'hand' && !pick.tile && scene.choices.find((choice) => choice.verb === 'pass')
    const own = this.ownExplorersAt(place)
    const piece = key === null ? own[0] : own.includes(key) || (key.startsWith('s') && own.length) ? key : undefined
    if (!pass || piece === undefined || this.isForTile(place, key, own)) return false
    if (key === null && own.length > 1) this.openChoiceMenu(place, [], own)
    else {
      pick.next = piece
      this.playChoice(pass)
    }
    return true
  }
  private ownExplorersAt(place: string): string[] {
    const { explorers } = this.surviveView
    return Object.keys(explorers).filter((one) => explorers[one] === place && this.isOwnExplorer(one))
  }
  /** Whether a tile could be played on one of these, or there. */
  private isForTile(place: string, key: string | null, own: string[]): boolean {
    const isNamed = (value: unknown): boolean => value === place || value === key || own.includes(String(value))
    return this.scene.choices.some((choice) => choice.verb !== 'pass' && Object.values(choice).some(isNamed))
  }
  /** Asked for a tile: the own explorers whose touch means none, and to move them. */
  explorersInsteadOfTile(): string[] {
    const { explorers, phase } = this.surviveView
    if (phase !== 'hand' || this.pick.tile || !this.scene.choices.some((choice) => choice.verb === 'pass')) return []
    return Object.keys(explorers).filter((key) => {
      const place = explorers[key]!
      const still = place === 'lost' || place.startsWith('@') || !this.isOwnExplorer(key)
      return !still && !this.isForTile(place, key, this.ownExplorersAt(place))
    })
  }

  private isOwnExplorer(key: string): boolean {
    return (
      key in this.surviveView.explorers &&
      this.scene.seat !== null &&
      (this.surviveView.seats[this.scene.seat]?.colours ?? []).includes(colourOfPiece(key))
    )
  }

  selectPiece(key: string): void {
    if (this.explorersInsteadOfTile().includes(key)) return void this.declineTileToMove(this.placeOfPiece(key), key)
    this.pick.piece = key
    this.pick.asked = null
  }

  /** A touch on something too small only zooms in; an unambiguous piece is selected. */
  private zoomInOrSelect(place: string, key: string | null): void {
    const free = key !== null && this.pick.pieces.has(key) ? [key] : this.selectablePiecesOn(place)
    if (!free.length && this.declineTileToMove(place, key)) return
    if (free.length === 1) this.selectPiece(free[0]!)
    if (!this.camera.touchable) this.camera.centreOn(placeCentre(place), true)
  }

  /** Play the only meaning, or open the menu. */
  private playOnlyChoiceOrAsk(place: string, choices: Choice[], pieces: string[], always = false): void {
    if (choices.length === 1 && !pieces.length && !always) this.playChoice(choices[0]!)
    else this.openChoiceMenu(place, choices, pieces)
  }

  private openChoiceMenu(place: string, choices: Choice[], pieces: string[]): void {
    const paint = this.paint()
    const items: Meaning[] = choices.map((choice) => menuItemOfChoice(this.scene, choice, paint))
    for (const key of pieces) {
      const words = this.positionWordsOfPiece(key)
      items.push({ id: key, piece: key, words, ...menuItemOfPiece(this.scene, words, paint) })
    }
    this.menu = { place, title: t('survive.board.which'), items }
  }

  playMenuItem(item: Meaning): void {
    this.menu = null
    if (item.choice) this.playChoice(item.choice)
    else if (item.piece) this.selectPiece(item.piece)
  }

  playChoice(choice: Choice): void {
    this.menu = null
    this.pick.playChoice(choice)
  }

  private explainWhyNot(place: string, key: string | null): void {
    const { pick, scene } = this
    const { held } = pick
    let [words, where] = ['', place]
    if (pick.chosen) words = this.positionWordsOfPiece(pick.chosen)
    else if (held) words = Object.keys(LETTERS).find((letter) => LETTERS[letter] === held.colour) ?? ''
    else if (key) {
      words = this.positionWordsOfPiece(key)
      if (this.isOwnExplorer(key)) where = this.seaSpaceBeside(place) ?? place
    }
    const at = this.camera.toWindow(placeCentre(place))
    pick.asked = { space: place, x: at.x, y: at.y }
    scene.explainIllegalMove(words, where)
  }

  /** Why the selected explorer may only swim to a ship's space: the question mark over the ship was touched. */
  private whyNotAboard(place: string): boolean {
    const choice = this.pick.targets.get(place)?.find((one) => one.verb === 'enter_water')
    if (choice?.verb !== 'enter_water' || !this.surviveView.ships.some(([, at]) => at === place)) return false
    this.pick.asked = { space: place, ...this.camera.toWindow(placeCentre(place)) }
    this.scene.explainIllegalMove(choice.piece, place, `${choice.piece} ${choice.direction} ship`)
    return true
  }

  /** A piece without moves is asked about a step into the sea beside it. */
  private seaSpaceBeside(place: string): string | undefined {
    const space = BY_NAME.get(place)
    return space && neighbours(space).find((one) => !this.surviveView.tiles[one.name])?.name
  }

  /** A menu or the list is open: a touch of the board closes it and plays nothing. */
  get isMenuOrListOpen(): boolean {
    return this.menu !== null || choiceListStateOf(this.scene).open
  }
  private closeMenuAndList(): void {
    this.menu = null
    choiceListStateOf(this.scene).open = false
  }

  /** Close the latest first: a menu or the list, then the selection. */
  closeLatest(): void {
    const { pick, scene } = this
    if (this.isMenuOrListOpen) this.closeMenuAndList()
    else if (pick.piece !== null) pick.clearSelection()
    else pick.tile = null
    scene.notice = null
  }
}
