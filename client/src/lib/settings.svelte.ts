// The settings on this device, in the browser's storage.

import languages from '../../../src/landfall/core/languages.json'

declare const __TRANSLATED__: Record<string, number> // per cent of the texts, by language (vite.config.ts)

export type Language = keyof typeof languages
interface LanguageEntry {
  name: string
  tag: string
  /** The tags of readers who are asked, in their own script, before they get it. */
  asks?: string[]
  question?: string
}
export const LANGUAGES: Record<Language, LanguageEntry> = languages
export const SOURCE_LANGUAGE = 'en'
export const TAGS = Object.fromEntries(Object.entries(LANGUAGES).map(([code, { tag }]) => [code, tag])) as Record<
  Language,
  string
>
const translatedPercent = (language: Language): number => __TRANSLATED__[language] ?? 0

/** The languages that a reader's texts are in: what one in progress lacks is said in English. */
export const spokenLanguages = (language: Language): Language[] =>
  translatedPercent(language) < 100 ? [SOURCE_LANGUAGE, language] : [language]

/** A language as menus list it; what is in progress says how far it is. */
export function languageTitle(language: Language): string {
  const done = translatedPercent(language)
  const share = new Intl.NumberFormat(TAGS[language], { style: 'percent' })
  return LANGUAGES[language].name + (done < 100 ? ` (${share.format(done / 100)})` : '')
}

export interface Settings {
  language: Language
  /** A language that the reader's browser is near to, and that asks them first; '' once they have answered. */
  offered: Language | ''
  theme: 'system' | 'light' | 'dark'
  sound: boolean
  speed: 'slow' | 'normal' | 'fast' | 'none'
  patterns: boolean
  confirm: boolean
  /** Whether what others say at a table is hidden. */
  quiet: boolean
  /** Coordinates at a board's rim and under the pointer. */
  coordinates: boolean
  /** Ask in Atlantis, each turn after the tile is taken, whether to lay the bridge. */
  askBridge: boolean
  /** Whether what others did is summarized at the beginning of a turn, and the first tables, where it always is. */
  recap: boolean
  recapTables: string[]
}

const KEY = 'landfall.settings'

/** The first of ours that a browser prefers, and one that it would have been, had it not to ask first. */
export function chooseLanguage(tags: readonly string[]): { language: Language; offered: Language | '' } {
  let offered: Language | '' = ''
  for (const tag of tags) {
    const code = tag.slice(0, 2).toLowerCase() as Language
    const asks = LANGUAGES[code]?.asks?.some((one) => tag.toLowerCase().startsWith(one.toLowerCase()))
    if (asks) offered ||= code
    else if (code in LANGUAGES) return { language: code, offered }
  }
  return { language: SOURCE_LANGUAGE, offered }
}

function readStoredSettings(): Settings {
  const plain: Settings = {
    ...chooseLanguage(navigator.languages ?? [navigator.language]),
    theme: 'system',
    sound: true,
    speed: 'normal',
    patterns: false,
    confirm: true,
    quiet: false,
    coordinates: false,
    askBridge: false,
    recap: true,
    recapTables: [],
  }
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
    if (kept.language && !(kept.language in LANGUAGES)) delete kept.language
    return { ...plain, ...kept }
  } catch {
    return plain
  }
}

export const settings: Settings = $state(readStoredSettings())

let known = '' // the storage's content, as last read by this page

// Settings apply to all open pages of this browser; null: all was cleared. What was read is not written back: another
// page may have changed more since.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return
  Object.assign(settings, readStoredSettings())
  known = JSON.stringify(settings)
})

/** Store the settings and apply them to the page. */
export function storeAndApplySettings(): void {
  const now = JSON.stringify(settings)
  try {
    if (now !== known) localStorage.setItem(KEY, now)
    known = now
  } catch {
    // works without storage, too
  }
  const root = document.documentElement
  root.lang = TAGS[settings.language]
  if (settings.theme === 'system') delete root.dataset.theme
  else root.dataset.theme = settings.theme
  root.dataset.patterns = settings.patterns ? 'on' : 'off'
}

export const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/** The current animation's share of its usual time: everything that moves follows it. */
export const animationTime = $state({ share: 1 })

/** The duration factor of animations; 0 shows only the end. */
export function animationTimeFactor(): number {
  return settingsTimeFactor() * animationTime.share
}
/** The factor of the settings, independent of the current animation. */
export function settingsTimeFactor(): number {
  if (stillness.matches) return 0
  return { slow: 1.5, normal: 0.75, fast: 0.4, none: 0 }[settings.speed]
}
