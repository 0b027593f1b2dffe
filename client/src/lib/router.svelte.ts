// The current page. Addresses are plain paths, so that links can be shared and the back button works; on a static site
// they stand behind a #.
import { requestOffline, isOfflineTable, STATIC_SITE } from './offline'

/** The current page's address. */
const currentUrl = (): URL =>
  STATIC_SITE ? new URL(location.hash.slice(1) || '/', location.origin) : new URL(location.href)
/** The link to a page. */
export const pageHref = (to: string): string => (STATIC_SITE ? `#${to}` : to)

const { pathname: path, search: query, hash } = currentUrl()
export const route = $state({ path, query, hash })

export function navigateTo(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', pageHref(to))
  else history.pushState(null, '', pageHref(to))
  updateRoute()
  if (!replace) scrollTo(0, 0)
}

function updateRoute(): void {
  const { pathname: path, search: query, hash } = currentUrl()
  route.path = path
  route.query = query
  route.hash = hash
}

addEventListener('popstate', updateRoute)

/** Save the record of an offline table as a file. */
async function saveOfflineRecord(table: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await (await requestOffline('GET', `/api/tables/${table}/record`)).blob())
  link.download = `${table.slice(0, 13)}.landfall`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Links within the app change the page without loading it again. */
document.addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a')
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    link.target
  )
    return
  const record = /^\/api\/tables\/([\w-]+)\/record$/.exec(link.pathname)
  if (record && isOfflineTable(record[1]!)) {
    event.preventDefault()
    return void saveOfflineRecord(record[1]!)
  }
  if (link.hasAttribute('download')) return
  if (link.origin !== location.origin || /^\/(api|docs|metrics)/.test(link.pathname)) return
  event.preventDefault()
  navigateTo(link.pathname + link.search + link.hash)
})
