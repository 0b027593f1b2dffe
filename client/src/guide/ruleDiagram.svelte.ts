// A position beside a rule, with a seat's view and choices. Nothing is played; an illegal touch shows the rule that
// forbids it.
import { fetchGameInfo } from '../lib/gameAndBotCatalogue.svelte'
import { get } from '../lib/http'
import { seatedPeople } from '../lib/playerNames'
import { Scene, expandChoiceRows, type Choice, type View } from '../lib/scene.svelte'
import type { Choices, BasePreview } from '../lib/wire'

export interface RuleDiagramData {
  rule: string
  seat: number
  players: number
  text: string
  point: string[]
  view: View
  preview: BasePreview
  choices: Choices[]
}

const found: Record<string, Promise<RuleDiagramData[]>> = {}

/** A game's diagrams, fetched once per language. */
export function fetchRuleDiagrams(game: string, language: string): Promise<RuleDiagramData[]> {
  const path = `/api/games/${game}/figures?language=${language}`
  const asked = (found[path] ??= get<RuleDiagramData[]>(path))
  asked.catch(() => delete found[path])
  return asked
}

export class RuleDiagramScene extends Scene {
  /** The last choice: it is legal. */
  chosen: Choice | null = $state.raw(null)

  constructor(
    game: string,
    readonly data: RuleDiagramData,
  ) {
    super()
    this.game = game
    this.seat = data.seat
    this.view = data.view
    this.preview = data.preview
    this.choices = expandChoiceRows(data.choices)
    this.pointed = data.point
  }

  /** Pieces can be selected, as at a table. */
  override get isInteractive(): boolean {
    return true
  }

  /** Name the players by their colours. */
  async namePlayers(): Promise<void> {
    this.palette = (await fetchGameInfo(this.game))?.colours ?? []
    const chairs = Array.from({ length: this.data.players }, () => ({ name: null, bot: null, who: null }))
    this.people = seatedPeople(this.game, chairs as never, [this.data.seat], this.palette)
  }

  choose(choice: Choice): void {
    this.notice = null
    this.chosen = choice
  }
  explainIllegalMove(piece: string, place: string): void {
    this.chosen = null
    const asked = new URLSearchParams({ piece, place })
    void get<{ rule: string | null }>(`/api/games/${this.game}/figures/${this.data.rule}/why?${asked}`).then(
      ({ rule }) => (this.notice = rule ? { rule, key: `why.${rule}`, args: {}, place } : null),
      () => undefined, // without a response nothing is shown
    )
  }
}
