import type { Description } from '../description'

export const about: Description = {
  shelf: 2,
  minutes: 30,
  players: 3,
  sign: ['bridge', 'translate(0 6) scale(.62)'],
  steps: 7,
}
