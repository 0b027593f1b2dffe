// The result of a match that was not played to its end: the winner and the reason.
import type { Person } from '../lib/scene.svelte'
import { t } from '../lib/i18n.svelte'
import type { TableInfo } from '../lib/wire'

export interface Ending {
  title: string
  why: string
  /** The winner, if any. */
  winner: number | null
}

/** If all but one resigned, that one wins; if all people resigned, nobody plays on. */
export function ending(table: TableInfo, people: Person[]): Ending {
  const ended = table.ended ?? 'finished'
  const gone = table.chairs.flatMap((chair, seat) => (chair.away === 'resigned' ? [seat] : []))
  if (ended !== 'resigned' || !gone.length) return { title: t(`shell.ended.${ended}`), why: '', winner: null }
  const names = gone.map((seat) => people[seat]?.name || t('shell.somebody')).join(', ')
  const mine = gone.length === 1 && people[gone[0]!]?.you
  const why = mine ? t('shell.gaveup.you') : t('shell.gaveup', { n: gone.length, names })
  const left = table.chairs.flatMap((_, seat) => (gone.includes(seat) ? [] : [seat]))
  if (left.length !== 1) return { title: why, why: t('shell.gaveup.nobody'), winner: null }
  const winner = left[0]!
  const title = people[winner]?.you
    ? t('shell.wins.you')
    : t('shell.wins', { name: people[winner]?.name || t('shell.somebody') })
  return { title, why, winner }
}
