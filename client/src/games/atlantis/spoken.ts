// What Atlantis says to those who hear it: what they chose, and how they stand.
import type { Spoken } from '../gameUi'
import { joinWords, t } from '../../lib/i18n.svelte'
import { cardOutcomeText, kindName, pieceName, placeLabel, placeText } from './atlantisText'
import type { GameTypes, Scene } from './sceneTypes'
import { selectionOf } from './selection.svelte'
import { FIGURES, tileFaceName, type AtlantisView } from './view'

function selectionText(scene: Scene): string {
  const desk = selectionOf(scene)
  const view = scene.view as AtlantisView
  if (desk.mode === 'pay') return t('atlantis.pay.sum', { sum: desk.paying, due: desk.due })
  if (desk.mode === 'bridge') {
    const gap = desk.gap === null ? undefined : desk.bridgeChoiceAt(desk.gap)
    return gap
      ? joinWords([placeLabel(scene, view, String(gap.at)), t('atlantis.bridge.go')])
      : t('atlantis.bridge.tap')
  }
  if (desk.mode === 'buy')
    return t('atlantis.buy.go', { n: desk.buyChoiceOfTile(desk.tile)!.cards, tile: pieceName(desk.tile!) })
  if (desk.mode !== 'move') return ''
  const end = desk.plan.at(-1)
  if (desk.mover && end)
    return t('atlantis.said.plan', {
      figure: desk.mover,
      cards: joinWords(desk.plan.map((hop) => kindName(hop.card))),
      place: placeText(scene, end.to),
      cost: cardOutcomeText(view, end.from, end.route).words,
    })
  if (desk.mover && desk.figure)
    return t('atlantis.said.figure', { figure: desk.mover, n: desk.open.filter((route) => !route.rule).length })
  const card = desk.cards[0]
  return card ? t('atlantis.said.card', { card: kindName(card), figures: joinWords(desk.figuresMovableBy(card)) }) : ''
}

function positionText(scene: Scene): string[] {
  const desk = selectionOf(scene)
  const view = scene.view as AtlantisView
  const { me } = desk
  if (!me) return []
  const figures = FIGURES.map((figure) =>
    t('atlantis.said.at', { figure, place: placeLabel(scene, view, me.figures[figure]) }),
  )
  const hand = desk.kinds.map((kind) => t('list.pair', { what: kindName(kind), value: desk.hand[kind] }))
  const tiles = me.tiles.map((tile) => pieceName(tileFaceName(tile)))
  const gaps = view.gaps
    .filter((gap) => gap.price > 0)
    .map((gap) => t('atlantis.at.gap', { n: gap.at, price: gap.price }))
  return [
    ...figures,
    hand.length ? t('atlantis.said.hand', { list: joinWords(hand) }) : t('atlantis.nohand'),
    tiles.length ? t('atlantis.said.tiles', { list: joinWords(tiles) }) : t('atlantis.notiles'),
    t(me.bridge ? 'atlantis.said.bridge' : 'atlantis.said.nobridge'),
    joinWords(gaps),
  ]
}

const keys: Spoken['keys'] = [
  ['↑ ↓', 'atlantis.key.path'],
  ['Home, End', 'atlantis.key.ends'],
  ['A B C', 'atlantis.key.figures'],
  ['1 – 7', 'atlantis.key.cards'],
]

export const spoken: Spoken<GameTypes> = { selectionText, positionText, keys }
