// A table in a list: the lobby's, or one's own. Responses contain every field.
import type { TableListing } from './rest.generated'
import type { Rank } from './wire'

export type Listed = Required<Omit<TableListing, 'ranking'>> & { ranking: Rank[] | null }
