// What Atlandice says to those who hear it: what they chose, and how they stand.
import type { Spoken } from '../gameUi'
import { gameText, joinSentences, joinWords, t } from '../../lib/i18n.svelte'
import { sectorLabel, termText } from './cityText'
import type { GameTypes, Scene } from './sceneTypes'
import { selectionOf } from './selection.svelte'
import { cityViewOf, RESOURCES } from './view'

function selectionText(scene: Scene): string {
  const pick = selectionOf(scene)
  if (!pick.sector || !pick.choicesBySector.has(pick.sector) || !pick.isChoosingDie) return ''
  const lead = scene.preview.clock?.[pick.sector]
  const clock = lead ? gameText('atlandice', 'label.last_die', { to: lead.to }) : ''
  return joinSentences([t('atlandice.said.sector', { sector: termText(pick.sector) }), clock])
}

function positionText(scene: Scene): string[] {
  const view = cityViewOf(scene)
  const me = scene.seat === null ? undefined : view.holders[scene.seat]
  const stock = me && RESOURCES.map((one) => t('list.pair', { what: termText(one), value: me.stock[one] }))
  return [
    gameText('atlandice', 'label.round', { round: view.round }),
    ...(stock ? [t('atlandice.said.stock', { list: joinWords(stock) })] : []),
    ...view.sectors.map(sectorLabel),
  ]
}

const keys: Spoken['keys'] = [['1 – 6', 'atlandice.key.districts']]

export const spoken: Spoken<GameTypes> = { selectionText, positionText, keys }
