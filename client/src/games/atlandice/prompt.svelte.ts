// What to do now, in a few words; and where the stocks are on a phone.
import { innerHeight, innerWidth } from 'svelte/reactivity/window'
import { t } from '../../lib/i18n.svelte'
import type { Scene } from './sceneTypes'
import { cityViewOf } from './view'

const STRIP = 92 // pixels
const SHEET = 90 // pixels, without a question
const FREE = 190 // pixels of sea below the city that stocks and a prompt need

/** On an upright phone the stocks are always visible: over the sea below the city, otherwise in the sheet. */
export function stocksArea(scene: Scene): 'sea' | 'sheet' | 'side' {
  if (scene.frame.kind !== 'upright') return 'side'
  const city = Math.min(444, (innerWidth.current ?? 0) - 56) * 0.96 + 46
  return (innerHeight.current ?? 0) - STRIP - city - SHEET >= FREE ? 'sea' : 'sheet'
}

/** What is asked of this player; null: nothing. */
export function promptText(scene: Scene): string | null {
  if (!scene.mine || !scene.choices.length) return null
  const { phase, visits_left: n } = cityViewOf(scene)
  if (phase === 'die') return scene.frame.phone ? t('atlandice.prompt.die', { n }) : t('atlandice.prompt.district')
  return t(`atlandice.prompt.${phase}`)
}
