// What only people at a keyboard or with an assistive technology need is loaded with their first key, or with a click
// that no pointer made.

/** Whether one of them is here, and the key that showed it, until it is handled. */
export const keyboardUse: { begun: boolean; first: KeyboardEvent | null } = $state({ begun: false, first: null })

function noticeKeyboard(event: KeyboardEvent | MouseEvent): void {
  if (event instanceof MouseEvent && event.detail) return
  for (const kind of ['keydown', 'click'] as const) removeEventListener(kind, noticeKeyboard, true)
  keyboardUse.begun = true
  if (event instanceof KeyboardEvent) keyboardUse.first = event
  void import('./keyboardFocus').then(
    ({ keepFocus }) => keepFocus(),
    () => undefined,
  )
}

export function watchForKeyboard(): void {
  for (const kind of ['keydown', 'click'] as const) addEventListener(kind, noticeKeyboard, true)
}

/** Over what every page repeats, to what it is about. */
export function skipToContent(event: Event): void {
  event.preventDefault()
  void import('./keyboardFocus').then(({ focusContent }) => focusContent())
}
