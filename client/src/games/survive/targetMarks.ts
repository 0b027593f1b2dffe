// A target's token: how one gets there, and whether somebody is lost.
import type { Choice } from './sceneTypes'

export type Token = 'safe' | 'board' | 'swim' | 'place' | 'sink' | 'deadly' | 'steps' | 'pick'

const TOKENS: Record<string, Token> = {
  walk: 'safe',
  enter_water: 'swim',
  swim: 'swim',
  swim_with_dolphin: 'swim',
  swim_by_dolphin: 'swim',
  dive: 'swim',
  embark: 'board',
  board: 'board',
  land: 'safe',
  place: 'place',
  put_ship: 'place',
  put_squid: 'place',
  sink: 'sink',
  move: 'steps',
  send: 'steps',
  drift: 'steps',
  wind: 'steps',
  sail: 'board',
  pick_ward: 'pick',
  pick_prey: 'pick',
  pick_boarding: 'pick',
  fetch: 'pick',
  guard: 'pick',
}

/** Others who would be lost, if the server says so. */
export const piecesLostBy = (choice: Choice): string[] => (Array.isArray(choice.hits) ? choice.hits.map(String) : [])

export function targetToken(choices: Choice[]): Token {
  const safe = choices.find((choice) => !choice.loses?.length && !piecesLostBy(choice).length)
  if (!safe) return 'deadly'
  return TOKENS[safe.verb] ?? 'pick'
}

/** A target's choices by token: what a touch of the space plays, and what the second, smaller token does. */
export function separateEnterWaterChoices(choices: Choice[]): { main: Choice[]; water: Choice[] } {
  const boards = choices.some((choice) => choice.verb === 'embark')
  const water = boards ? choices.filter((choice) => choice.verb === 'enter_water') : []
  return { main: choices.filter((choice) => !water.includes(choice)), water }
}
