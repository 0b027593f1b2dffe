// Atlandice's view types, and the drawing of each resource and sector.
import type { Event, HolderView, Icon, Resource, Sector, SectorView } from './messages.generated'
import type { CityView, Scene } from './scene'

export type { Event, Resource, SectorView }
export type { CityView, Scoring } from './scene'
export type { HolderView as Holder, Sector as SectorName }
type Holder = HolderView
type SectorName = Sector
export const RESOURCES: readonly Resource[] = ['gems', 'books', 'provisions', 'tools', 'weapons']
export const SECTORS: readonly Sector[] = ['jeweller', 'library', 'inn', 'workshop', 'forge', 'black_market']

export const city = (scene: Scene): CityView => scene.view!

/** The symbol of a resource or of an icon of the clock. */
export const SYMBOL: Record<Icon, string> = {
  gems: 'gem',
  books: 'book',
  provisions: 'provisions',
  tools: 'tool',
  weapons: 'weapon',
  stock: 'stock',
  donation: 'donation',
}
export const BUILDING: Record<SectorName, string> = {
  jeweller: 'jeweller',
  library: 'library',
  inn: 'inn',
  workshop: 'workshop',
  forge: 'forge',
  black_market: 'black-market',
}
/** Ground, its darker edge, text colour, roofs. */
export const TINT: Record<SectorName, { ground: string; edge: string; ink: string; roof: string }> = {
  jeweller: { ground: '#efd2ee', edge: '#d5a3df', ink: '#6b2a80', roof: '#c05ad6' },
  library: { ground: '#cddcf2', edge: '#9dbbe6', ink: '#1f4688', roof: '#3b6fc4' },
  inn: { ground: '#fbdcae', edge: '#eeb874', ink: '#7a430b', roof: '#e08b2d' },
  workshop: { ground: '#c6e7dd', edge: '#8fcbbf', ink: '#17575a', roof: '#3a9c97' },
  forge: { ground: '#f4cbbf', edge: '#e19c8d', ink: '#872a27', roof: '#c8433f' },
  black_market: { ground: '#4b3a78', edge: '#3a2a5e', ink: '#3a2a5e', roof: '#8a5ac0' },
}

/** The sector of a tile: "inn_b" is the inn's. */
export const sectorOf = (tile: string): SectorName => tile.replace(/_[abc]$/, '') as SectorName
/** A resource's home sector, and the inverse. */
export const homeOf = (resource: Resource): SectorName => SECTORS[RESOURCES.indexOf(resource)]!
export const ownOf = (sector: SectorName): Resource | undefined => RESOURCES[SECTORS.indexOf(sector)]

export const lying = (sector: SectorView): number => RESOURCES.reduce((sum, r) => sum + sector.pieces[r], 0)
/** The kinds of piece in a sector, its own first. */
export function kinds(sector: SectorView): Resource[] {
  const own = ownOf(sector.sector)
  return RESOURCES.filter((r) => sector.pieces[r] > 0).sort((a, b) => Number(b === own) - Number(a === own))
}

/** A holder's colour; the neutral player has its own. */
export function paint(scene: Scene, holder: Holder): string {
  return holder.seat === null ? holder.colour : (scene.people[holder.seat]?.colour ?? holder.colour)
}
