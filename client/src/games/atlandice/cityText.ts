// Composite sentences about the city: sectors for plaques, cards and screen readers.
import { joinWords, gameText, joinSentences, t } from '../../lib/i18n.svelte'
import { pieceKindsIn, countPiecesInSector, type Holder, type Resource, type SectorView } from './view'
import type { Choice, Scene } from './sceneTypes'

export const termText = (word: string): string => gameText('atlandice', `term.${word}`)
/** "two gems", "a gem": so many pieces, by twos. */
export function pieceWordsByTwos(resource: Resource, n: number): string[] {
  const pairs = Array.from({ length: Math.floor(n / 2) }, () => t(`atlandice.two.${resource}`))
  return n % 2 ? [...pairs, gameText('atlandice', `one.${resource}`)] : pairs
}
export const sectorEffectText = (here: SectorView): string =>
  here.used_up
    ? t('atlandice.usedUp')
    : here.tile || here.sector === 'black_market'
      ? gameText('atlandice', `effect.${here.tile ?? here.sector}`)
      : '' // before the deal
export const choiceSentence = (scene: Scene, choice: Choice): string =>
  gameText('atlandice', `act.${choice.verb}`, choice, scene.names)

/** "Tomé", or the neutral player's name. */
export function holderShortName(scene: Scene, holder: Holder): string {
  return holder.seat === null ? t('atlandice.neutral') : (scene.people[holder.seat]?.short ?? '')
}

/** The unique name for sentences without a colour mark. */
export function holderFullName(scene: Scene, holder: Holder): string {
  return holder.seat === null ? t('atlandice.neutral') : (scene.people[holder.seat]?.name ?? '')
}

/** The contents of a sector, in words. */
export function sectorContentsText(here: SectorView): string {
  if (!countPiecesInSector(here)) return t('atlandice.empty')
  return joinWords(
    pieceKindsIn(here).map((resource) => t('list.pair', { what: termText(resource), value: here.pieces[resource] })),
  )
}

/** A sector's complete description for screen readers. */
export function sectorLabel(here: SectorView): string {
  const parts = [`${here.number} ${termText(here.sector)}`]
  if (here.used_up) return joinSentences([...parts, t('atlandice.usedUp')])
  parts.push(t('atlandice.diceHere', { n: here.dice }), sectorContentsText(here))
  if (here.submarine) parts.push(t('atlandice.submarineHere'))
  if (here.hands !== null) parts.push(t('atlandice.hands', { n: here.hands }))
  parts.push(sectorEffectText(here))
  return joinSentences(parts)
}
