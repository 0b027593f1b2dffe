// The page's title and icon announce one's turn in a background tab.

/** Call inside a component; `title` is the page's title, `calls` the text while it is one's turn. */
export function useTitleAlert(title: () => string, calls: () => string | null): void {
  let hidden = $state(document.hidden)
  $effect(() => {
    const look = (): void => void (hidden = document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  })
  $effect(() => {
    const call = hidden ? calls() : null
    document.title = call ? `● ${call} – ${title()}` : title()
    picture(call ? 'icon-turn.svg' : 'icon.svg')
  })
  $effect(() => () => {
    document.title = 'Landfall'
    picture('icon.svg')
  })
}

function picture(name: string): void {
  const href = import.meta.env.BASE_URL + name
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link && link.getAttribute('href') !== href) link.href = href
}
