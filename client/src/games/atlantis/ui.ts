// Atlantis's implementation of GameUi: its board, its hand of cards, and its texts.
import type { Button, GameUi, Step } from '../gameUi'
import { optionalField } from '../../lib/scene.svelte'
import type { Scene, GameTypes, View } from './sceneTypes'
import { gameText, t } from '../../lib/i18n.svelte'
import AmountDue from './AmountDue.svelte'
import BridgeSwitch from './BridgeSwitch.svelte'
import Board from './Board.svelte'
import { selectionOf, type Selection } from './selection.svelte'
import ChoiceDock from './ChoiceDock.svelte'
import PlayerChipScore from './PlayerChipScore.svelte'
import PlayerStats from './PlayerStats.svelte'
import PlayerTiles from './PlayerTiles.svelte'
import SidePanels from './SidePanels.svelte'
import ChoicesInWords from './ChoicesInWords.svelte'
import { animationStepsOf } from './animations'
import { recap } from './recap'
import { pieceName } from './atlantisText'

const PHASES = ['buy', 'move', 'pay', 'take', 'draw']
const NOW: Record<string, number> = {
  start: 1,
  buying: 0,
  hopping: 1,
  paying: 2,
  uncovering: 3,
  bridging: 3,
  drawing: 4,
  stuck: 4,
}

function turnSteps(view: View): Step[] {
  const now = NOW[view.phase]
  if (now === undefined) return []
  return PHASES.map((name, i) => {
    const key = `atlantis.step.${name}`
    if (i === now) return { key, state: 'now' }
    if (i === 0) return { key, state: view.bought > 0 || now > 1 ? 'done' : 'later' }
    return { key, state: i < now ? 'done' : 'later' }
  })
}

function actionButtons(scene: Scene): Button[] {
  const desk = selectionOf(scene)
  const mainButton = (label: string, more: Partial<Button>): Button => ({ label, main: true, icon: 'ui-next', ...more })
  const choices = scene.choices
  if (desk.passing || (!choices.length && desk.result && scene.isPlaying && desk.me?.mainland !== 3)) {
    const next = scene.people[(scene.seat! + 1) % scene.people.length]
    return [mainButton(t('atlantis.next', { name: next?.short ?? '' }), { disabled: true })]
  }
  if (!choices.length) return []
  switch (desk.mode) {
    case 'pay': {
      const label = t('atlantis.pay', { sum: desk.paying })
      return [mainButton(label, { act: () => desk.playPayment(), disabled: desk.paying < desk.due, icon: 'ui-check' })]
    }
    case 'buy': {
      const choice = desk.buyChoiceOfTile(desk.tile)!
      const label = t('atlantis.buy.go', { n: choice.cards, tile: pieceName(desk.tile!) })
      return [mainButton(label, { act: () => desk.playChoice(choice) })]
    }
    case 'bridge':
      if (desk.keep && desk.gap === null) return [mainButton(t('atlantis.bridge.keep'), { choice: desk.keep })]
      return [mainButton(t('atlantis.bridge.go'), { act: () => desk.layBridge(), disabled: desk.gap === null })]
  }
  const show = choices.find((choice) => choice.verb === 'show')
  if (show) return [mainButton(t('atlantis.show'), { choice: show, icon: 'ui-hand' })]
  if (desk.moves.length)
    return [mainButton(moveButtonLabel(desk), { act: () => desk.playSelectedCards(), disabled: !desk.done })]
  return choices.map((choice) => ({ label: gameText(scene.game, `act.${choice.verb}`, choice, scene.names), choice }))
}

/** What is still to be chosen, then the move with its price. */
function moveButtonLabel(desk: Selection): string {
  const end = desk.plan.at(-1)
  if (!desk.mover) return t('atlantis.choose.figure')
  if (!end) return t('atlantis.choose.card')
  if (!desk.done) return t('atlantis.choose.next')
  return end.route.bill ? t('atlantis.move.pay', { bill: end.route.bill }) : t('atlantis.move')
}

const SILENT = ['laid', 'turn', 'gap', 'over']
const MARKS: Record<string, string> = { bridge: 'bridge', shown: 'ui-hand', bought: 'ui-plus' }

export const ui: GameUi<GameTypes> = {
  Board,
  Banner: AmountDue,
  Control: BridgeSwitch,
  Dock: ChoiceDock,
  dock: 'beside',
  loadFinalScoring: () => import('./FinalScoring.svelte'),
  PlayerStats,
  PlayerChipScore,
  namedChips: true,
  PlayerMore: PlayerTiles,
  Side: SidePanels,
  Words: ChoicesInWords,
  sideTab: 'atlantis.tiles.tab',
  turnSteps,
  actionButtons,
  clearSelection: (scene) => selectionOf(scene).clearSelection(),
  animationStepsOf,
  questionText: (scene) => (selectionOf(scene).passing ? '' : null),
  restBeforeEvent: (scene, event) => selectionOf(scene).resultRestMs(event),
  recap,
  placesOfEvent: (event) => {
    if (event.kind === 'moved' || event.kind === 'hopped') return [event.from, event.to]
    const at = optionalField(event, 'at')
    return at === undefined ? [] : [String(at)]
  },
  seatOfEvent: (event) => optionalField(event, 'seat') ?? null,
  hasNoLogLine: (event) => SILENT.includes(event.kind) || (event.kind === 'drew' && event.card === 'hidden'),
  timelineSymbol: (event) =>
    event.kind === 'moved' && event.to === 'mainland' ? 'ui-isle' : (MARKS[event.kind] ?? ''),
  wantsPreview: true,
  loadSpoken: () => import('./spoken').then(({ spoken }) => spoken),
  soundOfEvent: (event) => {
    const sounds = {
      hopped: 'step',
      moved: event.kind === 'moved' && event.to === 'mainland' ? 'saved' : 'step',
      took: 'card',
      gap: 'splash',
      shore: 'splash',
      bridge: 'step',
      bridge_lost: 'sink',
      paid_card: 'splash',
      paid_tile: 'splash',
      bought: 'card',
      drew: 'card',
      shown: 'card',
      over: 'end',
    } as const
    return sounds[event.kind as keyof typeof sounds] ?? null
  },
}
