// What others' turns mean for whoever reads of them: who steers a ship now, and which creature can reach whom.
import { BY_NAME, shortestRoutes, SPACES } from './boardGeometry'
import type { Scene } from './sceneTypes'
import type { Kind, SurviveView } from './view'

/** How far the die moves a creature (SV.K3 to SV.K5). */
const REACH: Partial<Record<Kind, number>> = { serpent: 1, shark: 2, whale: 3 }
const ABOARD = 3 // explorers that a ship holds

export interface Danger {
  piece: string
  /** Spaces between the creature and the piece. */
  spaces: number
}

/** The explorers that a creature could reach with the next die: sharks take swimmers, whales ships, serpents both. */
export function explorersInReach(view: SurviveView, creature: Kind, at: string): Danger[] {
  const reach = REACH[creature]
  if (reach === undefined || !BY_NAME.has(at)) return []
  const sea = new Set(SPACES.filter((space) => !view.tiles[space.name]).map((space) => space.name))
  const routes = shortestRoutes(at, sea, () => false)
  const aboard = new Set(Object.values(view.aboard).flat())
  return Object.entries(view.explorers)
    .filter(
      ([piece, place]) => sea.has(place) && (creature === 'serpent' || aboard.has(piece) === (creature === 'whale')),
    )
    .map(([piece, place]) => ({ piece, spaces: (routes.get(place)?.length ?? Infinity) - 1 }))
    .filter(({ spaces }) => spaces <= reach)
    .sort((a, b) => a.spaces - b.spaces)
}

/** A ship that somebody boarded at event number `n`, as it is now; null: it is gone, or nobody is aboard any more. */
export function shipBoardedAt(scene: Scene, n: number): { at: string; crew: string[]; full: boolean } | null {
  const boarded = scene.events[n]!
  if (boarded.kind !== 'moved' || !scene.view) return null
  let at = boarded.to
  for (const event of scene.events.slice(n + 1)) {
    if (event.kind === 'ship_moved' && event.from === at) at = event.to
    if ((event.kind === 'wrecked' || event.kind === 'swallowed') && event.at === at) return null
  }
  const crew = scene.view.aboard?.[at] ?? []
  return crew.includes(boarded.piece) ? { at, crew, full: crew.length === ABOARD } : null
}
