// A terminal's drawing as plain text: its colours are for terminals.

/** Text without Rich's marks; `\[` is a bracket. */
export function stripMarkup(text: string): string {
  return text.replace(/\\\[|\[\/?(?:[a-z#@/][^[\]]*)?\]/gi, (found) => (found.startsWith('\\') ? '[' : ''))
}
