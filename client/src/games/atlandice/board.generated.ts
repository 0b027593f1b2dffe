// Made by `landfall types --write`; do not edit.
export const SECTORS = ["jeweller", "library", "inn", "workshop", "forge", "black_market"] as const
export const RESOURCES = ["gems", "books", "provisions", "tools", "weapons"] as const
export const CITY_RADIUS = 356 as const
export const CITY_FLATNESS = 0.8 as const
export const RADII = {
  "plaza": 0.31,
  "clock": 0.458,
  "canal": 0.507,
  "gate": 0.532,
  "shore": 0.556,
  "middle": 0.775,
  "plate": 0.95,
  "submarine": 1.085,
} as const
export const BRIDGE_RADII = [0.445, 0.59] as const
export const DISTRICT_GAP = 0.034 as const
export const DISTRICT_ANGLES = [-1.570796, -0.314159, 0.942478, 2.199115, 3.455752] as const
export const BUILDING_OFFSETS = [
  [-78, 18],
  [6, -24],
  [66, 2],
  [-66, 2],
  [-6, -24],
] as const
export const PILE_OFFSETS = [
  [50, 12],
  [2, 50],
  [-50, 4],
  [50, 4],
  [-2, 50],
] as const
export const PLATE_TURNS = [0.42, 0.4, 0.42, 0.4, -0.4] as const
export const SUBMARINE_TURNS = [-0.27, 0.27, -0.27, 0.27, -0.27] as const
export const ICON_SYMBOLS = {
  "gems": "gem",
  "books": "book",
  "provisions": "provisions",
  "tools": "tool",
  "weapons": "weapon",
  "stock": "stock",
  "donation": "donation",
} as const
export const SECTOR_TINTS = {
  "jeweller": {"ground": "#efd2ee", "edge": "#d5a3df", "ink": "#6b2a80", "roof": "#c05ad6"},
  "library": {"ground": "#cddcf2", "edge": "#9dbbe6", "ink": "#1f4688", "roof": "#3b6fc4"},
  "inn": {"ground": "#fbdcae", "edge": "#eeb874", "ink": "#7a430b", "roof": "#e08b2d"},
  "workshop": {"ground": "#c6e7dd", "edge": "#8fcbbf", "ink": "#17575a", "roof": "#3a9c97"},
  "forge": {"ground": "#f4cbbf", "edge": "#e19c8d", "ink": "#872a27", "roof": "#c8433f"},
  "black_market": {"ground": "#4b3a78", "edge": "#3a2a5e", "ink": "#3a2a5e", "roof": "#8a5ac0"},
} as const
