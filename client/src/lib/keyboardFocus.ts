// The keyboard's focus: it is never lost, it goes to what is asked next, and on a new page to its heading.

/** What answers the question now, or chooses something for it: spaces, pieces, cards, buttons. */
const STOPS = '[data-lit], button[data-choice], [data-stop]'
/** A question's own card: it is asked before what else may be chosen. `only`: nothing else counts while it is open. */
const QUESTIONS = '[data-asks]'
/** Where somebody is who plays; anywhere else (the chat, a menu) a question does not take the focus. */
const PLAYED = '.stage, .acts, .slot, .banner, .column button'

const isThere = (one: Element): boolean =>
  one.isConnected &&
  !one.matches(':disabled') &&
  !one.closest('[inert], [hidden], dialog:not([open])') &&
  (one.checkVisibility?.({ visibilityProperty: true }) ?? true)
const isReachable = (one: Element): boolean =>
  (one.hasAttribute('tabindex') || one.matches('button, a[href], input, select, textarea, summary')) && isThere(one)

/** What can be chosen now, in the page's order. */
export function findStops(): HTMLElement[] {
  const open = document.querySelector('[data-asks=only]') ?? document
  return [...open.querySelectorAll<HTMLElement>(STOPS)].filter((one) => isReachable(one) && !one.closest('dialog'))
}

/** A question's card; the place of the board where the keyboard was last; otherwise the first. */
function firstStop(): HTMLElement | undefined {
  const stops = findStops()
  return (
    stops.find((one) => one.closest(QUESTIONS)) ??
    stops.find((one) => one.tabIndex === 0 && one.closest('.stage')) ??
    stops[0]
  )
}

/** Go to the next thing that can be chosen, or back; whether there is one. */
export function focusNextStop(back = false): boolean {
  const stops = findStops()
  const at = document.activeElement
  const here = stops.indexOf(at as HTMLElement)
  const lies = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
  const isBeyond = (one: Element): boolean => (at!.compareDocumentPosition(one) & lies) !== 0
  const next =
    here >= 0
      ? stops[(here + (back ? -1 : 1) + stops.length) % stops.length]
      : !at?.closest(PLAYED)
        ? firstStop()
        : ((back ? stops.findLast(isBeyond) : stops.find(isBeyond)) ?? stops.at(back ? -1 : 0))
  next?.focus()
  return next !== undefined
}

let trail: Element[] = [] // the focused element and what it stood in
let keyed = true // by key or assistive technology rather than by a pointer

function focusQuietly(one: HTMLElement | null | undefined): void {
  if (!one) return
  if (!isReachable(one)) one.tabIndex = -1
  one.focus({ preventScroll: !keyed })
}

/** To what is asked, or to the heading. */
export function focusContent(): void {
  const homes = ['.table .banner', 'main h1', 'h1', '#app'].flatMap((home) => [
    ...document.querySelectorAll<HTMLElement>(home),
  ])
  focusQuietly(firstStop() ?? homes.find(isThere))
}

/** What was focused is gone: to what is left around it, otherwise to the content. */
function focusRemains(): void {
  const around = trail.find((one) => one.isConnected && one !== document.body)
  const place = around?.closest('main, .table, dialog[open]')
  const left =
    place && around !== place && !place.matches('.table')
      ? [...around!.querySelectorAll<HTMLElement>('button, a, input, select, summary')].find(isReachable)
      : undefined
  if (left) focusQuietly(left)
  else focusContent()
}

function handleChanges(records: MutationRecord[]): void {
  const at = document.activeElement ?? document.body
  const lost = at === document.body ? trail.length > 0 && !isThere(trail[0]!) : !isThere(at)
  if (lost) return focusRemains()
  const asks = records.some(({ target }) => target instanceof HTMLElement && target.dataset.mine === 'true')
  if (asks && keyed && (at === document.body || at.closest(PLAYED))) {
    const asked = firstStop()
    if (asked && !findStops().includes(at as HTMLElement)) focusQuietly(asked)
  } else if (at.id === 'app' && document.querySelector('h1, .banner')) focusContent()
}

/** From now on the focus is kept. */
export function keepFocus(): void {
  const rememberFocus = (): void => {
    trail = []
    for (let one = document.activeElement; one && one !== document.body; one = one.parentElement) trail.push(one)
  }
  rememberFocus()
  addEventListener('focusin', rememberFocus, true)
  addEventListener('keydown', () => (keyed = true), true)
  addEventListener('click', (event: MouseEvent) => (keyed ||= !event.detail), true)
  addEventListener('pointerdown', () => (keyed = false), true)
  new MutationObserver(handleChanges).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-mine', 'disabled', 'inert'],
  })
}
