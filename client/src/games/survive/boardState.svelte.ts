// What the board's parts share: the drawn view, the selection and its places, and the camera.
import { optionalField } from '../../lib/scene.svelte'
import { makeIdentityKeeper } from '../../lib/stableIdentity'
import type { Stage } from '../../lib/film'
import { findSeatAnchor } from '../../lib/seatAnchor'
import { contentsByPlace } from './accessibleText'
import { BoardInput } from './boardInput.svelte'
import { Camera, type Corner } from './camera.svelte'
import { placeCentre, type Point } from './boardGeometry'
import { layoutPieces, tileLiftAt, reuseFigures, type Figure } from './pieceLayout'
import type { Scene } from './sceneTypes'
import { hourOfSea } from './seaMood'
import { selectionOf, type Selection } from './selection.svelte'
import { LETTERS, type SurviveView } from './view'

const TALL = 700 // pixels of an upright window with room for the map
const LEFT: Corner[] = ['top left', 'bottom left']

/** Names of places, each once. */
export const uniquePlaceNames = (...names: unknown[]): string[] => [
  ...new Set(names.filter((one): one is string => typeof one === 'string' && one !== '')),
]

export class BoardState {
  readonly camera = new Camera()
  readonly pick: Selection
  readonly choosing: BoardInput
  /** The space with the keyboard's focus. */
  focus: string | null = $state(null)
  /** The dragged piece and the pointer's position. */
  ghost: ({ key: string } & Point) | null = $state.raw(null)

  private figures: Figure[] = []
  private readonly sameHot = makeIdentityKeeper<Set<string>>()
  private readonly sameAfloat = makeIdentityKeeper<Set<string>>()
  private readonly sameMovable = makeIdentityKeeper<Set<string>>()
  private readonly sameLit = makeIdentityKeeper<Set<string>>()

  constructor(readonly scene: Scene) {
    this.pick = selectionOf(scene)
    this.choosing = new BoardInput(scene, this.pick, this.camera, () => this.paint)
    this.letTimePass()
  }

  view = $derived.by(() => this.scene.view as SurviveView)
  /** The hour of the sea. */
  hour = $state(-1)
  /** It changes between turns: the light stays while somebody chooses by it. */
  letTimePass(): void {
    const hour = hourOfSea(Object.keys(this.view.tiles).length)
    if (!this.scene.mine || this.hour < 0) this.hour = hour
  }
  /** The displayed colour for each of the game's colours. */
  paint = $derived.by(() =>
    Object.fromEntries(Object.values(LETTERS).map((colour) => [colour, this.scene.displayColourOf(colour)])),
  )
  layout = $derived.by(() => {
    const { figures, crowds } = layoutPieces(this.view, this.scene.seat, this.pick.chosen)
    this.figures = reuseFigures(this.figures, figures)
    return { figures: this.figures, crowds }
  })
  held = $derived.by(() => contentsByPlace(this.view))
  chosenAt = $derived.by(() => (this.pick.chosen ? this.choosing.placeOfPiece(this.pick.chosen) : null))
  sinking = $derived.by(() => this.scene.choices.some((choice) => choice.verb === 'sink'))
  /** Spaces that must not be hidden by what stands in front of them. */
  hot = $derived.by(() => {
    const { targets, hover } = this.pick
    const found = new Set(targets.size < 16 ? targets.keys() : [])
    if (this.chosenAt) found.add(this.chosenAt)
    if (hover && targets.has(hover)) found.add(hover)
    return this.sameHot(found)
  })
  /** Spaces where something floats. */
  afloat = $derived.by(() =>
    this.sameAfloat(new Set(this.layout.figures.filter((figure) => figure.afloat).map((figure) => figure.place))),
  )
  /** Pieces that may be touched, with their places. */
  free = $derived.by(() => {
    const { pieces, answers } = this.pick
    return new Map([...pieces.keys(), ...answers.keys()].map((key) => [key, this.choosing.placeOfPiece(key)] as const))
  })
  /** Places of pieces that may be selected. */
  movable = $derived.by(() =>
    this.sameMovable(
      new Set([
        ...[...this.pick.pieces.keys()].map((key) => this.choosing.placeOfPiece(key)),
        ...this.waiting.values(),
      ]),
    ),
  )
  /** Own explorers whose touch plays no tile and moves them instead, with their places. */
  waiting = $derived.by(
    () => new Map(this.choosing.explorersInsteadOfTile().map((key) => [key, this.choosing.placeOfPiece(key)])),
  )
  /** Places with choices. While a menu or the list is open there are none: a touch only closes it. */
  lit = $derived.by(() =>
    this.sameLit(
      new Set(
        this.choosing.isMenuOrListOpen ? [] : [...this.pick.targets.keys(), ...this.free.values()].filter(Boolean),
      ),
    ),
  )
  litAt = $derived.by(() => [...this.lit].map((place) => this.camera.toWindow(this.topOfPlace(place))))
  /** Where the small map and the button for the whole board stand: they cover no choice. */
  corners = $derived.by(() => {
    const { camera, scene, litAt } = this
    if (camera.fits) return { map: null, whole: null }
    const roomy = scene.frame.kind === 'upright' && camera.height >= TALL
    const map = roomy ? camera.freeCorner(104, 86, LEFT, litAt) : null
    return { map, whole: camera.freeCorner(44, 44, ['top right', 'bottom right', ...(map ? [] : LEFT)], litAt) }
  })
  /** Places where somebody is about to be lost. */
  stake = $derived.by(() =>
    uniquePlaceNames(this.view.attack?.at, this.scene.doubt && optionalField(this.scene.doubt, 'to')),
  )
  /** What should be visible: the selected piece and its targets, otherwise all choices. */
  wanted = $derived.by(() => {
    const { chosen, targets } = this.pick
    return chosen ? [this.choosing.placeOfPiece(chosen), ...targets.keys()] : this.lit.size ? [...this.lit] : this.stake
  })
  /** Whether texts about a space stand in the frame rather than beside it. */
  cramped = $derived.by(() => this.scene.frame.kind === 'short' || this.scene.frame.kind === 'upright')

  /** What films have to know of this board. */
  readonly stage: Stage = ((board) => ({
    toWindow: (point) => board.camera.toWindow(point),
    get scale() {
      return board.camera.scale
    },
    get room() {
      return board.camera.ui
    },
    seatAnchor: findSeatAnchor,
  }))(this)

  tileLift = (place: string): number => tileLiftAt(this.view, place)
  /** The top of a place: its middle, as high as its tile. */
  topOfPlace = (place: string): Point => ({ x: placeCentre(place).x, y: placeCentre(place).y - this.tileLift(place) })
  isOccupied = (place: string): boolean =>
    this.held.folk.has(place) || this.held.ships.has(place) || this.held.beasts.has(place)
  /** Tiles that may not be chosen while one must be. */
  isDimmed = (place: string): boolean => this.sinking && !this.pick.targets.has(place)
}
