// Which page is shown. Addresses are plain paths, so that links can be shared and the back button works.

export const route = $state({ path: location.pathname, query: location.search, hash: location.hash })

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  follow()
  if (!replace) scrollTo(0, 0)
}

function follow(): void {
  route.path = location.pathname
  route.query = location.search
  route.hash = location.hash
}

addEventListener('popstate', follow)

/** Links within the page change the page, without loading it anew. */
document.addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a')
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    link.target ||
    link.hasAttribute('download')
  )
    return
  if (link.origin !== location.origin || /^\/(api|docs|metrics)/.test(link.pathname)) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
})
