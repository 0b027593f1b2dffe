// @vitest-environment happy-dom
// The lines of a division: who rises, and who goes down.
import { mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import type { TournamentInfo, TournamentYou } from '../../lib/rest.generated'
import Standings from './Standings.svelte'

/** A division of 16 among three, as a player of it sees it: the rows that are shown, and which of them are lines. */
function shown(player: number): string[] {
  const place = (n: number) => ({ player: n, place: n + 1, rose: 0, points: 0, opponents: 0, firsts: 0, places: [] })
  const info = {
    form: 'league',
    status: 'over',
    played: [],
    players: [...Array(16).fill(1), 0, 2].map((division, n) => ({ name: `player ${n}`, state: 'in', division })),
    standings: [...Array(16).keys()].map(place),
  } as unknown as TournamentInfo
  const props = { info, you: { player } as TournamentYou, division: 1 }
  const drawn = mount(Standings, { target: document.body, props })
  const rows = [...document.querySelectorAll('tbody tr:not(.beyond)')]
  const found = rows.map(
    (row) => row.querySelector('th span')?.textContent ?? (row.querySelector('.up') ? 'up' : 'down'),
  )
  void unmount(drawn)
  document.body.innerHTML = ''
  return found
}

test('a line is shown above its row, or the next one that is shown', () => {
  const first = [0, 1, 'up', 2, 3, 4, 5, 6, 7, 8].map((one) => (one === 'up' ? one : `player ${one}`))
  expect(shown(4)).toStrictEqual(first)
  expect(shown(13)).toStrictEqual([...first, 'player 13'])
  expect(shown(14)).toStrictEqual([...first, 'down', 'player 14'])
  expect(shown(15)).toStrictEqual([...first, 'down', 'player 15'])
})
