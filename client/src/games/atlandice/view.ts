// The words of Atlandice's view as types, and what each resource and sector is drawn with.
import * as board from './board.generated'
import type { Event, HolderView, Icon, Resource, Sector, SectorView } from './messages.generated'
import type { CityView, Scene } from './sceneTypes'

export type { Event, Resource, SectorView }
export type { CityView, Scoring } from './sceneTypes'
export type { HolderView as Holder, Sector as SectorName }
type Holder = HolderView
type SectorName = Sector
export const RESOURCES: readonly Resource[] = board.RESOURCES
export const SECTORS: readonly Sector[] = board.SECTORS

export const cityViewOf = (scene: Scene): CityView => scene.view!

/** The sheet's symbol of a resource or of an icon of the clock. */
export const SYMBOL: Record<Icon, string> = board.ICON_SYMBOLS
export const BUILDING: Record<SectorName, string> = {
  jeweller: 'jeweller',
  library: 'library',
  inn: 'inn',
  workshop: 'workshop',
  forge: 'forge',
  black_market: 'black-market',
}
/** Ground, its darker edge, the ink on it, roofs. */
export const TINT: Record<SectorName, { ground: string; edge: string; ink: string; roof: string }> = board.SECTOR_TINTS

/** The sector of a tile: "inn_b" is the inn's. */
export const sectorOfTile = (tile: string): SectorName => tile.replace(/_[abc]$/, '') as SectorName
/** A resource's home sector, and the inverse. */
export const homeSectorOf = (resource: Resource): SectorName => SECTORS[RESOURCES.indexOf(resource)]!
export const resourceOfSector = (sector: SectorName): Resource | undefined => RESOURCES[SECTORS.indexOf(sector)]

export const countPiecesInSector = (sector: SectorView): number =>
  RESOURCES.reduce((sum, r) => sum + sector.pieces[r], 0)
/** The kinds of piece in a sector, its own first. */
export function pieceKindsIn(sector: SectorView): Resource[] {
  const own = resourceOfSector(sector.sector)
  return RESOURCES.filter((r) => sector.pieces[r] > 0).sort((a, b) => Number(b === own) - Number(a === own))
}

/** A holder's colour; the neutral player has its own. */
export function holderColour(scene: Scene, holder: Holder): string {
  return holder.seat === null ? holder.colour : (scene.people[holder.seat]?.colour ?? holder.colour)
}
