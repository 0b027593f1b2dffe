// The interface between the shell and a game's UI.
import type { Component } from 'svelte'
import type { Scene, AnimationStep, GameTypes, Choice } from '../lib/scene.svelte'
import type { Action, ActionPart } from '../lib/eventActions'
import type { Shot } from '../lib/film'
import type { Motive } from '../lib/sound'

export interface Step {
  /** A key of the client's messages. */
  key: string
  args?: Record<string, unknown>
  /** Skipped: it is over, and nothing was done in it. */
  state: 'done' | 'skipped' | 'now' | 'later'
}

/** A button beside the board for a choice that has no place on it (end movement, pass). */
export interface Button {
  choice?: Choice
  /** Its action, if it is no choice. */
  act?: () => void
  label: string
  /** The primary button; at most one. */
  main?: boolean
  /** An icon's symbol. */
  icon?: string
  /** No button: what to do now, in their row. */
  prompt?: boolean
  /** Shown but disabled; `why` is the sentence that explains it. */
  disabled?: boolean
  why?: string
}

/** A game's components get their scene. */
export interface Part<T extends GameTypes = GameTypes> {
  scene: Scene<T>
}

/** What a game says to those who hear it: loaded with the first key. */
export interface Spoken<T extends GameTypes = GameTypes> {
  /** What was just chosen and what it leads to; '' for nothing. */
  selectionText(scene: Scene<T>): string
  /** How the reader stands: their pieces, what threatens them, what they hold. */
  positionText(scene: Scene<T>): string[]
  /** What is said with the question, but stands elsewhere on the page: points left, stakes. */
  questionDetail?(scene: Scene<T>): string
  /** The game's own keys, for the menu: each with a key of its messages. */
  keys: [keys: string, words: string][]
}

/** What others did, action by action. */
export interface RecapUi<T extends GameTypes = GameTypes> {
  /** The part of event number `n` in an action; null: none. */
  part(scene: Scene<T>, n: number): ActionPart | null
  /** The seat whose turn an event begins; null: none. */
  turn(event: T['Event']): number | null
  /** The seat whose turn it is. */
  whose(view: T['View']): number
  /** Whether an action tells an event in one sentence with the one before it; the default is the log's. */
  joins?(before: T['Event'], event: T['Event']): boolean
  /** The sentence of events that an action tells together; null: the log's. */
  line?(scene: Scene<T>, events: T['Event'][]): string | null
  /** From where to where the events of a sentence lead, if the log says it less exactly: it follows the sentence. */
  routeText?(events: T['Event'][]): string
  /** The pictures' ground, if it is not the sea. */
  ground?: string
  /** An action as a small picture of 60 by 46, drawn around the middle. */
  ActionArt: Component<Part<T> & { action: Action }>
}

