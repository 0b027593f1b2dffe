// Whose turn it is and what is asked, in words: shown in the strip at the top, and read aloud.
import type { GameUi } from '../games/gameUi'
import { gameText, t } from '../lib/i18n.svelte'
import type { Scene } from '../lib/scene.svelte'
import { waitingText } from './logText'

export function turnText(scene: Scene, ui: GameUi): string {
  const actor = scene.people[scene.view!.actor]
  if (scene.goal) return scene.goalTitle
  if (scene.over) return t('shell.over')
  const own = ui.turnBannerText?.(scene)
  if (own) return own
  if (!actor) return t(scene.isInteractive ? 'shell.chance' : 'shell.replaying')
  return scene.mine && scene.isInteractive && actor.reader ? t('shell.yours') : t('shell.turn', { name: actor.name })
}

/** `held`: the choice waits for others' answers. */
export function questionText(scene: Scene, ui: GameUi, held: boolean): string {
  if (scene.over || scene.goal || !scene.isInteractive) return ''
  if (held) return t('shell.held')
  if (scene.people[scene.view!.actor] && !scene.mine) return waitingText(scene)
  return ui.questionText?.(scene) ?? gameText(scene.game, scene.view!.ask, {}, scene.names)
}
