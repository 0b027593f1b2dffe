// Every sentence a person reads: the client's own (messages/) and the games' (from the server), in the chosen language.
import { settings, type Language } from './settings.svelte'

type Catalogue = Record<string, string>
export type Arguments = Record<string, unknown>

const own = import.meta.glob<{ default: Catalogue }>('../messages/*.ts')
const loaded: Record<string, Catalogue> = $state({}) // "en" is the client's own, "en/survive" a game's
const SLOT = /\{(\w+)(?::(\w+))?((?:\|[^{}|]*)*)\}/g

/** Fetch what is needed to speak a language, at home or in a game. */
export async function learn(language: Language, game = ''): Promise<void> {
  const name = game ? `${language}/${game}` : language
  if (loaded[name]) return
  if (!game) {
    loaded[name] = (await own[`../messages/${language}.ts`]!()).default
    return
  }
  const answer = await fetch(`/api/games/${game}/texts/${language}`)
  if (answer.ok) loaded[name] = (await answer.json()) as Catalogue
}

function fill(text: string, args: Arguments, find: (key: string) => string | undefined, names: string[]): string {
  const word = (kind: string, value: unknown): string => {
    if (Array.isArray(value)) return value.map((one) => word(kind, one)).join(', ')
    if (kind === 'seat' && typeof value === 'number' && names[value] !== undefined) return names[value]!
    return (kind ? find(`${kind}.${value}`) : undefined) ?? String(value)
  }
  return text.replace(SLOT, (whole, name: string, kind: string | undefined, forms: string) => {
    if (!(name in args)) return whole
    if (forms) {
      const [one, many] = forms.slice(1).split('|')
      return (args[name] === 1 || many === undefined ? one : many) ?? ''
    }
    return word(kind ?? '', args[name])
  })
}

/** One of the client's own sentences. */
export function t(key: string, args: Arguments = {}): string {
  const catalogue = loaded[settings.language] ?? {}
  const text = catalogue[key]
  return text === undefined ? key : fill(text, args, (k) => catalogue[k], [])
}

/** One of a game's sentences; `names` are the players' by seat. */
export function say(game: string, key: string, args: Arguments = {}, names: string[] = []): string {
  const catalogue = loaded[`${settings.language}/${game}`] ?? {}
  const text = catalogue[key]
  return text === undefined ? key : fill(text, args, (k) => catalogue[k], names)
}

/** Whether a game has a sentence of that key. */
export function known(game: string, key: string): boolean {
  return (loaded[`${settings.language}/${game}`] ?? {})[key] !== undefined
}
