// What a game's folder here says of it in a few words: `about` of its about.ts. Its drawings are files of their own, each
// fetched where it is shown: Card (home), Pick (a new table), Figure (the short lesson), room (the table), options/<name>
// (an option that is no switch), messages/<language>.json.
export interface Description {
  /** Its place where games are listed. */
  shelf: number
  /** Minutes a match takes among people, as the box says. */
  minutes: number
  /** How many play where nobody said. */
  players: number
  /** Its sign in lists: a symbol of the sheet, and how it is placed in a box of 48. */
  sign: [symbol: string, transform: string]
  /** How many steps its short lesson has. */
  steps: number
  /** Options that are challenges of the box, by the number it gives each. */
  challenges?: Record<string, number>
  /** Options that are offered with those, before what else there is. */
  front?: string[]
}
