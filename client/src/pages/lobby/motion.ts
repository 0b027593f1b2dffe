// How long a row takes to its new place.
export const moved = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 220
