// @vitest-environment happy-dom
// What is said of others' turns: all that was done, by whom, and all that happened to the reader.
import { flushSync, mount, tick, unmount } from 'svelte'
import { beforeAll, expect, test } from 'vitest'
import atlandiceTexts from '../../../../src/landfall/games/atlandice/content/texts/en.json'
import atlantisTexts from '../../../../src/landfall/games/atlantis/content/texts/en.json'
import surviveTexts from '../../../../src/landfall/games/survive/content/texts/en.json'
import atlandiceOwn from '../../games/atlandice/messages/en.json'
import atlantisOwn from '../../games/atlantis/messages/en.json'
import type { GameUi } from '../../games/gameUi'
import surviveOwn from '../../games/survive/messages/en.json'
import { othersActionsSinceLastTurn, type Action } from '../../lib/eventActions'
import { setCatalogue, type Piece } from '../../lib/i18n.svelte'
import type { LiveTable } from '../../lib/liveTable.svelte'
import type { GameEvent } from '../../lib/scene.svelte'
import list from '../../messages/list/en.json'
import shell from '../../messages/shell/en.json'
import ActionPicture from '../ActionPicture.svelte'
import { loadGameUi } from '../loadGameUi'
import RecapPanel from './Recap.svelte'
import { eventsBefallingReader, mostSevereOf, sentenceAtEvent, actionSentence, type Recap } from './recap.svelte'

beforeAll(async () => {
  for (const game of Object.keys(VIEWS)) UIS[game] = await loadGameUi(game)
  setCatalogue('en', TEXTS)
  setCatalogue('en/survive', surviveTexts)
  setCatalogue('en/atlantis', atlantisTexts)
  setCatalogue('en/atlandice', atlandiceTexts)
})

const TEXTS = { ...shell, ...list, ...surviveOwn, ...atlantisOwn, ...atlandiceOwn }
const NAMES = ['Ana', 'Coral', 'Skipper', 'Pearl']
const UIS: Record<string, GameUi> = {}
const VIEWS: Record<string, unknown> = {
  survive: {
    seats: ['red', 'yellow', 'green', 'blue'].map((colour) => ({ colours: [colour] })),
    tiles: {},
    explorers: {},
    aboard: {},
    creatures: [],
  },
  atlantis: { seats: [{ seat: 0, figures: { A: '30' } }], gaps: [] },
  atlandice: {
    holders: NAMES.slice(0, 3).map((_, seat) => ({
      seat,
      neutral: false,
      stock: { gems: 0, provisions: 0, tools: 0 },
    })),
  },
}

/** Events as Ana reads them: the actions of the others and what is said of each. */
class RecapReader {
  readonly live: LiveTable
  readonly ui: GameUi
  readonly actions: Action[]

  constructor(game: string, events: (Record<string, unknown> & { kind: string })[]) {
    const colours = ['red', 'yellow', 'green', 'blue']
    const people = NAMES.map((name, seat) => ({ name, short: name, colour: colours[seat], reader: seat === 0 }))
    this.live = {
      game,
      events,
      people,
      names: NAMES,
      seat: 0,
      view: VIEWS[game],
      isInteractive: true,
    } as unknown as LiveTable
    this.ui = UIS[game]!
    const { part, turn } = this.ui.recap!
    const rules = { part: (n: number) => part(this.live, n), turn }
    this.actions = othersActionsSinceLastTurn(events as GameEvent[], events.length, 0, rules)
  }
  private text = (words: Piece[]): string => words.map((piece) => piece.text).join('')
  /** The sentence of each action. */
  get sentences(): string[] {
    return this.actions.map((action) => this.text(actionSentence(this.live, this.ui, action)))
  }
  /** The picture of action number `i`, as markup. */
  picture(i: number): string {
    const props = { scene: this.live, ui: this.ui, action: this.actions[i]! }
    const drawn = mount(ActionPicture, { target: document.body, props })
    const markup = document.body.innerHTML
    void unmount(drawn)
    return markup
  }
  /** What is said while event number `n` is shown. */
  at(n: number): string {
    const action = this.actions.find((one) => one.first <= n && n <= one.last)!
    return this.text(sentenceAtEvent(this.live, this.ui, action, n))
  }
  /** What happened to Ana: the `most` gravest. */
  mine(most = Infinity): [string, number][] {
    const all = eventsBefallingReader(this.live, this.ui, this.actions)
    return mostSevereOf(all, most).map(({ words, count }) => [this.text(words), count])
  }
}
const turn = (seat: number) => ({ kind: 'turn', seat })

