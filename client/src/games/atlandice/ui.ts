// Atlandice's implementation of GameUi.
import type { Button, GameUi, Step } from '../gameUi'
import { part } from '../../lib/scene.svelte'
import type { GameEvent, Scene, GameTypes, View } from './scene'
import type { Motive } from '../../lib/sound'
import { say, t } from '../../lib/i18n.svelte'
import Banner from './Banner.svelte'
import Board from './Board.svelte'
import { city, SECTORS, sectorOf, type SectorName } from './view'
import Districts from './Districts.svelte'
import Dock from './Dock.svelte'
import End from './End.svelte'
import { picks } from './selection.svelte'
import PlayerChip from './PlayerChip.svelte'
import PlayerLine from './PlayerLine.svelte'
import Side from './Side.svelte'
import { animationStepsOf } from './animations'
import { joins, logLine } from './logText'
import { promptText, stocksPlace } from './prompt.svelte'
import { recap } from './recap'

function steps(view: View): Step[] {
  if (view.actor === -2) return []
  const now = view.phase === 'gates' || view.round === 0 ? 0 : view.phase.startsWith('donate') ? 2 : 1
  const state = (n: number): Step['state'] => (n < now ? 'done' : n === now ? 'now' : 'later')
  return [
    { key: 'atlandice.step.gates', state: state(0) },
    now === 1
      ? { key: 'atlandice.step.visitsLeft', args: { n: view.visits_left }, state: 'now' }
      : { key: 'atlandice.step.visits', state: state(1) },
    { key: view.phase.startsWith('donate') ? 'atlandice.step.donation' : 'atlandice.step.clock', state: state(2) },
  ]
}

function buttons(scene: Scene): Button[] {
  const pick = picks(scene)
  const found: Button[] = []
  const pass = scene.choices.find((choice) => choice.verb === 'pass')
  if (pass) found.push({ choice: pass, label: say('atlandice', 'act.pass'), main: city(scene).phase === 'donate' })
  if (pick.dice && pick.sector) {
    const here = pick.bySector.get(pick.sector) ?? []
    const own = here.find((choice) => choice.verb === 'die')
    const neutral = here.find((choice) => choice.verb === 'die_neutral')
    const to = say('atlandice', `to.${pick.sector}`)
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
  const prompt = found.length || stocksPlace(scene) !== 'sheet' ? null : promptText(scene)
  if (prompt) found.push({ label: prompt, prompt: true })
  return found
}

const isSector = (word: unknown): word is SectorName => (SECTORS as readonly unknown[]).includes(word)

function places(event: GameEvent): string[] {
  const sector = part(event, 'sector')
  if (['clock', 'clock_inn', 'inventory', 'donation', 'end'].includes(event.kind))
    return sector ? ['clock', sector] : ['clock']
  const all: unknown[] = [sector, part(event, 'from'), part(event, 'to')]
  const found = all.filter(isSector)
  const tile = part(event, 'tile')
  if (tile) found.push(sectorOf(tile))
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
  Side,
  sideTab: 'atlandice.stocks',
  tabs: [{ key: 'atlandice.districts', Part: Districts }],
  ownPlayers: true,
  dockInColumn: true,
  PlayerLine,
  PlayerChip,
  Dock,
  Banner,
  End,
  steps,
  buttons,
  animationStepsOf,
  recap,
  places,
  about: (event) => part(event, 'seat') ?? null,
  joins,
  logLine,
  silent: (event) => event.kind === 'gate',
  mark: (event) => MARKS[event.kind] ?? '',
  wantsPreview: true,
  when: (view) => say('atlandice', 'label.round', { round: view.round }),
  sound: (event) => SOUNDS[event.kind] ?? null,
}
