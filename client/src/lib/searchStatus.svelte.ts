// Whether a search for a table may be going on: the app loads the lobby only then.
export const SEARCH_KEY = 'landfall-search'

function readStoredSearching(): boolean {
  try {
    return (JSON.parse(localStorage.getItem(SEARCH_KEY) ?? '{}') as { looking?: boolean }).looking ?? false
  } catch {
    return false
  }
}

export const searching = $state({ active: readStoredSearching() })
