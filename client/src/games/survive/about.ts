import type { Description } from '../description'

export const about: Description = {
  shelf: 1,
  minutes: 45,
  range: [2, 6],
  players: 4,
  sign: ['explorer-red', 'translate(0 15) scale(.8)'],
  sets: {
    shark: ['shark', 'translate(0 10) scale(.95)'],
    whale: ['whale', 'translate(0 10) scale(.95)'],
    colours: ['ship-front', 'translate(0 6) scale(.9)'],
    volcano: ['tile-mountain', 'translate(0 8) scale(.62)'],
  },
  steps: 8,
  challenges: { overpopulated: 1, to_the_last: 2, all_equal: 3, submerged: 4, crowded: 5, dolphins: 6 },
  front: ['squid', 'squid_spares_on_arrival'],
}
