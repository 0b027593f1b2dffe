// The settings on this device, in the browser's storage.

export const LANGUAGES = { en: 'English', pt: 'Português do Brasil', zh: '简体中文', bg: 'Български' } as const
export type Language = keyof typeof LANGUAGES
export const TAGS: Record<Language, string> = { en: 'en-GB', pt: 'pt-BR', zh: 'zh-Hans', bg: 'bg' }

export interface Settings {
  language: Language
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

function browserLanguage(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const code = tag.slice(0, 2).toLowerCase()
    if (code in LANGUAGES) return code as Language
  }
  return 'en'
}

function readStoredSettings(): Settings {
  const plain: Settings = {
    language: browserLanguage(),
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
