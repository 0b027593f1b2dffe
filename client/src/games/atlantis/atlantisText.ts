// Atlantis's own sentences that several parts use.
import type { Scene } from './sceneTypes'
import { joinWords, hasGameText, gameText, t } from '../../lib/i18n.svelte'
import type { Result } from './turnResult'
import {
  tileFaceName,
  gapAt,
  placeNumber,
  parseTileFace,
  isTileFace,
  countTilesBetween,
  type AtlantisView,
  type Payment,
  type Route,
  type Kind,
} from './view'

export const kindName = (kind: Kind): string => t(`atlantis.kind.${kind}`)

/** A tile or a card by name: "flag 3", "a flag card". */
export function pieceName(piece: string, n = 1): string {
  if (isTileFace(piece)) {
    const { kind, value } = parseTileFace(piece)
    return t('atlantis.tile', { kind: kindName(kind), value })
  }
  return n > 1
    ? t('atlantis.cards', { n, kind: kindName(piece as Kind) })
    : t('atlantis.card', { kind: kindName(piece as Kind) })
}

/** A payment in words. */
export function paymentText(payment: Payment): string {
  const parts = payment.tiles.map((tile) => pieceName(`${tile.kind}${tile.value}`))
  for (const [kind, n] of Object.entries(payment.cards)) parts.push(pieceName(kind, n))
  return parts.join(' + ')
}

/** A place in words: a shore by its name, a position by its number. */
export const placeText = (scene: Scene, at: string): string =>
  hasGameText(scene.game, `term.${at}`) ? gameText(scene.game, `term.${at}`) : at

/** A card's effect in one short line, what it costs or how far it leads; and the same as a sign for a narrow card. */
export function cardOutcomeText(
  view: AtlantisView,
  from: string,
  route: Route,
): { words: string; sign: string; tone: 'free' | 'more' | 'no' } {
  const ahead = countTilesBetween(view, from, route.to)
  if (route.rule)
    return { words: t(route.rule === 'AT.G4' ? 'atlantis.out.expensive' : 'atlantis.out.stuck'), sign: '×', tone: 'no' }
  if (route.occupied) return { words: t('atlantis.out.again'), sign: '+1', tone: 'more' }
  if (route.bill) return { words: t('atlantis.out.pays', { bill: route.bill }), sign: `−${route.bill}`, tone: 'free' }
  if (route.to === 'mainland') return { words: t('atlantis.out.ashore'), sign: '✓', tone: 'free' }
  return { words: t('atlantis.out.ahead', { n: ahead }), sign: `${ahead} →`, tone: 'free' }
}

/** What came of a move, as a title and its reason. */
export function turnResultText(result: Result): { title: string; why: string } {
  const parts = [result.cards.map(kindName).join(' + ')]
  parts.push(result.ashore ? t('atlantis.out.ashore') : t('atlantis.out.ahead', { n: result.ahead }))
  parts.push(result.paid ? t('atlantis.result.paid', { n: result.paid }) : t('atlantis.out.nothing'))
  return {
    title: result.tile
      ? t('atlantis.result.tile', { tile: pieceName(tileFaceName(result.tile)) })
      : t('atlantis.result.none'),
    why: parts.join(' · '),
  }
}

/** A place's label for screen readers. */
export function placeLabel(scene: Scene, view: AtlantisView, at: string): string {
  const figureLabelsAt = (name: string): string[] =>
    view.seats.flatMap((seat) =>
      Object.entries(seat.figures)
        .filter(([, where]) => where === name)
        .map(([figure]) => t('atlantis.at.figure', { name: scene.people[seat.seat]?.name ?? seat.colour, figure })),
    )
  if (at === 'atlantis' || at === 'mainland') return joinWords([placeText(scene, at), ...figureLabelsAt(at)])
  const spot = view.path[placeNumber(at) - 1]!
  if (spot.tile) {
    const parts = [t('atlantis.at.tile', { n: spot.at, kind: kindName(spot.tile.kind), value: spot.tile.value })]
    if (spot.below) parts.push(t('atlantis.at.below'))
    return joinWords([...parts, ...figureLabelsAt(at)])
  }
  const gap = gapAt(view, spot.at)
  if (!gap) return t('atlantis.at.shore', { n: spot.at })
  return gap.bridge ? t('atlantis.at.bridge', { n: spot.at }) : t('atlantis.at.gap', { n: spot.at, price: gap.price })
}
