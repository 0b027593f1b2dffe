// A person's selection in Survive: shared by the board and the panels around it.
import { optionalField } from '../../lib/scene.svelte'
import type { Choice, Scene } from './sceneTypes'
import type { SurviveView } from './view'

/** Choices that are answered by touching a piece. */
const ANSWERS = ['pick_ward', 'pick_prey', 'pick_boarding', 'fetch']
/** Choices that need only a space. */
const SPACES = ['place', 'put_ship', 'put_squid', 'sink']

/**
 * Keys of pieces on the board: an explorer is `r3`, a ship `s` and its number, a creature `c` and its number. They are
 * stable while a piece moves; names in choices ("ship I9") are not.
 */
export function pieceKeyOfChoice(choice: Choice, view: SurviveView): string {
  const id = optionalField(choice, 'id')
  if (id !== undefined) return `c${id}`
  const piece = optionalField(choice, 'piece') ?? ''
  const [kind, at] = piece.split(' ')
  if (at === undefined) return piece
  if (kind === 'ship') return `s${view.ships.find(([, space]) => space === at)?.[0] ?? ''}`
  return `c${view.creatures.find(([, what, space]) => what === kind && space === at)?.[0] ?? ''}`
}

/** The hand tile that a choice plays, `''` if none. */
export function handTileOfChoice(choice: Choice): string {
  if (choice.verb === 'wind') return 'wind'
  if (choice.verb === 'swim_by_dolphin') return 'dolphin'
  if (choice.verb === 'defend') return `${choice.creature}_defence`
  if (choice.verb !== 'send') return ''
  return choice.creature === 'squid' ? 'move_whale' : `move_${choice.creature}`
}

/** Whether the choice plays this tile. */
export function playsHandTile(choice: Choice, { tile, terrain }: { tile: string; terrain: string }): boolean {
  return handTileOfChoice(choice) === tile && (optionalField(choice, 'terrain') ?? terrain) === terrain
}

const NONE = new Map<string, Choice[]>() // constant, so that dependents do not update

function groupChoicesBy(choices: Choice[], key: (choice: Choice) => string): Map<string, Choice[]> {
  if (!choices.length) return NONE
  const groups = new Map<string, Choice[]>()
  for (const choice of choices) {
    const name = key(choice)
    const group = groups.get(name)
    if (group) group.push(choice)
    else groups.set(name, [choice])
  }
  return groups
}

export class Selection {
  /** The selected piece, even if it has no choices any more: read `chosen`. */
  piece: string | null = $state(null)
  /** The piece to be selected at the next question. */
  next: string | null = null
  /** The hand tile to be played: only its choices count. */
  tile: { tile: string; terrain: string } | null = $state.raw(null)
  /** The explorer selected in the tray while setting up: read `held`. */
  taken: { colour: string; value: number } | null = $state.raw(null)
  /** A space pointed at or focused. */
  hover: string | null = $state(null)
  /** The second token of that space is pointed at. */
  second = $state(false)
  /** The space of the "Why not?" question, and its position in the window. */
  asked: { space: string; x: number; y: number } | null = $state.raw(null)

  constructor(private readonly scene: Scene) {}

  private view = $derived.by(() => this.scene.view as SurviveView | undefined)

  /** Changes with each question; a new one clears the selection. */
  question = $derived.by(() => [this.view?.phase, this.view?.actor, this.view?.turn].join())

  /** The value that the next touch of a tile places: the one selected in the tray, otherwise the highest left. */
  held: { colour: string; value: number } | null = $derived.by(() => {
    const left = this.view?.to_place ?? {}
    if (this.taken && left[this.taken.colour]?.includes(this.taken.value)) return this.taken
    const placing = this.scene.choices.filter((choice) => choice.verb === 'place')
    if (!placing.length) return null
    const colour = this.taken && left[this.taken.colour] ? this.taken.colour : placing[0]!.colour
    return { colour, value: Math.max(...(left[colour] ?? [1])) }
  })

  /** The choices that fit the selection. */
  choices: Choice[] = $derived.by(() => {
    const { held, tile } = this
    return this.scene.choices.filter((choice) => {
      if (choice.verb === 'place') return !held || (choice.colour === held.colour && choice.value === held.value)
      return !tile || !handTileOfChoice(choice) || playsHandTile(choice, tile)
    })
  })

  /** Pieces that may be chosen, with their choices. */
  pieces: Map<string, Choice[]> = $derived.by(() =>
    groupChoicesBy(
      this.choices.filter((choice) => optionalField(choice, 'piece') && !ANSWERS.includes(choice.verb)),
      (choice) => pieceKeyOfChoice(choice, this.view!),
    ),
  )

  /** The selected piece, if it has choices. */
  chosen: string | null = $derived(this.piece !== null && this.pieces.has(this.piece) ? this.piece : null)

  /** Pieces that answer the question when touched: whom to take, guard, bring aboard; which ship is fetched. */
  answers: Map<string, Choice[]> = $derived.by(() => {
    const direct = this.choices.filter((choice) => ANSWERS.includes(choice.verb))
    const wards = this.chosen ? this.pieces.get(this.chosen)!.filter((choice) => choice.verb === 'guard') : []
    return groupChoicesBy([...direct, ...wards], (choice) =>
      choice.verb === 'guard' ? choice.ward : pieceKeyOfChoice(choice, this.view!),
    )
  })

  /** Choices by space: of the selected piece, or those without a piece. */
  targets: Map<string, Choice[]> = $derived.by(() => {
    const spaces = this.choices.filter((choice) => SPACES.includes(choice.verb))
    const asked = this.choices.filter((choice) => ANSWERS.includes(choice.verb))
    const steps = this.chosen ? this.pieces.get(this.chosen)! : []
    return groupChoicesBy([...spaces, ...asked, ...steps], (choice) =>
      choice.verb === 'fetch' ? choice.from : (optionalField(choice, 'to') ?? ''),
    )
  })

  /** Whether the choice has its place on the board; the others are for buttons and cards. */
  static isOnBoard(choice: Choice): boolean {
    return optionalField(choice, 'to') !== undefined || optionalField(choice, 'piece') !== undefined
  }

  /** Play it. The piece stays selected in case it has more choices. */
  playChoice(choice: Choice): void {
    this.asked = null
    this.scene.choose(choice)
  }

  clearSelection(): void {
    this.piece = null
    this.asked = null
  }
}

const picks = new WeakMap<Scene, Selection>()

/** The selection of a scene. */
export function selectionOf(scene: Scene): Selection {
  let pick = picks.get(scene)
  if (!pick) picks.set(scene, (pick = new Selection(scene)))
  return pick
}
