// Why an option is unavailable: from the server's option data, in the server's sentences.
import { hasGameText, gameText } from '../lib/i18n.svelte'
import type { GameInfo, OptionInfo } from '../lib/gameAndBotCatalogue.svelte'

export type Values = Record<string, unknown>
export interface Reason {
  option: string
  key: string
  args: Record<string, unknown>
}

/** The part of a draft that an option's own form uses. */
export interface Drafted {
  info: GameInfo | undefined
  problems: Reason[]
  values: Values
  setOption(option: string, value: unknown): void
}

export function isOptionChanged(info: GameInfo, values: Values, name: string): boolean {
  const option = info.options.find((one) => one.name === name)
  return option !== undefined && (values[name] ?? option.default) !== option.default
}

/** The objections to switching an option on, with these players and the other options as they are. */
export function reasonsAgainstOption(info: GameInfo, players: number, values: Values, option: OptionInfo): Reason[] {
  const about = { option: option.name, rule: option.rule }
  const found: Reason[] = []
  if (option.players.length && !option.players.includes(players)) {
    found.push({
      option: option.name,
      key: 'option.players',
      args: { ...about, counts: option.players, players },
    })
  }
  for (const other of option.requires) {
    if (!isOptionChanged(info, values, other))
      found.push({ option: option.name, key: 'option.requires', args: { ...about, other } })
  }
  for (const other of info.options) {
    const clash = option.excludes.includes(other.name) || other.excludes.includes(option.name)
    if (clash && other.name !== option.name && isOptionChanged(info, values, other.name)) {
      found.push({ option: option.name, key: 'option.excludes', args: { ...about, other: other.name } })
    }
  }
  return found
}

/** An option's short name in the game's texts, otherwise its key. */
export function optionName(name: string, game: string): string {
  return hasGameText(game, `option.${name}.name`) ? gameText(game, `option.${name}.name`) : name.replaceAll('_', ' ')
}

/** The name of a value of an option that has more than two, by the same rule. */
export function optionValueName(value: string, option: string, game: string): string {
  const key = `option.${option}.${value}`
  return hasGameText(game, key) ? gameText(game, key) : value.replaceAll('_', ' ')
}

/** An option's effect in one sentence from the server, without repeating its name. */
export function optionEffectText(game: string, option: OptionInfo): string {
  if (!hasGameText(game, option.text)) return ''
  const text = gameText(game, option.text)
  const name = optionName(option.name, game).replace(/ ?[(（].*$/, '')
  const rest = text.startsWith(name) ? /^[!！:：]\s*(.+)$/.exec(text.slice(name.length))?.[1] : undefined
  return rest ? rest.charAt(0).toLocaleUpperCase() + rest.slice(1) : text
}

/** A reason as a sentence. */
export function reasonText(game: string, reason: Reason): string {
  const args = { ...reason.args }
  for (const slot of ['option', 'other']) if (typeof args[slot] === 'string') args[slot] = optionName(args[slot], game)
  return gameText(game, reason.key, args)
}
