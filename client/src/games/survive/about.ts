import type { Description } from '../description'

export const about: Description = {
  shelf: 1,
  minutes: 45,
  players: 4,
  sign: ['explorer-red', 'translate(0 15) scale(.8)'],
  steps: 8,
  guided: true,
}
