// A game's rules in the reader's language if there is a translation, otherwise in English.
import { get } from '../../lib/http'
import type { RuleInfo } from '../../lib/rest.generated'
import type { Language } from '../../lib/settings.svelte'

export interface Chapter {
  name: string
  anchor: string
  rules: RuleInfo[]
}
export interface Rulebook {
  chapters: Chapter[]
  ids: Set<string>
  /** Whether it is in the requested language. */
  translated: boolean
}

const fetched = new Map<string, Promise<RuleInfo[]>>()
function fetchRules(game: string, language: Language): Promise<RuleInfo[]> {
  const path = `/api/games/${game}/rules?language=${language}`
  let rules = fetched.get(path)
  if (!rules) {
    rules = get<RuleInfo[]>(path)
    rules.catch(() => fetched.delete(path))
    fetched.set(path, rules)
  }
  return rules
}

export async function loadRulebook(game: string, language: Language): Promise<Rulebook> {
  const [rules, english, general] = await Promise.all([
    fetchRules(game, language),
    fetchRules(game, 'en'),
    fetchRules('landfall', language).catch(() => []),
  ])
  const chapters: Chapter[] = []
  for (const rule of [...rules, ...general]) {
    const name = rule.chapter
      .replace(/^[A-Z]+ · /, '')
      .replaceAll('`', '')
      .replace(/ [(（].*$/, '')
    if (chapters.at(-1)?.name !== name) chapters.push({ name, anchor: `chapter-${chapters.length + 1}`, rules: [] })
    chapters.at(-1)!.rules.push({
      ...rule,
      text: rule.text.replace(/^\*\*[A-Z]{2}\.[A-Z]?\d+( [^*]*)?\*\*\s*/, (_, more: string | undefined) =>
        more ? `**${more.trim()}** ` : '',
      ),
    })
  }
  const translated = language === 'en' || rules.some((rule, i) => rule.text !== english[i]?.text)
  return { chapters, ids: new Set([...rules, ...general].map((rule) => rule.id)), translated }
}
