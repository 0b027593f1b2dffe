// Sentences with slots, in the syntax of ICU's messages; src/landfall/core/text_template.py says how they are written.

export interface Slot {
  name: string
  kind: string
  choice: string
  forms: Record<string, string>
}

const SLOT = /^(\w+)(?::(\w+)|, (plural|select),([^]*))?$/

/** The parts outside and inside the outermost braces, in turn. */
function splitAtBraces(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    const outermost = depth === (letter === '{' ? 0 : 1)
    if (letter === '{') depth++
    if (letter === '}') depth--
    if ((letter === '{' || letter === '}') && outermost) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

function parseSlot(inside: string): Slot | undefined {
  const found = SLOT.exec(inside)
  if (!found) return undefined
  const [, name = '', kind = '', choice = '', rest = ''] = found
  const parts = splitAtBraces(rest)
  const forms: Record<string, string> = {}
  for (let at = 0; at + 1 < parts.length; at += 2) forms[parts[at]!.trim()] = parts[at + 1]!
  return { name, kind, choice, forms }
}

/** A template's words and slots; what is no slot stays as it is. */
export const parseTemplate = (text: string): (string | Slot)[] =>
  splitAtBraces(text).map((part, at) => (at % 2 ? (parseSlot(part) ?? `{${part}}`) : part))

/** The form that a value asks for in the language of a tag. */
export function chooseForm({ choice, forms }: Slot, tag: string, value: unknown): string {
  const wanted = choice === 'plural' && typeof value === 'number' ? new Intl.PluralRules(tag).select(value) : `${value}`
  return (choice === 'plural' ? forms[`=${value}`] : undefined) ?? forms[wanted] ?? forms.other ?? ''
}

/** A number as the language of a tag writes it. */
export const formatNumber = (tag: string, value: number): string => value.toLocaleString(tag, { useGrouping: 'always' })

/** All arguments that a template names, those inside forms too. */
export const templateArgumentNames = (text: string): string[] =>
  parseTemplate(text).flatMap((part) =>
    typeof part === 'string' ? [] : [part.name, ...Object.values(part.forms).flatMap(templateArgumentNames)],
  )
