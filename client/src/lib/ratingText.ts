// Ratings as text: numbers grouped by language, changes with a sign.
import { settings, TAGS } from './settings.svelte'

/** A rating's number. */
export const formatRating = (n: number): string => n.toLocaleString(TAGS[settings.language], { useGrouping: 'always' })

/** A change: "+14", "−9", "±0". */
export const formatRatingChange = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '±0')

/** The classes of table sizes, each named by its smallest number of players. */
export const SIZES = [2, 3, 5]
