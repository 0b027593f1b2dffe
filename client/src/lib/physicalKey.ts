// Keys by position: a letter's key is the same on every layout, Cyrillic ones too.

/** The letter of a key; for keys without one, the character it types. */
export function letterOfKeyPress(press: KeyboardEvent): string {
  return press.code.startsWith('Key') ? press.code.slice(3) : press.key.toUpperCase()
}