// --- Survive ----------------------------------------------------------------------------------------------------------

const roll = (seat: number, from: string, to: string) => [
  { kind: 'rolled', seat, faces: ['shark'] },
  { kind: 'creature_moved', creature: 'shark', id: 5, seat, from, to, path: [from, to] },
]
const lost = (piece: string, at: string) => ({ kind: 'removed', piece, at, by: 'shark' })
const sail = (from: string, to: string) => ({ kind: 'ship_moved', how: 'sail', id: 7, from, to, crew: ['y1', 'r7'] })

test('a defence is one picture and one sentence, about the player who defends', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    ...roll(1, 'G3', 'I3'),
    { kind: 'tile_played', seat: 2, tile: 'shark_defence', terrain: 'beach' },
    { kind: 'defended', seat: 2, creature: 'shark' },
    { kind: 'creature_removed', creature: 'shark', id: 5, at: 'I3', by: 'defence' },
    turn(0),
  ])
  expect(reader.actions.map((action) => action.picture)).toStrictEqual(['creature', 'defended'])
  expect(reader.sentences[1]).toMatch(/^Skipper plays shark defence and is saved\. Gone /)
  expect(reader.sentences[1]).not.toContain('Coral')
  expect(reader.actions.map((action) => [action.seat, action.doer])).toStrictEqual([
    [1, 1],
    [1, 2],
  ])
  expect(reader.picture(1)).toContain('#back-defence')
  expect(reader.picture(1)).toContain('#emblem-leaf')
})

test('all losses of the reader are said, in order; of more than there is room for, the strikes', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    sail('I2', 'J1'),
    ...roll(1, 'G5', 'H5'),
    lost('r4', 'H5'),
    turn(3),
    ...roll(3, 'H5', 'H7'),
    lost('r5', 'H7'),
    turn(0),
  ])
  expect(reader.mine()).toStrictEqual([
    ['Coral sails the ship with your explorer aboard to the south-west.', 1],
    ['A shark takes your swimmer in the south-west.', 1],
    ['A shark takes your swimmer in the south-east.', 1],
  ])
  expect(reader.mine(2)).toStrictEqual(reader.mine().slice(1))
})

test('two losses in one place are counted, and those of others are said with them', () => {
  const reader = new RecapReader('survive', [
    turn(2),
    ...roll(2, 'I5', 'I6'),
    ...['r10', 'y7', 'r9'].map((one) => lost(one, 'I6')),
    turn(0),
  ])
  expect(reader.mine()).toStrictEqual([['A shark takes your swimmer in the south.', 2]])
  expect(reader.sentences[1]!.match(/swimmer/g)).toHaveLength(3)
  expect(reader.sentences[1]).toContain('Coral’s swimmer')
})

test('a ship that the wind moves with the reader aboard is said with the tile that was played', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    { kind: 'tile_played', seat: 1, tile: 'wind', terrain: 'beach' },
    { ...sail('I2', 'J1'), how: 'wind' },
    turn(0),
  ])
  expect(reader.mine()).toStrictEqual([['Coral sails the ship with your explorer aboard to the south-west.', 1]])
  expect(reader.sentences).toHaveLength(1)
  expect(reader.sentences[0]).toContain('wind')
  expect(reader.sentences[0]).toContain(reader.mine()[0]![0])
})

test('a sunk tile is said with what came of it and who fell', () => {
  const sunk = (fell: string[]) => ({ kind: 'sunk', seat: 1, at: 'G5', terrain: 'forest', fell })
  const kept = new RecapReader('survive', [turn(1), sunk([]), { kind: 'kept', seat: 1, terrain: 'forest' }, turn(0)])
  expect(kept.sentences).toStrictEqual(['Coral sinks a forest in the west and keeps it.'])
  const fallen = new RecapReader('survive', [
    turn(1),
    sunk(['r3']),
    { kind: 'kept', seat: 1, terrain: 'forest' },
    turn(0),
  ])
  expect(fallen.mine()).toStrictEqual([
    ['Coral sinks a forest in the west and keeps it. Your explorer falls into the water.', 1],
  ])
})

