import type { Description } from '../description'

export const about: Description = {
  shelf: 2,
  minutes: 30,
  range: [2, 4],
  players: 3,
  sign: ['bridge', 'translate(0 6) scale(.62)'],
  sets: {
    last_steps: ['shore-mainland', 'translate(0 12) scale(.26)'],
    on_atlantis: ['shore-atlantis', 'translate(0 12) scale(.26)'],
    broken: ['bridge', 'translate(0 6) scale(.8)'],
  },
  steps: 7,
}
