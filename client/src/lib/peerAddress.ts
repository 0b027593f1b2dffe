// Links that carry a description. It stands in the fragment, which no server sees.
import { address } from './router.svelte'
import { STATIC_SITE } from './offline'

export function peerAddress(path: string, code: string): string {
  const to = address(STATIC_SITE ? `${path}/${code}` : `${path}#${code}`)
  return new URL(to, location.href.replace(/#.*/, '')).href
}
