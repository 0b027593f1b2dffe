// What the shell asks of a game's room in the client.
import type { Component } from 'svelte'
import type { Scene, Stages, View, GameEvent, Choice } from '../lib/scene.svelte'
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
export interface Part {
  scene: Scene
}

export interface Room {
  /**
   * The board fills the window; it draws scene.view, marks what may be chosen, and calls scene.choose and
   * scene.explain.
   */
  Board: Component<Part>
  /** Cards of the side column between the players and the log; on the phone the first tab of the sheet. */
  Side?: Component<Part>
  /** What that tab is called: a key of the client's messages; and the number behind it, if any. */
  sideTab?: string
  sideCount?(scene: Scene): number | null
  /** Further tabs of the phone's sheet, after the first. */
  tabs?: { key: string; Part: Component<Part>; count?(scene: Scene): number | null }[]
  /** Side shows every player already, so the shell leaves its own list and strip out. */
  ownPlayers?: boolean
  /** The line under or beside a player's name, and figures at the right of it. */
  PlayerLine: Component<Part & { seat: number }>
  /** The little line under a name in the phone's strip of players. */
  PlayerChip?: Component<Part & { seat: number }>
  /**
   * Bottom centre, above the buttons: what must be chosen or answered beyond the board (trays, cards, defence, dice).
   */
  Dock?: Component<Part>
  /** Where the buttons are on the desktop: under the dock, or to the right of it. */
  dock?: 'above' | 'beside'
  /**
   * On the phone the banner has only the step at hand, in words: the room's own panel asks, and its strip needs the
   * height.
   */
  brief?: boolean
  /** Right end of the banner (points left, round and clock). */
  Banner?: Component<Part>
  /** Small panels over the board's corners (key, dice, what is left); each places itself. */
  Corners?: Component<Part>
  /**
   * The end of a match: values turned over, bills, reckoning, with the ranking. The shell gives the card and the
   * buttons.
   */
  End?: Component<Part>
  steps(view: View): Step[]
  buttons(scene: Scene): Button[]
  stages: Stages
  /** The spaces a log line points at. */
  places(event: GameEvent): string[]
  /** The seat an event is about, for its emblem in the log; null for none. */
  about(event: GameEvent, scene?: Scene): number | null
  /** The room's own sentence for a line of the log, **so** is bold; null leaves it to the game's catalogue. */
  tell?(scene: Scene, event: GameEvent): string | null
  /** A choice as a sentence, for hints and lists; without this the catalogue's. */
  words?(scene: Scene, choice: Choice): string
  /** The question before a choice that costs something. */
  costs?(scene: Scene, choice: Choice): string
  /** Events that get no line in the log. */
  silent(event: GameEvent): boolean
  /** The replay's mark above the scrubber: a symbol's name, or ''. */
  mark(event: GameEvent): string
  /** Whether choices need the server's preview. */
  wantsPreview?: boolean
  /** In place of "Your turn" and "Ana's turn" in the banner. */
  turn?(scene: Scene): string | null
  /** When it is, for the log's head: "turn 14", "round 4". */
  when?(view: View): string | null
  /** What an event sounds like; null for silence. Without this the shell guesses by the event's kind. */
  sound?(event: GameEvent): Motive | null
}
