// What a person has in hand while choosing in Survive: shared by the board and what stands around it.
import { part } from '../../lib/scene.svelte'
import type { Choice, Scene } from './scene'
import type { SurviveView } from './view'

/** Choices that are answered by touching a piece itself. */
const ANSWERS = ['pick_ward', 'pick_prey', 'pick_boarding', 'fetch']
/** Choices that need only a space. */
const SPACES = ['place', 'put_ship', 'put_squid', 'sink']

/**
 * Names of pieces on the board: an explorer is `r3`, a ship `s` and its number, a creature `c` and its number.
 * They stay the same while a piece moves; the words of choices ("ship I9") do not.
 */
export function pieceOf(choice: Choice, view: SurviveView): string {
  const id = part(choice, 'id')
  if (id !== undefined) return `c${id}`
  const piece = part(choice, 'piece') ?? ''
  const [kind, at] = piece.split(' ')
  if (at === undefined) return piece
  if (kind === 'ship') return `s${view.ships.find(([, space]) => space === at)?.[0] ?? ''}`
  return `c${view.creatures.find(([, what, space]) => what === kind && space === at)?.[0] ?? ''}`
}

/** A hand tile that a choice would play, `''` if none. */
export function tileOf(choice: Choice): string {
  if (choice.verb === 'wind') return 'wind'
  if (choice.verb === 'swim_by_dolphin') return 'dolphin'
  if (choice.verb !== 'send') return ''
  return choice.creature === 'squid' ? 'move_whale' : `move_${choice.creature}`
}

const NONE = new Map<string, Choice[]>() // always the same, so that nobody looks again where there is nothing

function grouped(choices: Choice[], key: (choice: Choice) => string): Map<string, Choice[]> {
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

export class Pick {
  /** The chosen piece, even if it has nothing to do any more: read `chosen`. */
  piece: string | null = $state(null)
  /** The hand tile to be played: only its choices count. */
  tile: string | null = $state(null)
  /** The explorer taken from the tray while setting up: read `held`. */
  taken: { colour: string; value: number } | null = $state.raw(null)
  /** A space pointed at or focused. */
  hover: string | null = $state(null)
  /** The space "Why not?" is about, and where that is in the window. */
  asked: { space: string; x: number; y: number } | null = $state.raw(null)

  constructor(private readonly scene: Scene) {}

  private view = $derived.by(() => this.scene.view as SurviveView | undefined)

  /** The value that the next touch of a tile places: what was taken from the tray, else the highest left. */
  held: { colour: string; value: number } | null = $derived.by(() => {
    const left = this.view?.to_place ?? {}
    if (this.taken && left[this.taken.colour]?.includes(this.taken.value)) return this.taken
    const placing = this.scene.choices.filter((choice) => choice.verb === 'place')
    if (!placing.length) return null
    const colour = this.taken && left[this.taken.colour] ? this.taken.colour : placing[0]!.colour
    return { colour, value: Math.max(...(left[colour] ?? [1])) }
  })

  /** The choices that fit what is held. */
  choices: Choice[] = $derived.by(() => {
    const { held, tile } = this
    return this.scene.choices.filter((choice) => {
      if (choice.verb === 'place') return !held || (choice.colour === held.colour && choice.value === held.value)
      return !tile || !tileOf(choice) || tileOf(choice) === tile
    })
  })

  /** Pieces that may be chosen, with what each may do. */
  pieces: Map<string, Choice[]> = $derived.by(() =>
    grouped(
      this.choices.filter((choice) => part(choice, 'piece') && !ANSWERS.includes(choice.verb)),
      (choice) => pieceOf(choice, this.view!),
    ),
  )

  /** The chosen piece, if it has something to do. */
  chosen: string | null = $derived(this.piece !== null && this.pieces.has(this.piece) ? this.piece : null)

  /** Pieces that answer what is asked when touched: whom to take, guard, bring aboard; which ship is fetched. */
  answers: Map<string, Choice[]> = $derived.by(() => {
    const direct = this.choices.filter((choice) => ANSWERS.includes(choice.verb))
    const wards = this.chosen ? this.pieces.get(this.chosen)!.filter((choice) => choice.verb === 'guard') : []
    return grouped([...direct, ...wards], (choice) =>
      choice.verb === 'guard' ? choice.ward : pieceOf(choice, this.view!),
    )
  })

  /** What may be chosen by touching a space: of the chosen piece, or of what needs no piece. */
  targets: Map<string, Choice[]> = $derived.by(() => {
    const spaces = this.choices.filter((choice) => SPACES.includes(choice.verb))
    const asked = this.choices.filter((choice) => ANSWERS.includes(choice.verb))
    const steps = this.chosen ? this.pieces.get(this.chosen)! : []
    return grouped([...spaces, ...asked, ...steps], (choice) =>
      choice.verb === 'fetch' ? choice.from : (part(choice, 'to') ?? ''),
    )
  })

  /** Whether the choice has its place on the board; the rest is for buttons and cards. */
  static onBoard(choice: Choice): boolean {
    return part(choice, 'to') !== undefined || part(choice, 'piece') !== undefined
  }

  /** Play it. The piece stays chosen, should it have more to do. */
  play(choice: Choice): void {
    this.asked = null
    this.scene.choose(choice)
  }

  clear(): void {
    this.piece = null
    this.asked = null
  }
}

const picks = new WeakMap<Scene, Pick>()

/** What is in hand at this scene. */
export function picking(scene: Scene): Pick {
  let pick = picks.get(scene)
  if (!pick) picks.set(scene, (pick = new Pick(scene)))
  return pick
}
