// Every text for people: the client's own (messages/) and the games' (from the server), in the chosen language.
// Texts in messages/lazy/PART load with the pages that use them: a page's row in App.svelte names its parts. Those in
// games/GAME/messages load with the game's UI, those in
// games/GAME/spoken with the first key.
import { untrack } from 'svelte'
import { fetchResponse } from './http'
import { settings, spokenLanguages, TAGS, type Language } from './settings.svelte'
import { chooseForm, formatNumber, parseTemplate, templateArgumentNames } from './textTemplate'

type Catalogue = Record<string, string>
export type Arguments = Record<string, unknown>
/** A piece of a sentence; names and the game's words are strong. */
export interface Piece {
  text: string
  strong: boolean
  /** The spaces it stands for: from where to where, or only one. */
  places?: string[]
}

const own = import.meta.glob<{ default: Catalogue }>('../messages/*.ts')
const lazy = import.meta.glob<Catalogue>(['../messages/lazy/*/*.json', '../games/*/{messages,spoken}/*.json'], {
  import: 'default',
})
const parts = new Set(['']) // the folders of the lazy parts in use; '' is what every page has
const present = new Set<string>() // "messages/lazy/pair/en": texts that are loaded
const loaded: Record<string, Catalogue> = $state({}) // "en" is the client's own, "en/survive" a game's
// the language in use at home and in each game, until the new one has loaded
const spoken: Record<string, Language> = {}

/** Load a language, for the client or for a game. */
export async function loadLanguage(language: Language, game = ''): Promise<void> {
  if (!game) return loadClientTexts(language)
  const name = `${language}/${game}`
  if (loaded[name]) return
  for (let wait = 500; ; wait = Math.min(2 * wait, 8000)) {
    const answer = await fetchResponse('GET', `/api/games/${game}/texts/${language}`).catch(() => undefined)
    if (answer?.ok) {
      loaded[name] = (await answer.json()) as Catalogue
      return
    }
    if (answer?.status === 404) return
    await new Promise((done) => setTimeout(done, wait))
  }
}

async function loadClientTexts(language: Language): Promise<void> {
  const missing = [...parts].filter((part) => !present.has(`${part}/${language}`))
  if (!missing.length) return
  const importTextPart = async (part: string, tongue: string): Promise<Catalogue | undefined> =>
    part ? lazy[`../${part}/${tongue}.json`]?.() : (await own[`../messages/${tongue}.ts`]?.())?.default
  const found = await Promise.all(
    spokenLanguages(language).flatMap((tongue) => missing.map((part) => importTextPart(part, tongue))),
  )
  for (const part of missing) present.add(`${part}/${language}`)
  loaded[language] = Object.assign(
    {},
    ...found.slice(0, -missing.length),
    loaded[language],
    ...found.slice(-missing.length),
  ) as Catalogue
}

/** Load a lazy part of the texts, in the language of now and of later. */
export const loadTextPart = (part: string): Promise<void> => loadTextFolder(`messages/lazy/${part}`)

/** Load what the client's UI of a game says; nothing if it has none. */
export const loadGameMessages = (game: string): Promise<void> => loadTextFolder(`games/${game}/messages`)

/** Load what a game says to those who hear it, and the names of its keys. */
export const loadSpokenTexts = (game: string): Promise<void> => loadTextFolder(`games/${game}/spoken`)

function loadTextFolder(folder: string): Promise<void> {
  if (`../${folder}/en.json` in lazy) parts.add(folder)
  return untrack(() => loadClientTexts(settings.language))
}

/** Set a catalogue directly. */
export function setCatalogue(name: string, catalogue: Catalogue): void {
  loaded[name] = catalogue
}

function currentCatalogue(game = ''): Catalogue {
  const catalogueName = (language: Language): string => (game ? `${language}/${game}` : language)
  const wanted = loaded[catalogueName(settings.language)]
  if (wanted) {
    spoken[game] = settings.language
    return wanted
  }
  const before = spoken[game]
  return (before && loaded[catalogueName(before)]) || {}
}

/** A game's current catalogues; a new array means new texts. */
export function clientAndGameCatalogues(game: string): Catalogue[] {
  return [currentCatalogue(), currentCatalogue(game)]
}

