// The texts about friends at one table without a server: loaded only where they are needed.
import { learn, teach, tongue } from './i18n.svelte'
import type { Language } from './settings.svelte'

const files = import.meta.glob<Record<string, string>>('../messages/together/*.json', { import: 'default' })

export async function learnPeerTexts(language: Language): Promise<void> {
  const [texts] = await Promise.all([files[`../messages/together/${language}.json`]!(), learn(language)])
  teach(language, { ...tongue('')[0], ...texts })
}
