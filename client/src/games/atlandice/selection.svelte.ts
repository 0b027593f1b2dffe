// A person's selection before it is sent, and the choices grouped by sector.
import { optionalField } from '../../lib/scene.svelte'
import type { Choice, Scene } from './sceneTypes'
import { cityViewOf, SECTORS, type Resource, type SectorName } from './view'

/** The sector of a choice: its target, otherwise its origin. */
const sectorOfChoice = (choice: Choice): SectorName | undefined =>
  optionalField(choice, 'to') ?? optionalField(choice, 'sector')

export class Selection {
  /** The open district: gold when its die may be taken. */
  sector: SectorName | null = $state(null)
  /** The keyboard's sector. */
  focus: SectorName = $state('jeweller')
  constructor(readonly scene: Scene) {}

  private sorted: Map<SectorName, Choice[]> = new Map()
  private of: Choice[] | null = null

  /** Choices by the sector that selects them. */
  get choicesBySector(): Map<SectorName, Choice[]> {
    const choices = this.scene.choices
    if (this.of !== choices) {
      this.of = choices
      this.sorted = new Map()
      for (const choice of choices) {
        const at = sectorOfChoice(choice)
        if (at) this.sorted.set(at, [...(this.sorted.get(at) ?? []), choice])
      }
    }
    return this.sorted
  }

  /** The choice of a touch on a piece. */
  choiceOfPiece(sector: SectorName, resource: Resource): Choice | undefined {
    return this.choicesBySector
      .get(sector)
      ?.find((choice) => optionalField(choice, 'resource') === resource && !optionalField(choice, 'to'))
  }

  /** The choice of a touch on a whole sector, if there is only one. */
  onlyChoiceOfSector(sector: SectorName): Choice | undefined {
    const found = this.choicesBySector.get(sector)
    return found?.length === 1 ? found[0] : undefined
  }

  /** Whether a die is being chosen: its sector opens first, and then asks for confirmation. */
  get isChoosingDie(): boolean {
    return this.scene.choices.some((choice) => choice.verb === 'die' || choice.verb === 'die_neutral')
  }

  /** The suggested choice. */
  get hintedChoice(): Choice | null {
    return this.scene.hint
  }

  isSectorHinted(sector: SectorName): boolean {
    return this.hintedChoice !== null && sectorOfChoice(this.hintedChoice) === sector
  }

  playChoice(choice: Choice): void {
    this.sector = null
    this.scene.skipCurrentAction()
    // A donation is deliberate: its two pieces are asked for explicitly, so there is no confirmation.
    this.scene.choose(choice.verb === 'give' ? { ...choice, loses: undefined } : choice)
  }

  /** A touch on a sector, by pointer or keyboard. */
  touchSector(sector: SectorName): void {
    this.focus = sector
    this.scene.notice = null
    if (this.scene.busy) this.scene.skipCurrentAction()
    const found = this.choicesBySector.get(sector) ?? []
    if (this.isChoosingDie && found.length) {
      const own = found.find((choice) => choice.verb === 'die')
      if (this.sector === sector && found.length === 1) this.playChoice(found[0]!)
      else if (this.sector === sector && own) this.playChoice(own)
      else this.sector = sector
      return
    }
    const only = this.onlyChoiceOfSector(sector)
    if (only) return this.playChoice(only)
    this.sector = this.sector === sector && !found.length ? null : sector
    if (!found.length) this.explainWhyNot(sector)
  }

  /** A touch on a kind of piece in a sector. */
  touchPiece(sector: SectorName, resource: Resource): void {
    const choice = this.choiceOfPiece(sector, resource)
    if (choice) this.playChoice(choice)
    else if (this.choicesBySector.has(sector) || this.isChoosingDie) this.touchSector(sector)
    else {
      this.sector = sector
      if (this.mayAskWhyNot) this.scene.explainIllegalMove(resource, sector)
    }
  }

  /** Ask the server which rule forbids a choice there. */
  explainWhyNot(sector: SectorName): void {
    if (!this.mayAskWhyNot) return
    const phase = cityViewOf(this.scene).phase
    const picked = cityViewOf(this.scene).visit?.picked?.resource
    const what =
      phase === 'submarine_to'
        ? 'submarine'
        : phase === 'piece_to' && picked
          ? picked
          : isPiecePhase(phase)
            ? anyPieceKindIn(this.scene, sector)
            : 'die'
    this.scene.explainIllegalMove(what, sector)
  }

  private get mayAskWhyNot(): boolean {
    return this.scene.mine && this.scene.choices.length > 0
  }
}

const isPiecePhase = (phase: string): boolean =>
  ['piece', 'submarine_piece', 'bonus', 'move', 'swap', 'donate', 'donate_second'].includes(phase)

/** A kind of piece in a sector, for that question. */
function anyPieceKindIn(scene: Scene, sector: SectorName): string {
  const there = cityViewOf(scene).sectors[SECTORS.indexOf(sector)]!
  return Object.entries(there.pieces).find(([, n]) => n > 0)?.[0] ?? 'gems'
}

const all = new WeakMap<Scene, Selection>()

/** The selection of a scene, shared by board, dock and buttons. */
export function selectionOf(scene: Scene): Selection {
  let found = all.get(scene)
  if (!found) all.set(scene, (found = new Selection(scene)))
  return found
}
