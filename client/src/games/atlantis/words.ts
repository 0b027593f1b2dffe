// Atlantis's own sentences that several parts use.
import type { Scene } from './scene'
import { known, say, t } from '../../lib/i18n.svelte'
import {
  gapAt,
  nth,
  readFace,
  isTile,
  tilesAhead,
  type AtlantisView,
  type Payment,
  type Route,
  type Kind,
} from './view'

export const kindName = (kind: Kind): string => t(`atlantis.kind.${kind}`)

/** A tile or a card by name: "flag 3", "a flag card". */
export function pieceName(piece: string, n = 1): string {
  if (isTile(piece)) {
    const { kind, value } = readFace(piece)
    return t('atlantis.tile', { kind: kindName(kind), value })
  }
  return n > 1
    ? t('atlantis.cards', { n, kind: kindName(piece as Kind) })
    : t('atlantis.card', { kind: kindName(piece as Kind) })
}

/** A payment in words. */
export function paymentWords(payment: Payment): string {
  const parts = payment.tiles.map((tile) => pieceName(`${tile.kind}${tile.value}`))
  for (const [kind, n] of Object.entries(payment.cards)) parts.push(pieceName(kind, n))
  return parts.join(' + ')
}

/** A place in words: a shore by its name, a position by its number. */
export const place = (scene: Scene, at: string): string =>
  known(scene.game, `term.${at}`) ? say(scene.game, `term.${at}`) : at

/** A card's effect, in two short lines. */
export function outcome(
  view: AtlantisView,
  from: string,
  route: Route,
  further: boolean,
): { first: string; second: string; tone: 'free' | 'more' | 'far' | 'no' } {
  const n = tilesAhead(view, from, route.to)
  const pays = route.bill ? t('atlantis.out.pays', { bill: route.bill }) : t('atlantis.out.nothing')
  if (route.rule)
    return {
      first: route.to === 'mainland' ? t('atlantis.out.mainland') : t('atlantis.out.ahead', { n }),
      second: route.rule === 'AT.G4' ? t('atlantis.out.dear') : t('atlantis.out.stuck'),
      tone: 'no',
    }
  if (route.to === 'mainland') return { first: t('atlantis.out.mainland'), second: pays, tone: 'far' }
  if (route.occupied) return { first: t('atlantis.out.occupied', { n }), second: t('atlantis.out.more'), tone: 'more' }
  return {
    first: further ? t('atlantis.out.further', { n }) : t('atlantis.out.free', { n }),
    second: pays,
    tone: 'free',
  }
}

/** A place's label for screen readers. */
export function placeLabel(scene: Scene, view: AtlantisView, at: string): string {
  const figures = (name: string): string[] =>
    view.seats.flatMap((seat) =>
      Object.entries(seat.figures)
        .filter(([, where]) => where === name)
        .map(([figure]) => t('atlantis.at.figure', { name: scene.people[seat.seat]?.name ?? seat.colour, figure })),
    )
  if (at === 'atlantis' || at === 'mainland') return [place(scene, at), ...figures(at)].join(', ')
  const spot = view.path[nth(at) - 1]!
  if (spot.tile) {
    const parts = [t('atlantis.at.tile', { n: spot.at, kind: kindName(spot.tile.kind), value: spot.tile.value })]
    if (spot.below) parts.push(t('atlantis.at.below'))
    return [...parts, ...figures(at)].join(', ')
  }
  const gap = gapAt(view, spot.at)
  if (!gap) return t('atlantis.at.shore', { n: spot.at })
  return gap.bridge ? t('atlantis.at.bridge', { n: spot.at }) : t('atlantis.at.gap', { n: spot.at, price: gap.price })
}
