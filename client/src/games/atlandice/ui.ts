// Atlandice's implementation of GameUi.
import type { Button, GameUi, Step } from '../gameUi'
import { optionalField } from '../../lib/scene.svelte'
import type { GameEvent, Scene, GameTypes, View } from './sceneTypes'
import type { Motive } from '../../lib/sound'
import { gameText, t } from '../../lib/i18n.svelte'
import RoundAndClock from './RoundAndClock.svelte'
import Board from './Board.svelte'
import { cityViewOf, SECTORS, sectorOfTile, type SectorName } from './view'
import SectorList from './SectorList.svelte'
import ChoiceDock from './ChoiceDock.svelte'
import { selectionOf } from './selection.svelte'
import PlayerChipScore from './PlayerChipScore.svelte'
import PlayerStats from './PlayerStats.svelte'
import SidePanels from './SidePanels.svelte'
import { animationStepsOf } from './animations'
import { joinsPreviousSentence, logLine } from './logText'
import { promptText, stocksArea } from './prompt.svelte'
import { recap } from './recap'

function turnSteps(view: View): Step[] {
  if (view.actor === -2) return []
  const now = view.phase === 'gates' || view.round === 0 ? 0 : view.phase.startsWith('donate') ? 2 : 1
  const stepState = (n: number): Step['state'] => (n < now ? 'done' : n === now ? 'now' : 'later')
  return [
    { key: 'atlandice.step.gates', state: stepState(0) },
    now === 1
      ? { key: 'atlandice.step.visitsLeft', args: { n: view.visits_left }, state: 'now' }
      : { key: 'atlandice.step.visits', state: stepState(1) },
    { key: view.phase.startsWith('donate') ? 'atlandice.step.donation' : 'atlandice.step.clock', state: stepState(2) },
  ]
}

function actionButtons(scene: Scene): Button[] {
  const pick = selectionOf(scene)
  const found: Button[] = []
  const pass = scene.choices.find((choice) => choice.verb === 'pass')
  if (pass)
    found.push({ choice: pass, label: gameText('atlandice', 'act.pass'), main: cityViewOf(scene).phase === 'donate' })
  if (pick.isChoosingDie && pick.sector) {
    const here = pick.choicesBySector.get(pick.sector) ?? []
    const own = here.find((choice) => choice.verb === 'die')
    const neutral = here.find((choice) => choice.verb === 'die_neutral')
    const to = gameText('atlandice', `to.${pick.sector}`)
    const short = scene.frame.kind === 'upright' || scene.frame.kind === 'short'
    if (neutral)
      found.push({
        choice: neutral,
        label: short ? t('atlandice.visitNeutral') : t('atlandice.goNeutral', { to }),
        main: !own,
        icon: own ? undefined : 'ui-next',
      })
    if (own)
      found.push({
        choice: own,
        label: short ? t('atlandice.visit') : t('atlandice.go', { to }),
        main: true,
        icon: 'ui-next',
      })
  }
  const prompt = found.length || stocksArea(scene) !== 'sheet' ? null : promptText(scene)
  if (prompt) found.push({ label: prompt, prompt: true })
  return found
}

const isSector = (word: unknown): word is SectorName => (SECTORS as readonly unknown[]).includes(word)

function placesOfEvent(event: GameEvent): string[] {
  const sector = optionalField(event, 'sector')
  if (['clock', 'clock_inn', 'inventory', 'donation', 'end'].includes(event.kind))
    return sector ? ['clock', sector] : ['clock']
  const all: unknown[] = [sector, optionalField(event, 'from'), optionalField(event, 'to')]
  const found = all.filter(isSector)
  const tile = optionalField(event, 'tile')
  if (tile) found.push(sectorOfTile(tile))
  return [...new Set(found)]
}

const MARKS: Record<string, string> = {
  round: 'die-6',
  emptied: 'stock',
  used_up: 'whirl',
  donation: 'donation',
  inventory: 'leader',
  submarine: 'submarine',
}

const SOUNDS: Record<string, Motive> = {
  round: 'turn',
  gate: 'dice',
  roll: 'dice',
  second_visit: 'dice',
  die: 'step',
  die_neutral: 'step',
  take: 'card',
  take_neutral: 'card',
  give: 'card',
  move: 'step',
  swap: 'step',
  die_moved: 'dice',
  submarine: 'sail',
  emptied: 'splash',
  tile: 'saved',
  tile_neutral: 'saved',
  points: 'saved',
  points_neutral: 'saved',
  used_up: 'sink',
  clock: 'step',
  end: 'end',
}

export const ui: GameUi<GameTypes> = {
  Board,
  Side: SidePanels,
  sideTab: 'atlandice.stocks',
  tabs: [{ key: 'atlandice.districts', Part: SectorList }],
  ownPlayers: true,
  dockInColumn: true,
  PlayerStats,
  PlayerChipScore,
  Dock: ChoiceDock,
  Banner: RoundAndClock,
  loadFinalScoring: () => import('./FinalScoring.svelte'),
  turnSteps,
  actionButtons,
  animationStepsOf,
  recap,
  placesOfEvent,
  seatOfEvent: (event) => optionalField(event, 'seat') ?? null,
  joinsPreviousSentence,
  logLine,
  hasNoLogLine: (event) => event.kind === 'gate',
  timelineSymbol: (event) => MARKS[event.kind] ?? '',
  wantsPreview: true,
  loadSpoken: () => import('./spoken').then(({ spoken }) => spoken),
  momentText: (view) => gameText('atlandice', 'label.round', { round: view.round }),
  soundOfEvent: (event) => SOUNDS[event.kind] ?? null,
}
