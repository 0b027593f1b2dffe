// What is looked for, in words.
import { gameTitle } from '../../lib/gameAndBotCatalogue.svelte'
import { joinWords, t } from '../../lib/i18n.svelte'
import type { WaitingInfo } from '../../lib/wire'

export const isByDays = (pace: string): boolean => pace !== 'quarter'

/** One kind of table: "Survive, 4 players, a quarter hour each, rated". */
export const offerText = (offer: WaitingInfo): string =>
  describeSearch({ games: [offer.game], sizes: [offer.players], pace: offer.pace, rated: offer.rated })

/** "Survive or Atlantis, 3 or 4 players, a quarter hour each, rated". */
export function describeSearch(terms: { games: string[]; sizes: number[]; pace: string; rated: boolean }): string {
  const joinWithOr = (words: string[]): string =>
    words.length > 1 ? t('pair.or', { some: joinWords(words.slice(0, -1)), last: words.at(-1)! }) : (words[0] ?? '')
  const sizes = [...terms.sizes].sort((a, b) => a - b).map(String)
  return joinWords([
    joinWithOr(terms.games.map(gameTitle)),
    t('pair.players', { n: joinWithOr(sizes) }),
    t(`pair.pace.${terms.pace}`),
    t(terms.rated ? 'pair.is_rated' : 'pair.is_friendly'),
  ])
}
