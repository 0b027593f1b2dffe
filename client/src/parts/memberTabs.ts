// The phone's tabs for somebody who is known.
import { t } from '../lib/i18n.svelte'

export interface Tab {
  to: string
  icon: string
  name: string
}

export const memberTabs = (): Tab[] => [
  { to: '/', icon: 'ui-sail', name: t('pages.play') },
  { to: '/lobby', icon: 'ui-friends', name: t('lobby.title') },
  { to: '/tournaments', icon: 'ui-cup', name: t('lobby.tournaments') },
  { to: '/learn', icon: 'ui-book', name: t('pages.learn') },
  { to: '/me', icon: 'ui-person', name: t('lobby.you') },
]
