// Survive's implementation of GameUi: its components, steps and texts.
import type { Choice, Scene, View, GameTypes } from './sceneTypes'
import { t } from '../../lib/i18n.svelte'
import type { Button, GameUi, Step } from '../gameUi'
import StepSummary from './StepSummary.svelte'
import Board from './Board.svelte'
import BoardPanels from './BoardPanels.svelte'
import ChoiceDock from './ChoiceDock.svelte'
import PlayerChipScore from './PlayerChipScore.svelte'
import PlayerStats from './PlayerStats.svelte'
import SidePanels from './SidePanels.svelte'
import { animationStepsOf } from './animations'
import { seatOfEvent, happenedToReader, joinsPreviousSentence, logLine, timelineSymbol, hasNoLogLine } from './logText'
import { recap } from './recap'
import { choiceText, placesOfEvent, type SurviveView } from './surviveText'

const SETUP = ['survive.step.explorers', 'survive.step.ships', 'survive.step.play']
const TURN = ['survive.step.hand', 'survive.step.move', 'survive.step.sink', 'survive.step.creature']
const NUMBER: Record<string, number> = { hand: 0, move: 1, tile: 2, mini: 2, die: 3 }

/** Whether a tile was played before the movement of the turn that is drawn. */
function wasTilePlayedThisTurn(scene: Scene): boolean {
  const events = scene.events.slice(0, scene.seen)
  const turn = events.slice(events.findLastIndex((event) => event.kind === 'turn') + 1)
  return turn.some((event) => event.kind === 'tile_played' && !event.tile.endsWith('_defence'))
}

function turnSteps(view: View, scene: Scene): Step[] {
  const { step, phase } = view as SurviveView
  if (phase === 'ended') return []
  const [keys, now] = step === 'setup' ? [SETUP, phase === 'ships' ? 1 : 0] : [TURN, NUMBER[step] ?? 0]
  const done = (key: string): Step['state'] => (key !== TURN[0] || wasTilePlayedThisTurn(scene) ? 'done' : 'skipped')
  return keys.map((key, i) => ({ key, state: i < now ? done(key) : i === now ? 'now' : 'later' }))
}

/** Choices without a place on the board. Answers to an attack are on its own card. */
function actionButtons(scene: Scene): Button[] {
  const phase = scene.view?.phase
  if (phase === 'defending') return []
  const found: Button[] = []
  for (const choice of scene.choices) {
    if (choice.verb === 'end') found.push({ choice, label: t('survive.end'), main: true, icon: 'ui-next' })
    if (choice.verb === 'pass') found.push({ choice, ...passButton(phase ?? '', scene.choices.length === 1) })
  }
  return found
}

function passButton(phase: string, alone: boolean): Omit<Button, 'choice'> {
  if (phase === 'hand') return { label: t('survive.notile'), main: true, icon: 'ui-next' }
  if (phase === 'mini') return { label: t('survive.decline'), icon: 'ui-skip', main: alone }
  return { label: t(alone ? 'survive.goon' : 'survive.pass'), icon: 'ui-skip', main: alone }
}

/** During set-up and attacks the banner shows the question instead of whose turn it is. */
function turnBannerText(scene: Scene): string | null {
  if (!scene.mine) return null
  const phase = scene.view?.phase
  if (phase === 'placing') return t('survive.turn.place')
  if (phase === 'defending') return t('survive.turn.attacked')
  return phase === 'ships' ? t('survive.turn.ship') : null
}

export const ui: GameUi<GameTypes> = {
  Board,
  PlayerStats,
  Side: SidePanels,
  sideTab: 'survive.tab',
  sideTabCount: (scene: Scene) =>
    (scene.view as SurviveView).step === 'setup' ? null : ((scene.view as SurviveView).hand?.length ?? null),
  PlayerChipScore,
  Dock: ChoiceDock,
  fills: true,
  BoardPanels,
  Banner: StepSummary,
  loadFinalScoring: () => import('./FinalScoring.svelte'),
  turnSteps,
  actionButtons,
  isSettingUp: (view: View) => (view as SurviveView).step === 'setup',
  animationStepsOf,
  recap,
  placesOfEvent,
  seatOfEvent,
  hasNoLogLine,
  logLine,
  joinsPreviousSentence,
  happenedToReader,
  confirmationText: (_scene: Scene, choice: Choice) => t('survive.costs', { n: choice.loses?.length ?? 1 }),
  timelineSymbol,
  turnBannerText,
  momentText: (view: View) =>
    (view as SurviveView).step === 'setup'
      ? null
      : t('survive.when', { n: Math.max(...(view as SurviveView).seats.map((seat) => seat.turns)) }),
  choiceText,
  loadSpoken: () => import('./spoken').then(({ spoken }) => spoken),
}
