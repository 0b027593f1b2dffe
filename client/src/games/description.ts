// A game's facts for lists: `about` in its about.ts. Its drawings are separate files, loaded where they are shown:
// GameCardArt (home, lobby), LessonPicture (the short lesson), ui (the table), options/<name> (an option that is no switch).
// So are its texts: card/<language>.json for lists, messages/<language>.json for the table.
export interface Description {
  /** Its position in lists of games. */
  shelf: number
  /** Minutes of a match among people, as printed on the box, if there is one. */
  minutes?: number
  /** The fewest and the most players. */
  range: [fewest: number, most: number]
  /** The default number of players. */
  players: number
  /** Its icon in lists: a symbol, and its transform in a box of 48. */
  sign: [symbol: string, transform: string]
  /** The number of steps in its short lesson. */
  steps: number
  /** The icons of its sets of puzzles, drawn likewise. */
  sets?: Record<string, [symbol: string, transform: string]>
  /** Options that are challenges of the box, by number. */
  challenges?: Record<string, number>
  /** Options that are offered with those, before the others. */
  front?: string[]
}
