// Made by `landfall types --write`; do not edit.
export const LEVELS = ["sprat", "mackerel", "marlin", "leviathan", "kraken"] as const
export const PUZZLE_RATINGS = {
  "sprat": 19.0,
  "mackerel": 23.0,
  "marlin": 27.0,
  "leviathan": 31.0,
} as const
