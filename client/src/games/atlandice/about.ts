import type { Description } from '../description'

export const about: Description = {
  shelf: 3,
  minutes: 25,
  range: [2, 4],
  players: 3,
  sign: ['die-5', 'scale(1.1)'],
  sets: {
    waves: ['submarine', 'translate(0 6) scale(.8)'],
    close: ['black-market', 'translate(0 14) scale(.5)'],
  },
  steps: 7,
}
