// What the shell asks of a game's room in the client.
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
  /** What it does where it is no choice by itself. */
  act?: () => void
  label: string
  /** The one coral button; at most one. */
  main?: boolean
  /** An icon's symbol. */
  icon?: string
  /** Shown, but cannot be pressed now; `why` is the sentence that says why. */
  disabled?: boolean
  why?: string
}

/** A room's parts get the scene they belong to. */
export interface Part<T extends GameTypes = GameTypes> {
  scene: Scene<T>
}

export interface GameUi<T extends GameTypes = GameTypes> {
  /**
   * The board fills the window; it draws scene.view, marks what may be chosen, and calls scene.choose and
   * scene.explain.
   */
  Board: Component<Part<T>>
  /** Cards of the side column between the players and the log; on the phone the first tab of the sheet. */
  Side?: Component<Part<T>>
  /** What that tab is called: a key of the client's messages; and the number behind it, if any. */
  sideTab?: string
  sideCount?(scene: Scene<T>): number | null
  /** Further tabs of the phone's sheet, after the first. */
  tabs?: { key: string; Part: Component<Part<T>>; count?(scene: Scene<T>): number | null }[]
  /** Side shows every player already, so the shell leaves its own list and strip out. */
  ownPlayers?: boolean
  /** The line under or beside a player's name, and figures at the right of it. */
  PlayerLine: Component<Part<T> & { seat: number }>
  /** What lies open before a player, under their row and when their chip is tapped. */
  PlayerMore?: Component<Part<T> & { seat: number }>
  /** The little line under a name in the phone's strip of players. */
  PlayerChip?: Component<Part<T> & { seat: number }>
  /**
   * Bottom centre, above the buttons: what must be chosen or answered beyond the board (trays, cards, defence, dice).
   */
  Dock?: Component<Part<T>>
  /** Where the buttons are on the desktop: under the dock, or to the right of it. */
  dock?: 'above' | 'beside'
  /**
   * On the phone the banner has only the step at hand, in words: the room's own panel asks, and its strip needs the
   * height.
   */
  brief?: boolean
  /** Right end of the banner (points left, round and clock). */
  Banner?: Component<Part<T>>
  /** Small panels over the board's corners (key, dice, what is left); each places itself. */
  Corners?: Component<Part<T>>
  /**
   * The end of a match: values turned over, bills, reckoning, with the ranking. The shell gives the card and the
   * buttons.
   */
  End?: Component<Part<T>>
  steps(view: T['View']): Step[]
  buttons(scene: Scene<T>): Button[]
  /** Whether pieces are set up: they can be placed for one, and taken back. */
  settingUp?(view: T['View']): boolean
  animateEvent(view: T['View'], event: T['Event']): AnimationStep[]
  /** The spaces a log line points at. */
  places(event: T['Event']): string[]
  /** The seat an event is about, for its emblem in the log; null for none. */
  about(event: T['Event'], scene?: Scene<T>): number | null
  /** The room's own sentence for a line of the log, **so** is bold; null leaves it to the game's catalogue. */
  tell?(scene: Scene<T>, event: T['Event']): string | null
  /** A choice as a sentence, for hints and lists; without this the catalogue's. */
  words?(scene: Scene<T>, choice: T['Choice']): string
  /** The question before a choice that costs something. */
  costs?(scene: Scene<T>, choice: T['Choice']): string
  /** Events that get no line in the log. */
  silent(event: T['Event']): boolean
  /** The replay's mark above the scrubber: a symbol's name, or ''. */
  mark(event: T['Event']): string
  /** Whether choices need the server's preview. */
  wantsPreview?: boolean
  /** In place of "Your turn" and "Ana's turn" in the banner. */
  turn?(scene: Scene<T>): string | null
  /** When it is, for the log's head: "turn 14", "round 4". */
  when?(view: T['View']): string | null
  /** What an event sounds like; null for silence. Without this the shell guesses by the event's kind. */
  sound?(event: T['Event']): Motive | null
}
