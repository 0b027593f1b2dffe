// Made by `landfall types --write`; do not edit.
export const POSITIONS = 53 as const
export const KIND_SYMBOLS = {
  "blue": "ring",
  "grey": "helmet",
  "white": "statue",
  "yellow": "crown",
  "brown": "amphora",
  "green": "olive",
  "pink": "flag",
} as const
