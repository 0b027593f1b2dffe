// Portraits of players: chosen ones, asked for together and once, and those that follow from a name.
import { sendRequest, post } from './http'
import { STATIC_SITE } from './offline'
import type { PortraitBody, PortraitInfo } from './rest.generated'

export type Look = Pick<PortraitInfo, 'colour' | 'ground'>
export const COLOURS: PortraitBody['colour'][] = ['red', 'blue', 'green', 'yellow', 'orange', 'white', 'black']
export const GROUNDS: PortraitBody['ground'][] = ['sand', 'forest', 'rock', 'night', 'sea']
const MAX_NAMES = 64 // in one request
const chosen: Record<string, Look> = $state({})
const asked = new Set<string>()
let wanted: string[] = []
let saved: Promise<unknown> = Promise.resolve() // the last choice of one's own

/** The portrait that follows from a name. */
export function defaultPortrait(name: string): Look {
  const number = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, 7)
  return {
    colour: COLOURS[number % COLOURS.length]!,
    ground: GROUNDS[Math.floor(number / COLOURS.length) % GROUNDS.length]!,
  }
}

/** Somebody's portrait as it is known now; a chosen one comes later. */
export function knownPortraitOf(name: string): Look {
  if (name && !STATIC_SITE && !asked.has(name)) {
    asked.add(name)
    if (wanted.push(name) === 1) setTimeout(() => void fetchWantedPortraits())
  }
  return chosen[name] ?? defaultPortrait(name)
}

async function fetchWantedPortraits(): Promise<void> {
  const names = wanted
  wanted = []
  for (let i = 0; i < names.length; i += MAX_NAMES) {
    const some = names.slice(i, i + MAX_NAMES)
    const found = await post<PortraitInfo[]>('/api/portraits', { names: some }).catch(() => undefined)
    if (!found) for (const name of some) asked.delete(name) // the next page asks again
    for (const { name, colour, ground } of found ?? []) chosen[name] = { colour, ground }
  }
}

/** Choose one's own: shown at once, so that the next choice builds on it, and saved in the order of choosing. */
export async function saveOwnPortrait(name: string, look: Look): Promise<void> {
  const before = chosen[name]
  asked.add(name)
  chosen[name] = look
  const saving = (saved = saved.catch(() => undefined).then(() => sendRequest('PUT', '/api/me/portrait', look)))
  try {
    await saving
  } catch (error) {
    if (before) chosen[name] = before
    else delete chosen[name]
    throw error
  }
}
