// Links that carry a description. It stands in the fragment, which no server sees.
import { pageHref } from './router.svelte'
import { STATIC_SITE } from './offline'

export function peerInviteUrl(path: string, code: string): string {
  const to = pageHref(STATIC_SITE ? `${path}/${code}` : `${path}#${code}`)
  return new URL(to, location.href.replace(/#.*/, '')).href
}
