// Links that carry a description. It stands in the fragment, which no server sees.
import { pageLink } from './router.svelte'
import { STATIC_SITE } from './offline'

export function peerAddress(path: string, code: string): string {
  const to = pageLink(STATIC_SITE ? `${path}/${code}` : `${path}#${code}`)
  return new URL(to, location.href.replace(/#.*/, '')).href
}
