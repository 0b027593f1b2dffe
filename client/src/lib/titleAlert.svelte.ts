// The page's title and icon announce one's turn in a background tab.

/** Call inside a component; `title` is the page's title, `calls` the text while it is one's turn. */
export function useTitleAlert(title: () => string, calls: () => string | null): void {
  let hidden = $state(document.hidden)
  $effect(() => {
    const updateHidden = (): void => void (hidden = document.hidden)
    document.addEventListener('visibilitychange', updateHidden)
    return () => document.removeEventListener('visibilitychange', updateHidden)
  })
  $effect(() => {
    const call = hidden ? calls() : null
    document.title = call ? `● ${call} – ${title()}` : title()
    setPageIcon(call ? 'icon-turn.svg' : 'icon.svg')
  })
  $effect(() => () => {
    document.title = 'Landfall'
    setPageIcon('icon.svg')
  })
}

function setPageIcon(name: string): void {
  const href = import.meta.env.BASE_URL + name
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link && link.getAttribute('href') !== href) link.href = href
}