function fillTemplate(
  text: string,
  args: Arguments,
  find: (key: string) => string | undefined,
  names: string[],
  number = '#',
): Piece[] {
  const formatArgument = (kind: string, value: unknown): string => {
    if (Array.isArray(value)) return joinWords(value.map((one) => formatArgument(kind, one)))
    if (kind === 'seat' && typeof value === 'number' && names[value] !== undefined) return names[value]!
    return (kind ? (find(`${kind}.${value}`) ?? find(`term.${value}`)) : undefined) ?? formatValue(value)
  }
  return parseTemplate(text).flatMap((part): Piece[] => {
    if (typeof part === 'string') return part ? [{ text: part.replaceAll('#', number), strong: false }] : []
    const { name, kind, choice } = part
    if (!(name in args)) return [{ text: `{${name}${kind && ':'}${kind}}`, strong: false }]
    if (!choice) return [{ text: formatArgument(kind, args[name]), strong: kind === 'seat' || kind === 'term' }]
    const shown = choice === 'plural' ? formatValue(args[name]) : number
    return fillTemplate(chooseForm(part, TAGS[settings.language], args[name]), args, find, names, shown)
  })
}

const formatValue = (value: unknown): string =>
  typeof value === 'number' ? formatNumber(TAGS[settings.language], value) : String(value)

const joinPieces = (splitPieces: Piece[]): string => splitPieces.map((piece) => piece.text).join('')

/** One of the client's own sentences. */
export function t(key: string, args: Arguments = {}): string {
  const words = currentCatalogue()
  const text = words[key]
  return text === undefined ? key : joinPieces(fillTemplate(text, args, (k) => words[k], []))
}

/** One of a game's sentences; `names` are the players' by seat. */
export function gameText(game: string, key: string, args: Arguments = {}, names: string[] = []): string {
  return joinPieces(gameTextPieces(game, key, args, names))
}

/** The same in pieces, so that names can be strong. */
export function gameTextPieces(game: string, key: string, args: Arguments = {}, names: string[] = []): Piece[] {
  const words = currentCatalogue(game)
  const text = words[key]
  return text === undefined ? [{ text: key, strong: false }] : fillTemplate(text, args, (k) => words[k], names)
}

/** Words one after another, with the language's comma. */
export function joinWords(words: (string | number)[]): string {
  return words.join(currentCatalogue()['list.comma'] ?? ', ')
}

/** Names as a part of a sentence: "Ana, Bo and Cy". */
export function joinNames(names: string[]): string {
  return new Intl.ListFormat(TAGS[settings.language], { type: 'conjunction' }).format(names)
}

/** Sentences one after another; a part without an end gets a full stop. */
export function joinSentences(parts: string[]): string {
  const ended = parts.filter(Boolean).map((part) => (/[.!?…。！？]$/.test(part) ? part : t('list.stop', { part })))
  return ended.length ? ended.reduce((a, b) => t('list.sentences', { a, b })) : ''
}

/** Words for places, marked for `splitMarkedText`. */
export const wrapInPlaceMarkup = (words: string, places: string[]): string => `[[${places.join(' ')}|${words}]]`

const MARKED = /\*\*(.+?)\*\*|\[\[([^|\]]*)\|(.+?)\]\]/g

/** A phrase as the beginning of a sentence. */
export const capitaliseFirst = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(TAGS[settings.language]) + text.slice(1)

/** Split a sentence at its **strong** words and at its places. */
export function splitMarkedText(text: string): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const match of text.matchAll(MARKED)) {
    const [whole, strong, places, words] = match
    if (match.index > at) found.push({ text: text.slice(at, match.index), strong: false })
    if (strong !== undefined) found.push({ text: strong, strong: true })
    else found.push({ text: words!, strong: false, places: places!.split(' ') })
    at = match.index + whole.length
  }
  if (at < text.length) found.push({ text: text.slice(at), strong: false })
  return found
}

/** Whether a game has a sentence with that key. */
export function hasGameText(game: string, key: string): boolean {
  return currentCatalogue(game)[key] !== undefined
}

/** Whether the client has a sentence with that key. */
export function hasClientText(key: string): boolean {
  return currentCatalogue()[key] !== undefined
}

/** The sentence for an event: to the reader about their own, or the one with the private part, if it has all of it. */
export function eventTextKey(game: string, event: Arguments & { kind: string }, reader = false): string {
  if (reader && hasGameText(game, `you.${event.kind}`)) return `you.${event.kind}`
  const key = `event.${event.kind}`
  const full = currentCatalogue(game)[`${key}.known`]
  if (full === undefined) return key
  return templateArgumentNames(full).every((name) => name in event) ? `${key}.known` : key
}
