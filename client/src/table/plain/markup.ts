// A terminal drawing as plain text, without its colours.

/** Text without Rich markup; `\[` is a bracket. */
export function stripMarkup(text: string): string {
  return text.replace(/\\\[|\[\/?(?:[a-z#@/][^[\]]*)?\]/gi, (found) => (found.startsWith('\\') ? '[' : ''))
}