test('whose explorers fell with a tile is said and drawn, of everybody', () => {
  const fell = ['y1', 'g2', 'y3', 'r4']
  const reader = new RecapReader('survive', [
    turn(1),
    { kind: 'sunk', seat: 1, at: 'G5', terrain: 'forest', fell },
    { kind: 'kept', seat: 1, terrain: 'forest' },
    turn(0),
  ])
  expect(reader.sentences).toStrictEqual([
    'Coral sinks a forest in the west and keeps it. Coral’s explorers fall into the water. ' +
      'Skipper’s explorer falls into the water. Your explorer falls into the water.',
  ])
  const drawn = [...reader.picture(0).matchAll(/#swimmer-(\w+)/g)].map(([, colour]) => colour)
  expect(drawn).toStrictEqual(['yellow', 'green', 'yellow']) // as many as there is room for
})

test('a picture names the space where it ends, an isle has no such name', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    moved('y1', 'walk', 'G5', 'G6'),
    sail('I2', 'J1'),
    { kind: 'landed', piece: 'y2', from: 'B2', isle: '@NW' },
    { kind: 'sunk', seat: 1, at: 'F4', terrain: 'beach', fell: [] },
    { kind: 'arrived', creature: 'shark', id: 5, at: 'F4' },
    ...roll(1, 'G3', 'I3'),
    lost('g4', 'I3'),
    { kind: 'rolled', seat: 1, faces: ['whale'] },
    turn(0),
  ])
  const named = reader.actions.map((_, i) => /<text[^>]*>([^<]*)</.exec(reader.picture(i))?.[1] ?? '')
  expect(reader.actions.map((action) => action.picture)).toStrictEqual(
    ['walk', 'sail', 'land', 'sink', 'creature', 'strike', 'dice'], // prettier-ignore
  )
  expect(named).toStrictEqual(['G6', 'J1', '', 'F4', 'I3', 'I3', ''])
})

test('where a move began and ended follows its sentence', () => {
  const { sentences } = new RecapReader('survive', [
    turn(1),
    moved('y1', 'walk', 'G5', 'G6'),
    { ...sail('I2', 'J1'), crew: ['y1'] },
    { ...sail('J1', 'K1'), crew: ['y1'] },
    { kind: 'landed', piece: 'y2', from: 'B2', isle: '@NW' },
    ...roll(1, 'G3', 'I3'),
    turn(0),
  ])
  expect(sentences.map((words) => / (\w+→\w+)$/.exec(words)?.[1])).toStrictEqual(['G5→G6', 'I2→K1', undefined, 'G3→I3'])
})

test('all who are struck in one place are drawn, creatures that a whirlpool takes, too', () => {
  const shark = { kind: 'creature_removed', creature: 'shark', id: 5, at: 'G5', by: 'whirlpool' }
  const reader = new RecapReader('survive', [
    turn(1),
    { kind: 'whirlpool', at: 'G5' },
    { kind: 'removed', piece: 'g4', at: 'G5', by: 'whirlpool' },
    shark,
    ...roll(1, 'G3', 'I3'),
    lost('r4', 'I3'),
    lost('b5', 'I3'),
    turn(0),
  ])
  const strikes = reader.actions.flatMap((action, i) => (action.picture === 'strike' ? reader.picture(i) : []))
  const drawn = strikes.map((one) => [...one.matchAll(/href="#(swimmer-\w+|shark)"/g)].map((found) => found[1]))
  expect(drawn).toStrictEqual([
    ['swimmer-green', 'shark'],
    ['shark', 'swimmer-red', 'swimmer-blue'],
  ])
})

test('the first step of a turn is not ticked where no tile was played in it', () => {
  const steps = (...events: Record<string, unknown>[]): string[] => {
    const { live, ui } = new RecapReader('survive', [turn(1), ...(events as { kind: string }[])])
    const scene = { ...live, seen: events.length + 1 } as unknown as LiveTable
    return ui.turnSteps({ step: 'tile', phase: 'sinking' } as never, scene).map((step) => step.state)
  }
  const tile = (name: string) => ({ kind: 'tile_played', seat: 1, tile: name, terrain: 'beach' })
  expect(steps()).toStrictEqual(['skipped', 'done', 'now', 'later'])
  expect(steps(tile('shark_defence'))[0]).toBe('skipped')
  expect(steps(tile('wind'))[0]).toBe('done')
})

test('a roll by which nothing moves is said so', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    roll(1, 'G3', 'I3')[0]!,
    { kind: 'passed', seat: 1, phase: 'creature' },
    turn(0),
  ])
  expect(reader.sentences).toStrictEqual(['Coral rolls: shark. Nothing moves.'])
})

const moved = (piece: string, how: string, from: string, to: string) => ({ kind: 'moved', piece, how, from, to })

