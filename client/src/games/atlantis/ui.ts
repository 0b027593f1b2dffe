// Atlantis's implementation of GameUi: its board, its hand of cards, and its texts.
import type { Button, GameUi, Step } from '../gameUi'
import { part } from '../../lib/scene.svelte'
import type { Scene, GameTypes, View } from './scene'
import { say, t } from '../../lib/i18n.svelte'
import Banner from './Banner.svelte'
import Board from './Board.svelte'
import { selectionOf } from './selection.svelte'
import Dock from './Dock.svelte'
import End from './End.svelte'
import PlayerChip from './PlayerChip.svelte'
import PlayerLine from './PlayerLine.svelte'
import PlayerMore from './PlayerMore.svelte'
import Side from './Side.svelte'
import { animateEvent } from './animations'
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
    const key = i === 3 && view.phase === 'bridging' ? 'atlantis.step.bridge' : `atlantis.step.${name}`
    if (i === now) return { key, state: 'now' }
    if (i === 0) return { key, state: view.bought > 0 || now > 1 ? 'done' : 'later' }
    return { key, state: i < now ? 'done' : 'later' }
  })
}

function buttons(scene: Scene): Button[] {
  const desk = selectionOf(scene)
  const back: Button = { label: t('atlantis.back'), act: () => void desk.clear() }
  const choices = scene.choices
  if (!choices.length) return []
  if (desk.mode === 'pay') {
    const short = desk.paying < desk.due
    return [
      {
        label: t('atlantis.pay', { sum: desk.paying }),
        main: true,
        act: () => desk.pay(),
        disabled: short,
        icon: 'ui-check',
      },
    ]
  }
  if (desk.mode === 'buy') {
    const choice = desk.buys.find((one) => `${one.tile}${one.value}` === desk.tile)
    const label = choice ? t('atlantis.buy.go', { n: choice.cards, tile: pieceName(desk.tile!) }) : t('atlantis.buy')
    return [back, { label, main: true, act: () => desk.buy(), disabled: !choice }]
  }
  if (desk.mode === 'bridge') {
    const keep = choices.find((choice) => choice.verb === 'no_bridge')
    const lay: Button = {
      label: t('atlantis.bridge.go'),
      main: true,
      act: () => desk.layBridge(),
      disabled: desk.gap === null,
    }
    return [keep ? { label: t('atlantis.bridge.keep'), choice: keep } : back, lay]
  }
  const show = choices.find((choice) => choice.verb === 'show')
  if (show) return [{ label: t('atlantis.show'), main: true, choice: show, icon: 'ui-hand' }]
  if (desk.moves.length) {
    const end = desk.plan.at(-1)
    const bill = desk.done ? (end?.route.bill ?? 0) : 0
    return [
      {
        label: bill ? t('atlantis.move.pay', { bill }) : t('atlantis.move'),
        main: true,
        act: () => desk.go(),
        disabled: !desk.done,
        icon: 'ui-next',
      },
    ]
  }
  return choices.map((choice) => ({ label: say(scene.game, `act.${choice.verb}`, choice, scene.names), choice }))
}

const SILENT = ['laid', 'turn', 'gap', 'over']
const MARKS: Record<string, string> = { bridge: 'bridge', shown: 'ui-hand', bought: 'ui-plus' }

export const ui: GameUi<GameTypes> = {
  Board,
  Banner,
  brief: true,
  Dock,
  dock: 'beside',
  End,
  PlayerLine,
  PlayerChip,
  PlayerMore,
  Side,
  sideTab: 'atlantis.tiles.tab',
  sideCount: (scene) => selectionOf(scene).me?.worth ?? null,
  steps,
  buttons,
  animateEvent,
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
