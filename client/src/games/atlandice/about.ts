import type { Description } from '../description'

export const about: Description = {
  shelf: 3,
  minutes: 25,
  players: 3,
  sign: ['die-5', 'scale(1.1)'],
  steps: 7,
}