test('who jumps off land or leaves a ship is not drawn as a swimmer alone', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    moved('y1', 'swim', 'G2', 'H2'),
    moved('y2', 'enter', 'G5', 'H5'),
    moved('y3', 'dive', 'I2', 'I2'),
    moved('y3', 'swim', 'I2', 'J1'),
    turn(0),
  ])
  const [swims, jumps, dives] = [0, 1, 2].map((i) => reader.picture(i))
  expect(swims).not.toContain('#target-swim')
  expect(swims).not.toMatch(/#tile-|#ship-/)
  expect(jumps).toContain('#target-swim')
  expect(jumps).toContain('#tile-')
  expect(dives).toContain('#target-swim')
  expect(dives).toContain('#ship-')
  for (const picture of [swims, jumps, dives]) expect(picture).toContain('#swimmer-yellow')
  expect(reader.sentences[1]).toContain('jumps into the water')
  expect(reader.sentences[2]).toContain('leaves the ship for the water')
})

test('who walks or jumps off land stands on land of that kind, also where it has sunk since', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    moved('y1', 'walk', 'F4', 'F5'),
    moved('y2', 'enter', 'G5', 'H5'),
    moved('y3', 'walk', 'C3', 'C4'),
    turn(2),
    { kind: 'sunk', seat: 2, at: 'G5', terrain: 'mountain', fell: [] },
    turn(0),
  ])
  const { tiles } = reader.live.view as unknown as { tiles: Record<string, string> }
  Object.assign(tiles, { F5: 'beach', C4: 'forest' })
  const lands = [0, 1, 2].map((i) => /#tile-[\w-]+/.exec(reader.picture(i))![0])
  for (const space of ['F5', 'C4']) delete tiles[space]
  expect(lands).toStrictEqual(['#tile-beach', '#tile-mountain', '#tile-forest-base'])
})

