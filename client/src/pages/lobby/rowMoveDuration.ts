// How long a row of the lobby takes to its new place, in ms; 0 where animations are not wanted.
export const ROW_MOVE_MS = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 220