export interface GameUi<T extends GameTypes = GameTypes> {
  /** The board fills the window; it draws scene.view, marks the choices, and calls scene.choose and scene.explainIllegalMove. */
  Board: Component<Part<T>>
  /** Cards of the side column between the players and the log; on the phone the first tab of the sheet. */
  Side?: Component<Part<T>>
  /** That tab's label, a key of the client's messages; and the number behind it, if any. */
  sideTab?: string
  sideTabCount?(scene: Scene<T>): number | null
  /** Further tabs of the phone's sheet, after the first. */
  tabs?: { key: string; Part: Component<Part<T>>; count?(scene: Scene<T>): number | null }[]
  /** Side already shows every player, so the shell omits its own list and strip. */
  ownPlayers?: boolean
  /** Its dock is in the column, where there is one: the board needs the room. */
  dockInColumn?: boolean
  /** The line under or beside a player's name, with figures at its right. */
  PlayerStats: Component<Part<T> & { seat: number }>
  /** A player's open pieces, under their row and when their chip is tapped. */
  PlayerMore?: Component<Part<T> & { seat: number }>
  /** A player's count in the phone's row of chips; `named`: beside the name instead of under the emblem. */
  namedChips?: boolean
  PlayerChipScore?: Component<Part<T> & { seat: number }>
  /** Bottom centre, above the buttons: choices beyond the board (trays, cards, defence, dice). */
  Dock?: Component<Part<T>>
  /** All choices in words, in the menu; `chosen` closes it. */
  Words?: Component<Part<T> & { chosen: () => void }>
  /** The game's own control among the actions of a rail or a sheet, before the buttons. */
  Control?: Component<Part<T>>
  /** The buttons' place on the desktop: under the dock, or to the right of it. */
  dock?: 'above' | 'beside'
  /**
   * In windows with a column the board fits around the panels at its foot: no room is reserved for them, and what comes
   * and goes is shown in the column.
   */
  fills?: boolean
  /** Right end of the banner (points left, round and clock). */
  Banner?: Component<Part<T>>
  /** Small panels over the board's corners (key, dice, what is left); each places itself. */
  BoardPanels?: Component<Part<T>>
  /**
   * The end of a match: values revealed, bills, scores and the ranking. The shell provides the card and the buttons.
   */
  loadFinalScoring?(): Promise<{ default: Component<Part<T>> }>
  turnSteps(view: T['View'], scene: Scene<T>): Step[]
  actionButtons(scene: Scene<T>): Button[]
  /** Deselect what was picked and is no choice yet. */
  clearSelection?(scene: Scene<T>): void
  /** Whether pieces are being set up: they can be placed automatically, and undone. */
  isSettingUp?(view: T['View']): boolean
  animationStepsOf(view: T['View'], event: T['Event'], shot?: Shot): AnimationStep[]
  /** How long the board stays as it is before an event is drawn, in ms: what came of the last choice is read. */
  restBeforeEvent?(scene: Scene<T>, event: T['Event']): number
  /** The spaces a log line points at. */
  placesOfEvent(event: T['Event']): string[]
  /** The seat an event is about, for its emblem in the log; null for none. */
  seatOfEvent(event: T['Event'], scene?: Scene<T>): number | null
  /**
   * The game's own sentence for a log line, **so** is bold and `wrapInPlaceMarkup` marks places; null uses the game's catalogue.
   * `before` are the events that the same sentence tells.
   */
  logLine?(scene: Scene<T>, event: T['Event'], before?: T['Event'][]): string | null
  /** Whether the log tells an event in one sentence with the one before it. */
  joinsPreviousSentence?(before: T['Event'], event: T['Event']): boolean
  /** Whether an event happened to the reader, and somebody else did it: its line stands out. */
  happenedToReader?(scene: Scene<T>, event: T['Event']): boolean
  /** A choice as a sentence, for hints and lists; the default is the catalogue's. */
  choiceText?(scene: Scene<T>, choice: T['Choice']): string
  /** The confirmation of a costly choice. */
  confirmationText?(scene: Scene<T>, choice: T['Choice']): string
  /** Others' turns, to be followed and shown again. */
  recap?: RecapUi<T>
  /** Events without a log line. */
  hasNoLogLine(event: T['Event']): boolean
  /** The replay's mark above the scrubber: a symbol's name, or ''. */
  timelineSymbol(event: T['Event']): string
  /** Whether choices need the server's preview. */
  wantsPreview?: boolean
  /** Replaces "Your turn" and "Ana's turn" in the banner. */
  turnBannerText?(scene: Scene<T>): string | null
  /** Replaces the question under the banner. */
  questionText?(scene: Scene<T>): string | null
  /** What is said to those who hear the game, and its keys. */
  loadSpoken?(): Promise<Spoken<T>>
  /** The time in the match, for the log's head: "turn 14", "round 4". */
  momentText?(view: T['View']): string | null
  /** An event's sound; null for silence. The default is by the event's kind. */
  soundOfEvent?(event: T['Event']): Motive | null
}