test('the wind is drawn by its tile, and a ship with the explorer of who sails it', () => {
  const reader = new RecapReader('survive', [
    turn(1),
    { kind: 'tile_played', seat: 1, tile: 'wind', terrain: 'beach' },
    { ...sail('I2', 'J1'), how: 'wind', crew: ['r7', 'y1'] },
    { ...sail('J1', 'J2'), crew: ['r7', 'y1'] },
    { ...sail('G1', 'G2'), how: 'drift', id: 9, crew: [] },
    turn(0),
  ])
  const [wind, sails, drifts] = [0, 1, 2].map((i) => reader.picture(i))
  expect(wind).toContain('#back-wind')
  expect(sails).not.toContain('#back-wind')
  for (const picture of [wind, sails]) expect(picture!.match(/#explorer-\w+/g)).toStrictEqual(['#explorer-yellow'])
  expect(drifts).toContain('#ship-front')
  expect(drifts).not.toContain('#explorer-')
})

test('a tile from the hand and what it moves are one picture, each tile its own; so are a roll and a ship that drifts; two rolls are two', () => {
  const sent = (tile: string, seat: number) => ({ kind: 'tile_played', seat, tile, terrain: 'beach' })
  const reader = new RecapReader('survive', [
    turn(1),
    sent('move_shark', 1),
    roll(1, 'G3', 'I3')[1]!,
    sent('wind', 1),
    { ...sail('I2', 'J1'), how: 'wind', crew: ['y1'] },
    ...roll(1, 'I3', 'I4'),
    { kind: 'rolled', seat: 1, faces: ['ship'] },
    { ...sail('G1', 'G2'), how: 'drift', crew: [] },
    turn(0),
  ])
  expect(reader.actions.map((action) => action.picture)).toStrictEqual(['creature', 'sail', 'creature', 'sail'])
  expect(reader.sentences[0]).toMatch(/^Coral plays a tile: the shark swims /)
  expect(reader.picture(0)).toContain('#shark')
  expect(reader.picture(0)).toContain('class="back')
  expect(reader.picture(2)).not.toContain('class="back')
})

test('a tile that was kept is drawn with a hand, one that had its effect with what came of it', () => {
  const sunk = { kind: 'sunk', seat: 1, at: 'G5', terrain: 'forest', fell: [] }
  const reader = new RecapReader('survive', [
    turn(1),
    sunk,
    { kind: 'kept', seat: 1, terrain: 'forest' },
    turn(2),
    { ...sunk, seat: 2 },
    { kind: 'revealed', back: 'shark', at: 'G5' },
    { kind: 'arrived', creature: 'shark', id: 5, at: 'G5' },
    turn(0),
  ])
  expect(reader.picture(0)).toContain('#ui-hand')
  expect(reader.picture(1)).not.toContain('#ui-hand')
  expect(reader.picture(1)).toContain('#shark')
})

// --- Atlantis ---------------------------------------------------------------------------------------------------------

const card = (colour: string, paid: number, bill: number) => ({ kind: 'paid_card', seat: 2, card: colour, paid, bill })
const tile = (colour: string, value: number, paid: number, bill: number) => ({
  kind: 'paid_tile',
  seat: 2,
  tile: colour,
  value,
  paid,
  bill,
})

/** The values that a payment's picture shows. */
const valuesIn = (picture: string): string[] =>
  [...picture.matchAll(/class="paid[^"]*"[^>]*>([^<]+)</g)].map(([, n]) => n!)

test('a payment is said with its price and everything that it was paid with', () => {
  const reader = new RecapReader('atlantis', [
    turn(2),
    card('yellow', 1, 5),
    tile('pink', 1, 2, 5),
    card('grey', 3, 5),
    card('yellow', 4, 5),
    tile('brown', 4, 8, 5),
    turn(0),
  ])
  expect(reader.sentences).toStrictEqual([
    'Skipper pays the price of 5 with the card yellow crown ×2, the tile pink flag 1, the card grey helmet ' +
      'and the tile brown amphora 4: 8 in all.',
  ])
  expect(reader.picture(0)).toMatch(/class="price[^"]*">5</)
  expect(valuesIn(reader.picture(0))).toStrictEqual(['1', '1', '1', '1', '4'])
})

test('of a long payment as many values as there is room for are drawn', () => {
  const paid = Array.from({ length: 8 }, (_, i) => tile('pink', 2, 2 * i + 2, 16))
  const reader = new RecapReader('atlantis', [turn(2), ...paid, turn(0)])
  expect(valuesIn(reader.picture(0))).toStrictEqual(['2', '2', '2', '2', '2', '…'])
})

test('an exact payment and one that is not complete', () => {
  const exact = new RecapReader('atlantis', [turn(2), tile('white', 2, 2, 3), card('blue', 3, 3), turn(0)])
  expect(exact.sentences).toStrictEqual([
    'Skipper pays the price of 3 with the tile white statue 2 and the card blue ring.',
  ])
  const begun = new RecapReader('atlantis', [turn(2), card('blue', 1, 3)])
  expect(begun.sentences).toStrictEqual(['Skipper pays the card blue ring (1 of 3).'])
})

test('a move of several cards is said with all of them and its whole way', () => {
  const step = (kind: string, colour: string, from: string, to: string) => ({
    kind,
    seat: 2,
    figure: 'A',
    card: colour,
    from,
    to,
  })
  const reader = new RecapReader('atlantis', [
    turn(2),
    step('hopped', 'grey', '13', '37'),
    step('hopped', 'pink', '37', '40'),
    step('moved', 'white', '40', 'mainland'),
    turn(0),
  ])
  expect(reader.sentences).toStrictEqual([
    'Skipper plays grey helmet, pink flag and white statue: figure A goes from 13 to the mainland.',
  ])
  expect(reader.picture(0).match(/#kind-\w+/g)).toStrictEqual(['#kind-helmet', '#kind-flag', '#kind-statue'])
  expect(reader.picture(0)).toContain('>13→<')
})

test('a move is drawn with its figure’s letter and its numbers, from and to', () => {
  const move = (from: string, to: string) => ({ kind: 'moved', seat: 1, figure: 'A', card: 'grey', from, to })
  const drawn = (from: string, to: string): string => new RecapReader('atlantis', [turn(1), move(from, to)]).picture(0)
  expect(drawn('23', '27')).toMatch(/class="letter[^"]*">A</)
  expect(drawn('23', '27')).toContain('>23→27<')
  expect(drawn('atlantis', '7')).toContain('>→7<')
})

test('a new gap is said with the tile that was taken there', () => {
  const reader = new RecapReader('atlantis', [
    turn(1),
    { kind: 'took', seat: 1, at: 35, tile: 'white', value: 7 },
    { kind: 'gap', at: 35 },
    turn(0),
  ])
  const gap = 'A new gap opens ahead of you, at space 35.'
  expect(reader.sentences).toStrictEqual([`Coral takes white statue 7 from space 35. ${gap}`])
  expect(reader.mine()).toStrictEqual([[gap, 1]])
  expect(reader.picture(0)).toContain('>35<')
  expect(reader.at(1)).toBe('Coral takes white statue 7 from space 35.')
  expect(reader.at(2)).toBe(gap)
})

type Gap = { at: number; to: number; bridge?: boolean }

test('a gap beside the reader’s figure is said, and one that grows is no new one', () => {
  const view = VIEWS.atlantis as { gaps: Gap[] }
  const said = (gap: Gap, ...at: number[]): string[] => {
    view.gaps = [gap]
    const gaps = at.map((one) => ({ kind: 'gap', at: one }))
    const took = { kind: 'took', seat: 1, at: at[0], tile: 'white', value: 7 }
    return new RecapReader('atlantis', [turn(1), took, ...gaps, turn(0)]).mine().map(([words]) => words)
  }
  expect(said({ at: 29, to: 29 }, 29)).toStrictEqual(['A new gap opens right behind your figure, at space 29.'])
  expect(said({ at: 27, to: 29 }, 28)).toStrictEqual(['The gap right behind your figure gets wider, at space 28.'])
  expect(said({ at: 31, to: 32 }, 32)).toStrictEqual(['The gap ahead of you gets wider, at space 32.'])
  expect(said({ at: 31, to: 32 }, 31, 32)).toStrictEqual([
    'A new gap opens ahead of you, at space 31.',
    'The gap ahead of you gets wider, at space 32.',
  ])
  expect(said({ at: 27, to: 28 }, 28)).toStrictEqual([])
  expect(said({ at: 31, to: 32, bridge: true }, 32)).toStrictEqual([]) // it is crossed free
  view.gaps = []
})

test('that nothing is taken, and that a bridge is lost, is said with the move', () => {
  const reader = new RecapReader('atlantis', [
    turn(1),
    { kind: 'moved', seat: 1, figure: 'A', card: 'grey', from: '13', to: '37' },
    { kind: 'bridge_lost', at: 35 },
    { kind: 'took_nothing', seat: 1 },
    turn(0),
  ])
  expect(reader.sentences[0]).toMatch(/The bridge at 35 is lost\. Coral takes nothing: /)
})

// --- Atlandice --------------------------------------------------------------------------------------------------------

const die = (seat: number) => ({ kind: 'die', seat, sector: 'inn' })
const take = (seat: number, resource: string, sector = 'inn') => ({
  kind: 'take',
  seat,
  sector,
  resource,
  reason: 'visit',
})

test('pieces are counted; those from elsewhere, and the roll for them, are said, too', () => {
  const reader = new RecapReader('atlandice', [
    die(2),
    take(2, 'provisions'),
    take(2, 'provisions'),
    { kind: 'roll', seat: 2, face: 5, tile: 'inn_a' },
    take(2, 'provisions', 'forge'),
    die(0),
  ])
  expect(reader.sentences).toStrictEqual([
    'Skipper takes a die from the inn.',
    'Skipper takes two provisions from the inn. Skipper rolls 5 (inn A). Skipper takes a provision from the forge.',
  ])
})

test('a scoring is said whole, and what the reader gets and returns', () => {
  const reader = new RecapReader('atlandice', [
    die(1),
    { kind: 'emptied', sector: 'inn', tile: 'inn_a' },
    { kind: 'tile', seat: 1, tile: 'inn_a', points: 3 },
    { kind: 'points', seat: 2, points: 3, reason: 'region' },
    { kind: 'points', seat: 0, points: 3, reason: 'region' },
    { kind: 'returned', resource: 'provisions', market: 2, region: 7, from: [3, 3, 3] },
    { kind: 'reveal', sector: 'inn', tile: 'inn_c', hands: 3 },
    die(0),
  ])
  expect(reader.mine(2)).toStrictEqual([
    ['You score 3 points for the emptied district.', 1],
    ['You return 3 pieces (provisions).', 1],
  ])
  expect(reader.sentences[1]).toBe(
    'The tile inn A has no pieces left and is scored. Coral takes the tile inn A, worth 3 points. ' +
      'Skipper scores 3 points for the emptied district. You score 3 points for the emptied district. ' +
      'All provisions held are returned: 2 to the black market, 7 to the new tile. ' +
      'You return 3 pieces (provisions). The tile inn C is revealed.',
  )
})

test('while a piece is shown, it is said who takes it; that a wreath is lost, once all is drawn', () => {
  const view = VIEWS.atlandice as { holders: { stock: { gems: number } }[] }
  ;[view.holders[0]!.stock.gems, view.holders[1]!.stock.gems] = [1, 1]
  const reader = new RecapReader('atlandice', [die(1), take(1, 'gems'), die(0)])
  expect(reader.mine()).toStrictEqual([['You now share the most (gems): your wreath is shared.', 1]])
  expect(reader.at(1)).toBe('Coral takes a gem from the inn.')
  ;[view.holders[0]!.stock.gems, view.holders[1]!.stock.gems] = [0, 0]
})

test('a wreath that was shared and is gone is said to be gone, whoever had it alone', () => {
  const view = VIEWS.atlandice as { holders: { stock: { gems: number } }[] }
  const stocks = (...gems: number[]): void => gems.forEach((n, i) => (view.holders[i]!.stock.gems = n))
  const GONE = 'You no longer have the most (gems): your wreath is gone.'
  const said = (...events: Parameters<typeof take>[]): [string, number][] =>
    new RecapReader('atlandice', [die(1), ...events.map((one) => take(...one)), die(0)]).mine()
  stocks(1, 2, 0)
  expect(said([1, 'gems'], [1, 'gems'])).toStrictEqual([[GONE, 1]])
  expect(said([1, 'gems'])).toStrictEqual([[GONE, 1]]) // they had as many before
  stocks(1, 3, 0)
  expect(said([1, 'gems'])).toStrictEqual([]) // they had more before
  stocks(2, 2, 1)
  expect(said([1, 'gems'])).toStrictEqual([['You now share the most (gems): your wreath is shared.', 1]])
  stocks(0, 0, 0)
})

test('what moves elsewhere is drawn with the building it goes to', () => {
  const reader = new RecapReader('atlandice', [
    die(1),
    { kind: 'submarine', seat: 1, from: 'library', to: 'forge' },
    { kind: 'move', seat: 1, from: 'inn', to: 'black_market', resource: 'gems' },
    { kind: 'die_moved', seat: 1, from: 'inn', to: 'jeweller', face: 1 },
    die(0),
  ])
  const drawn = [1, 2, 3].map((i) => reader.picture(i))
  for (const [i, what] of ['#submarine', '#gem', '#die-1'].entries()) expect(drawn[i]).toContain(what)
  for (const [i, where] of ['#forge', '#black-market', '#jeweller'].entries()) expect(drawn[i]).toContain(where)
  expect(drawn[0]).not.toContain('#library')
})

test('both pieces of a donation are drawn', () => {
  const give = (resource: string) => ({ kind: 'give', seat: 1, resource })
  const reader = new RecapReader('atlandice', [give('gems'), give('tools'), { kind: 'points', seat: 1, points: 1 }])
  expect(reader.actions).toHaveLength(1)
  const drawn = [...reader.picture(0).matchAll(/href="#([\w-]+)"/g)].map((found) => found[1])
  expect(drawn).toStrictEqual(['gem', 'tool', 'donation'])
})

test('a district that is used up concerns everybody', () => {
  const reader = new RecapReader('atlandice', [
    die(1),
    { kind: 'emptied', sector: 'inn', tile: 'inn_a' },
    { kind: 'used_up', sector: 'inn', resource: 'provisions' },
    die(0),
  ])
  expect(reader.mine()).toStrictEqual([['The district is used up: all provisions leave the game.', 1]])
})

test('sentences follow one another as the language puts them', () => {
  const events = [turn(1), { kind: 'took', seat: 1, at: 35, tile: 'white', value: 7 }, { kind: 'gap', at: 35 }, turn(0)]
  setCatalogue('en', { ...TEXTS, 'list.sentences': '{a}{b}' })
  expect(new RecapReader('atlantis', events).sentences[0]).toContain('35.A new gap')
  setCatalogue('en', TEXTS)
})

// --- the panel --------------------------------------------------------------------------------------------------------

/** The panel in a window of that class, and how to remove it. */
function panelOf(reader: RecapReader, kind: 'wide' | 'upright', recap: Partial<Recap> = {}): () => void {
  Object.assign(reader.live, { canRepeatActions: () => false, busy: false })
  const state = { actions: reader.actions, chosen: null, ringPlaces: () => {}, ...recap } as unknown as Recap
  const panel = mount(RecapPanel, {
    target: document.body,
    props: { recap: state, live: reader.live, ui: reader.ui, kind },
  })
  flushSync()
  return () => void unmount(panel)
}

test('plain moves are folded before a gain, a kept tile, a strike and its cause', () => {
  const walks = (...pieces: string[]) => pieces.map((piece) => moved(piece, 'walk', 'G5', 'G6'))
  const reader = new RecapReader('survive', [
    turn(1),
    ...walks('y1', 'y2'),
    { kind: 'landed', piece: 'y3', from: 'B2', isle: '@NW' },
    ...walks('y4', 'y5'),
    { kind: 'sunk', seat: 1, at: 'G5', terrain: 'forest', fell: [] },
    { kind: 'kept', seat: 1, terrain: 'forest' },
    ...roll(1, 'G3', 'I3'),
    lost('g4', 'I3'),
    turn(0),
  ])
  expect(reader.actions.map((action) => action.picture)).toStrictEqual(
    ['walk', 'walk', 'land', 'walk', 'walk', 'sink', 'creature', 'strike'], // prettier-ignore
  )
  const close = panelOf(reader, 'wide')
  const row = [...document.querySelectorAll<HTMLElement>('.pictures .picture')].map(
    (one) => one.title || one.textContent,
  )
  expect(row).toHaveLength(6)
  expect(row[1]).toContain('lands')
  expect(row[2]).toBe('+3')
  expect(row[3]).toContain('keeps it')
  expect(row[5]).toContain('swimmer')
  close()
})

test.each(['wide', 'upright'] as const)('the pictures stay where they are when the sentence changes: %s', (kind) => {
  const reader = new RecapReader('survive', [
    turn(1),
    ...['I6', 'H5', 'H7'].flatMap((at, i) => [...roll(1, 'G3', at), lost(`r${i + 1}`, at)]),
    turn(0),
  ])
  const lines = (chosen: Action | null): string => {
    const close = panelOf(reader, kind, { chosen })
    const found = document.querySelector<HTMLElement>('[role=status]')!.style.getPropertyValue('--lines')
    close()
    return found
  }
  const most = kind === 'wide' ? 2 : 1 // sentences; and the number of the others
  expect(lines(null)).toBe(`${2 * most + 1}`)
  expect(lines(reader.actions[0]!)).toBe(`${2 * most + 1}`)
  reader.actions.splice(4)
  expect(lines(null)).toBe(kind === 'wide' ? '4' : '3')
  reader.actions.splice(2)
  expect(lines(null)).toBe('2')
  expect(lines(reader.actions[0]!)).toBe('2')
})

test('all that happened is shown with as much room as it needs', async () => {
  const reader = new RecapReader('survive', [
    turn(1),
    ...['G5', 'H5', 'I5', 'I6'].flatMap((at, i) => [...roll(1, 'G3', at), lost(`r${i + 1}`, at)]),
    turn(0),
  ])
  const close = panelOf(reader, 'wide')
  const box = document.querySelector<HTMLElement>('[role=status]')!
  const told = (): [number, number] => [box.querySelectorAll('.one').length, +box.style.getPropertyValue('--lines')]
  expect(told()).toStrictEqual([2, 5])
  document.querySelector<HTMLButtonElement>('.rest')!.click()
  await tick()
  const [sentences, lines] = told()
  expect(sentences).toBe(reader.mine().length)
  expect(lines).toBeGreaterThanOrEqual(2 * sentences)
  close()
})

test.each(['wide', 'upright'] as const)('what stands in place of a button has the focus: %s', async (kind) => {
  const reader = new RecapReader('survive', [
    turn(1),
    ...['G5', 'H5', 'I5', 'I6'].flatMap((at, i) => [...roll(1, 'G3', at), lost(`r${i + 1}`, at)]),
    turn(0),
  ])
  Object.assign(reader.live, { canRepeatActions: () => false, busy: false })
  const recap = { actions: reader.actions, chosen: null, ringPlaces: () => {} } as unknown as Recap
  const panel = mount(RecapPanel, { target: document.body, props: { recap, live: reader.live, ui: reader.ui, kind } })
  flushSync()
  const press = async (button: string): Promise<string | null> => {
    const found = document.querySelector<HTMLButtonElement>(button)!
    found.focus()
    found.click()
    await tick()
    await tick()
    expect(document.querySelector(button)).toBeNull()
    return document.activeElement!.textContent
  }
  expect(await press('.rest')).toContain('takes your swimmer')
  if (kind === 'wide') expect(await press('.more')).toMatch(/Coral|shark/)
  expect(document.activeElement).not.toBe(document.body)
  void unmount(panel)
})
