// Keys by where they lie: a letter's key is the same on every layout, Cyrillic ones too.

/** The letter of a key; of one that has none, what it writes. */
export function letterOf(press: KeyboardEvent): string {
  return press.code.startsWith('Key') ? press.code.slice(3) : press.key.toUpperCase()
}
