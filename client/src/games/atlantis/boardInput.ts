// The meaning of a touch on the board, by mouse, finger or keyboard.
import type { Scene } from './sceneTypes'
import { settings } from '../../lib/settings.svelte'
import type { Selection } from './selection.svelte'
import { FIGURES, placeNumber, placeName, type Figure } from './view'

/** The own figure at a place; of several the chosen one, then one that can move. */
export function ownFigureAt(desk: Selection, place: string): Figure | undefined {
  const here = FIGURES.filter((figure) => desk.me?.figures[figure] === place)
  return here.find((figure) => figure === desk.mover) ?? here.find((figure) => desk.movable.includes(figure)) ?? here[0]
}

export function touchPlace(scene: Scene, desk: Selection, place: string, figure = ownFigureAt(desk, place)): void {
  scene.skipCurrentAction()
  desk.focus = place
  if (scene.seat === null || !scene.isInteractive || scene.over) return
  scene.notice = null
  const movable = figure && desk.movable.includes(figure) && desk.view?.phase === 'start'
  if (desk.mode === 'bridge') {
    const choice = desk.bridgeChoiceAt(placeNumber(place))
    if (movable) desk.pickFigure(figure)
    else if (!choice) scene.explainIllegalMove('bridge', place)
    else if (desk.gap === choice.at) desk.layBridge()
    else desk.gap = choice.at
    return
  }
  if (desk.mode === 'move' || desk.mode === 'buy') {
    if (desk.mover && desk.pickPlace(place)) {
      if (!settings.confirm && desk.done) desk.playSelectedCards()
      return
    }
    if (movable) {
      desk.pickFigure(figure)
      return
    }
    const bridge = desk.bridgeChoiceAt(placeNumber(place))
    if (bridge) {
      desk.bridging = desk.aiming = true
      desk.gap = bridge.at
      return
    }
  }
  if (desk.mode === 'pay') return
  const piece = figure ?? desk.mover ?? desk.movable[0]
  if (piece) scene.explainIllegalMove(piece, place)
  else if (desk.mode === 'idle') scene.explainIllegalMove('A', place)
}

/** The action that a touch of a place plays, if any. */
export function actionOfTouch(desk: Selection, place: string): number | undefined {
  if (desk.mode === 'bridge') return desk.bridgeChoiceAt(placeNumber(place))?.action
  if (desk.mode !== 'move' || !desk.mover) return undefined
  const first = desk.plan[0]
  if (first && (desk.done ? desk.plan.at(-1)!.to : '') === place)
    return desk.moveChoiceOf(desk.mover, first.card)?.action
  const route = desk.open.find((one) => one.to === place && !one.rule)
  return route && desk.moveChoiceOf(desk.mover, first && first.route.occupied ? first.card : route.card)?.action
}

/** Keyboard stops: own figures that can move, targets, gaps for the bridge. */
export function keyboardStops(desk: Selection): number[] {
  const places = new Set<number>()
  if (desk.mode === 'bridge') for (const gap of desk.gapsLit) places.add(gap.at)
  else {
    for (const figure of desk.movable) places.add(placeNumber(desk.me!.figures[figure]))
    for (const route of desk.open) if (!route.rule) places.add(placeNumber(route.to))
  }
  return [...places].sort((a, b) => a - b)
}

/** The place a key leads to; undefined if the board does not use the key. */
export function placeAfterKey(desk: Selection, key: string): string | undefined {
  const at = placeNumber(desk.focus)
  const stops = keyboardStops(desk)
  switch (key) {
    case 'ArrowRight':
      return placeName(at + 1)
    case 'ArrowLeft':
      return placeName(at - 1)
    case 'ArrowUp':
      return placeName(stops.find((stop) => stop > at) ?? at)
    case 'ArrowDown':
      return placeName(stops.findLast((stop) => stop < at) ?? at)
    case 'Home':
      return 'atlantis'
    case 'End':
      return 'mainland'
  }
  return undefined
}
