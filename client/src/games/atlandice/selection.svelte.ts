// A person's selection before it is sent, and the choices grouped by sector.
import { part } from '../../lib/scene.svelte'
import type { Choice, Scene } from './scene'
import { city, SECTORS, type Resource, type SectorName } from './view'

/** The sector of a choice: its target, otherwise its origin. */
const placeOf = (choice: Choice): SectorName | undefined => part(choice, 'to') ?? part(choice, 'sector')

export class Picks {
  /** The open district: gold when its die may be taken. */
  sector: SectorName | null = $state(null)
  /** The keyboard's sector. */
  focus: SectorName = $state('jeweller')
  constructor(readonly scene: Scene) {}

  private sorted: Map<SectorName, Choice[]> = new Map()
  private of: Choice[] | null = null

  /** Choices by the sector that selects them. */
  get bySector(): Map<SectorName, Choice[]> {
    const choices = this.scene.choices
    if (this.of !== choices) {
      this.of = choices
      this.sorted = new Map()
      for (const choice of choices) {
        const at = placeOf(choice)
        if (at) this.sorted.set(at, [...(this.sorted.get(at) ?? []), choice])
      }
    }
    return this.sorted
  }

  /** The choice of a touch on a piece. */
  piece(sector: SectorName, resource: Resource): Choice | undefined {
    return this.bySector.get(sector)?.find((choice) => part(choice, 'resource') === resource && !part(choice, 'to'))
  }

  /** The choice of a touch on a whole sector, if there is only one. */
  whole(sector: SectorName): Choice | undefined {
    const found = this.bySector.get(sector)
    return found?.length === 1 ? found[0] : undefined
  }

  /** Whether a die is being chosen: its sector opens first, and then asks for confirmation. */
  get dice(): boolean {
    return this.scene.choices.some((choice) => choice.verb === 'die' || choice.verb === 'die_neutral')
  }

  /** The suggested choice. */
  get hint(): Choice | null {
    return this.scene.hint
  }

  hinted(sector: SectorName): boolean {
    return this.hint !== null && placeOf(this.hint) === sector
  }

  choose(choice: Choice): void {
    this.sector = null
    this.scene.skip()
    // A donation is deliberate: its two pieces are asked for explicitly, so there is no confirmation.
    this.scene.choose(choice.verb === 'give' ? { ...choice, loses: undefined } : choice)
  }

  /** A touch on a sector, by pointer or keyboard. */
  touch(sector: SectorName): void {
    this.focus = sector
    this.scene.notice = null
    if (this.scene.busy) this.scene.skip()
    const found = this.bySector.get(sector) ?? []
    if (this.dice && found.length) {
      const own = found.find((choice) => choice.verb === 'die')
      if (this.sector === sector && found.length === 1) this.choose(found[0]!)
      else if (this.sector === sector && own) this.choose(own)
      else this.sector = sector
      return
    }
    const only = this.whole(sector)
    if (only) return this.choose(only)
    this.sector = this.sector === sector && !found.length ? null : sector
    if (!found.length) this.why(sector)
  }

  /** A touch on a kind of piece in a sector. */
  touchPiece(sector: SectorName, resource: Resource): void {
    const choice = this.piece(sector, resource)
    if (choice) this.choose(choice)
    else if (this.bySector.has(sector) || this.dice) this.touch(sector)
    else {
      this.sector = sector
      if (this.mayAsk) this.scene.explain(resource, sector)
    }
  }

  /** Ask the server which rule forbids a choice there. */
  why(sector: SectorName): void {
    if (!this.mayAsk) return
    const phase = city(this.scene).phase
    const picked = city(this.scene).visit?.picked?.resource
    const what =
      phase === 'submarine_to'
        ? 'submarine'
        : phase === 'piece_to' && picked
          ? picked
          : asksPiece(phase)
            ? kind(this.scene, sector)
            : 'die'
    this.scene.explain(what, sector)
  }

  private get mayAsk(): boolean {
    return this.scene.mine && this.scene.choices.length > 0
  }
}

const asksPiece = (phase: string): boolean =>
  ['piece', 'submarine_piece', 'bonus', 'move', 'swap', 'donate', 'donate_second'].includes(phase)

/** A kind of piece in a sector, for that question. */
function kind(scene: Scene, sector: SectorName): string {
  const there = city(scene).sectors[SECTORS.indexOf(sector)]!
  return Object.entries(there.pieces).find(([, n]) => n > 0)?.[0] ?? 'gems'
}

const all = new WeakMap<Scene, Picks>()

/** The selection of a scene, shared by board, dock and buttons. */
export function picks(scene: Scene): Picks {
  let found = all.get(scene)
  if (!found) all.set(scene, (found = new Picks(scene)))
  return found
}
