// The hour of the sea: the fewer tiles are left, the darker it is.

/** Colours from the middle of the board to its edge. */
export type Mood = readonly [string, string, string, string, string]
/** From how many tiles on; colours of a clear day, late light, dusk, storm and red night. */
const MOODS: readonly [number, Mood][] = [
  [31, ['#64cabd', '#3fb0b3', '#2486a0', '#1b5f8b', '#163f73']],
  [22, ['#8ccfa6', '#56b09d', '#2f8298', '#205a85', '#173a69']],
  [13, ['#a795b4', '#7283b0', '#486699', '#30467d', '#212d60']],
  [7, ['#67929b', '#447285', '#2d566f', '#1d3b59', '#122741']],
  [0, ['#c3705a', '#8a4d5c', '#57395c', '#35284f', '#1b1a3b']],
]
export const MOOD_STOPS = [0, 0.34, 0.56, 0.78, 1]
export const DUSK = 2 // from this hour on lighthouses are lit

export const hourOfSea = (tilesLeft: number): number => MOODS.findIndex(([from]) => tilesLeft >= from)
export const moodAtHour = (hour: number): Mood => MOODS[hour]![1]
