// Survive's implementation of GameUi: its components, steps and texts.
import type { Choice, Scene, View, GameTypes } from './scene'
import { t } from '../../lib/i18n.svelte'
import type { Button, GameUi, Step } from '../gameUi'
import Banner from './Banner.svelte'
import Board from './Board.svelte'
import BoardPanels from './BoardPanels.svelte'
import Dock from './Dock.svelte'
import End from './End.svelte'
import PlayerChip from './PlayerChip.svelte'
import PlayerLine from './PlayerLine.svelte'
import Side from './Side.svelte'
import { animationStepsOf } from './animations'
import { about, befalls, joins, logLine, mark, silent } from './logText'
import { recap } from './recap'
import { choiceWords, placesOf, type SurviveView } from './words'

const SETUP = ['survive.step.explorers', 'survive.step.ships', 'survive.step.play']
const TURN = ['survive.step.hand', 'survive.step.move', 'survive.step.sink', 'survive.step.creature']
const NUMBER: Record<string, number> = { hand: 0, move: 1, tile: 2, mini: 2, die: 3 }

/** Whether a tile was played before the movement of the turn that is drawn. */
function hasPlayed(scene: Scene): boolean {
  const events = scene.events.slice(0, scene.seen)
  const turn = events.slice(events.findLastIndex((event) => event.kind === 'turn') + 1)
  return turn.some((event) => event.kind === 'tile_played' && !event.tile.endsWith('_defence'))
}

function steps(view: View, scene: Scene): Step[] {
  const { step, phase } = view as SurviveView
  if (phase === 'ended') return []
  const [keys, now] = step === 'setup' ? [SETUP, phase === 'ships' ? 1 : 0] : [TURN, NUMBER[step] ?? 0]
  const done = (key: string): Step['state'] => (key !== TURN[0] || hasPlayed(scene) ? 'done' : 'skipped')
  return keys.map((key, i) => ({ key, state: i < now ? done(key) : i === now ? 'now' : 'later' }))
}

/** Choices without a place on the board. Answers to an attack are on its own card. */
function buttons(scene: Scene): Button[] {
  const phase = scene.view?.phase
  if (phase === 'defending') return []
  const found: Button[] = []
  for (const choice of scene.choices) {
    if (choice.verb === 'end') found.push({ choice, label: t('survive.end'), main: true, icon: 'ui-next' })
    if (choice.verb === 'pass') found.push({ choice, ...passing(phase ?? '', scene.choices.length === 1) })
  }
  return found
}

function passing(phase: string, alone: boolean): Omit<Button, 'choice'> {
  if (phase === 'hand') return { label: t('survive.notile'), main: true, icon: 'ui-next' }
  if (phase === 'mini') return { label: t('survive.decline'), icon: 'ui-skip', main: alone }
  return { label: t(alone ? 'survive.goon' : 'survive.pass'), icon: 'ui-skip', main: alone }
}

/** During set-up and attacks the banner shows the question instead of whose turn it is. */
function turn(scene: Scene): string | null {
  if (!scene.mine) return null
  const phase = scene.view?.phase
  if (phase === 'placing') return t('survive.turn.place')
  if (phase === 'defending') return t('survive.turn.attacked')
  return phase === 'ships' ? t('survive.turn.ship') : null
}

export const ui: GameUi<GameTypes> = {
  Board,
  PlayerLine,
  Side,
  sideTab: 'survive.tab',
  sideCount: (scene: Scene) =>
    (scene.view as SurviveView).step === 'setup' ? null : ((scene.view as SurviveView).hand?.length ?? null),
  PlayerChip,
  Dock,
  fills: true,
  BoardPanels,
  Banner,
  End,
  steps,
  buttons,
  settingUp: (view: View) => (view as SurviveView).step === 'setup',
  animationStepsOf,
  recap,
  places: placesOf,
  about,
  silent,
  logLine,
  joins,
  befalls,
  costs: (_scene: Scene, choice: Choice) => t('survive.costs', { n: choice.loses?.length ?? 1 }),
  mark,
  turn,
  when: (view: View) =>
    (view as SurviveView).step === 'setup'
      ? null
      : t('survive.when', { n: Math.max(...(view as SurviveView).seats.map((seat) => seat.turns)) }),
  words: choiceWords,
}
