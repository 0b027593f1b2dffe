// The interface between the shell and a game's UI.
import type { Component } from 'svelte'
import type { Scene, AnimationStep, GameTypes, Choice } from '../lib/scene.svelte'
import type { Motive } from '../lib/sound'

export interface Step {
  /** A key of the client's messages. */
  key: string
  args?: Record<string, unknown>
  state: 'done' | 'now' | 'later'
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
  /** Shown but disabled; `why` is the sentence that explains it. */
  disabled?: boolean
  why?: string
}

/** A game's components get their scene. */
export interface Part<T extends GameTypes = GameTypes> {
  scene: Scene<T>
}

export interface GameUi<T extends GameTypes = GameTypes> {
  /** The board fills the window; it draws scene.view, marks the choices, and calls scene.choose and scene.explain. */
  Board: Component<Part<T>>
  /** Cards of the side column between the players and the log; on the phone the first tab of the sheet. */
  Side?: Component<Part<T>>
  /** That tab's label, a key of the client's messages; and the number behind it, if any. */
  sideTab?: string
  sideCount?(scene: Scene<T>): number | null
  /** Further tabs of the phone's sheet, after the first. */
  tabs?: { key: string; Part: Component<Part<T>>; count?(scene: Scene<T>): number | null }[]
  /** Side already shows every player, so the shell omits its own list and strip. */
  ownPlayers?: boolean
  /** The line under or beside a player's name, with figures at its right. */
  PlayerLine: Component<Part<T> & { seat: number }>
  /** A player's open pieces, under their row and when their chip is tapped. */
  PlayerMore?: Component<Part<T> & { seat: number }>
  /** The line under a name in the phone's strip of players. */
  PlayerChip?: Component<Part<T> & { seat: number }>
  /** Bottom centre, above the buttons: choices beyond the board (trays, cards, defence, dice). */
  Dock?: Component<Part<T>>
  /** The buttons' place on the desktop: under the dock, or to the right of it. */
  dock?: 'above' | 'beside'
  /** On the phone the banner shows only the current step: the game's own panel asks, and its strip needs the height. */
  brief?: boolean
  /** Right end of the banner (points left, round and clock). */
  Banner?: Component<Part<T>>
  /** Small panels over the board's corners (key, dice, what is left); each places itself. */
  Corners?: Component<Part<T>>
  /**
   * The end of a match: values revealed, bills, scores and the ranking. The shell provides the card and the buttons.
   */
  End?: Component<Part<T>>
  steps(view: T['View']): Step[]
  buttons(scene: Scene<T>): Button[]
  /** Whether pieces are being set up: they can be placed automatically, and undone. */
  settingUp?(view: T['View']): boolean
  animateEvent(view: T['View'], event: T['Event']): AnimationStep[]
  /** The spaces a log line points at. */
  places(event: T['Event']): string[]
  /** The seat an event is about, for its emblem in the log; null for none. */
  about(event: T['Event'], scene?: Scene<T>): number | null
  /** The game's own sentence for a log line, **so** is bold; null uses the game's catalogue. */
  logLine?(scene: Scene<T>, event: T['Event']): string | null
  /** A choice as a sentence, for hints and lists; the default is the catalogue's. */
  words?(scene: Scene<T>, choice: T['Choice']): string
  /** The confirmation of a costly choice. */
  costs?(scene: Scene<T>, choice: T['Choice']): string
  /** Events without a log line. */
  silent(event: T['Event']): boolean
  /** The replay's mark above the scrubber: a symbol's name, or ''. */
  mark(event: T['Event']): string
  /** Whether choices need the server's preview. */
  wantsPreview?: boolean
  /** Replaces "Your turn" and "Ana's turn" in the banner. */
  turn?(scene: Scene<T>): string | null
  /** The time in the match, for the log's head: "turn 14", "round 4". */
  when?(view: T['View']): string | null
  /** An event's sound; null for silence. The default is by the event's kind. */
  sound?(event: T['Event']): Motive | null
}
