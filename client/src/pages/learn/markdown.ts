// The Markdown subset of the rules, parsed into plain data: nothing in it can become markup.

export type Span = { text: string; mark?: 'bold' | 'code' }
export type Block =
  | { kind: 'text'; spans: Span[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }

export function parseSpans(text: string): Span[] {
  const found: Span[] = []
  for (const piece of text.split(/(\*\*[^*]+\*\*|`[^`]+`)/)) {
    if (!piece) continue
    if (piece.startsWith('**') && piece.length > 4) found.push({ text: piece.slice(2, -2), mark: 'bold' })
    else if (piece.startsWith('`') && piece.length > 2) found.push({ text: piece.slice(1, -1), mark: 'code' })
    else found.push({ text: piece })
  }
  return found
}

const parseTableCells = (line: string): Span[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => parseSpans(cell.trim()))

export function parseBlocks(text: string): Block[] {
  // lines after a rule's first are indented by two
  const lines = text.split('\n').map((line, i) => (i && line.startsWith('  ') ? line.slice(2) : line))
  const found: Block[] = []
  let at = 0
  const takeLinesWhile = (test: RegExp): string[] => {
    const taken: string[] = []
    while (at < lines.length && test.test(lines[at]!)) taken.push(lines[at++]!)
    return taken
  }
  while (at < lines.length) {
    const line = lines[at]!
    if (!line.trim()) at++
    else if (/^```/.test(line)) {
      at++
      found.push({ kind: 'code', text: takeLinesWhile(/^(?!```)/).join('\n') })
      at++
    } else if (/^ {4}/.test(line)) {
      const code = takeLinesWhile(/^( {4}|\s*$)/)
      found.push({
        kind: 'code',
        text: code
          .map((one) => one.slice(4))
          .join('\n')
          .trimEnd(),
      })
    } else if (/^\s*\|/.test(line)) {
      const table = takeLinesWhile(/^\s*\|/)
      const rows = table.filter((one) => !/^[\s|:-]+$/.test(one)).map(parseTableCells)
      found.push({ kind: 'table', head: rows[0] ?? [], rows: rows.slice(1) })
    } else if (/^\s*(-|\d+\.) /.test(line)) {
      const ordered = /^\s*\d/.test(line)
      const items: string[] = []
      while (at < lines.length && lines[at]!.trim()) {
        if (/^\s*(-|\d+\.) /.test(lines[at]!)) items.push(lines[at]!.replace(/^\s*(-|\d+\.) /, ''))
        else items[items.length - 1] += ` ${lines[at]!.trim()}`
        at++
      }
      found.push({ kind: 'list', ordered, items: items.map(parseSpans) })
    } else {
      const words: string[] = []
      while (at < lines.length && lines[at]!.trim() && !/^\s*(\||- |\d+\. |```)/.test(words.length ? lines[at]! : ''))
        words.push(lines[at++]!.trim())
      found.push({ kind: 'text', spans: parseSpans(words.join(' ')) })
    }
  }
  return found
}
