// Atlantis's implementation of GameUi: its board, its hand of cards, and its texts.
import type { Button, GameUi, Step } from '../gameUi'
import { part } from '../../lib/scene.svelte'
import type { Scene, GameTypes, View } from './scene'
import { say, t } from '../../lib/i18n.svelte'
import Banner from './Banner.svelte'
import BridgeSwitch from './BridgeSwitch.svelte'
import Board from './Board.svelte'
import { selectionOf, type Selection } from './selection.svelte'
import Dock from './Dock.svelte'
import End from './End.svelte'
import PlayerChip from './PlayerChip.svelte'
import PlayerLine from './PlayerLine.svelte'
import PlayerMore from './PlayerMore.svelte'
import Side from './Side.svelte'
import Words from './Words.svelte'
import { animationStepsOf } from './animations'
import { recap } from './recap'
import { pieceName } from './words'

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

function steps(view: View): Step[] {
  const now = NOW[view.phase]
  if (now === undefined) return []
  return PHASES.map((name, i) => {
    const key = `atlantis.step.${name}`
    if (i === now) return { key, state: 'now' }
    if (i === 0) return { key, state: view.bought > 0 || now > 1 ? 'done' : 'later' }
    return { key, state: i < now ? 'done' : 'later' }
  })
}

function buttons(scene: Scene): Button[] {
  const desk = selectionOf(scene)
  const main = (label: string, more: Partial<Button>): Button => ({ label, main: true, icon: 'ui-next', ...more })
  const choices = scene.choices
  if (desk.passing || (!choices.length && desk.result && scene.playing && desk.me?.mainland !== 3)) {
    const next = scene.people[(scene.seat! + 1) % scene.people.length]
    return [main(t('atlantis.next', { name: next?.short ?? '' }), { disabled: true })]
  }
  if (!choices.length) return []
  switch (desk.mode) {
    case 'pay': {
      const label = t('atlantis.pay', { sum: desk.paying })
      return [main(label, { act: () => desk.pay(), disabled: desk.paying < desk.due, icon: 'ui-check' })]
    }
    case 'buy': {
      const choice = desk.buyOf(desk.tile)!
      const label = t('atlantis.buy.go', { n: choice.cards, tile: pieceName(desk.tile!) })
      return [main(label, { act: () => desk.play(choice) })]
    }
    case 'bridge':
      if (desk.keep && desk.gap === null) return [main(t('atlantis.bridge.keep'), { choice: desk.keep })]
      return [main(t('atlantis.bridge.go'), { act: () => desk.layBridge(), disabled: desk.gap === null })]
  }
  const show = choices.find((choice) => choice.verb === 'show')
  if (show) return [main(t('atlantis.show'), { choice: show, icon: 'ui-hand' })]
  if (desk.moves.length) return [main(moveLabel(desk), { act: () => desk.go(), disabled: !desk.done })]
  return choices.map((choice) => ({ label: say(scene.game, `act.${choice.verb}`, choice, scene.names), choice }))
}

/** What is still to be chosen, then the move with its price. */
function moveLabel(desk: Selection): string {
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
  Banner,
  Control: BridgeSwitch,
  Dock,
  dock: 'beside',
  End,
  PlayerLine,
  PlayerChip,
  namedChips: true,
  PlayerMore,
  Side,
  Words,
  sideTab: 'atlantis.tiles.tab',
  steps,
  buttons,
  deselect: (scene) => selectionOf(scene).clear(),
  animationStepsOf,
  question: (scene) => (selectionOf(scene).passing ? '' : null),
  restBefore: (scene, event) => selectionOf(scene).rest(event),
  recap,
  places: (event) => {
    if (event.kind === 'moved' || event.kind === 'hopped') return [event.from, event.to]
    const at = part(event, 'at')
    return at === undefined ? [] : [String(at)]
  },
  about: (event) => part(event, 'seat') ?? null,
  silent: (event) => SILENT.includes(event.kind) || (event.kind === 'drew' && event.card === 'hidden'),
  mark: (event) => (event.kind === 'moved' && event.to === 'mainland' ? 'ui-isle' : (MARKS[event.kind] ?? '')),
  wantsPreview: true,
  sound: (event) => {
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
