// The game's terminal drawing as plain text, without its colours; and boxes on its SVG picture.

/** Text without Rich markup; `\[` is a bracket. */
export function stripRichMarkup(text: string): string {
  return text.replace(/\\\[|\[\/?(?:[a-z#@/][^[\]]*)?\]/gi, (found) => (found.startsWith('\\') ? '[' : ''))
}

/** A picture's own units: its view box, else its size, else a square. */
export interface PictureBox {
  x: number
  y: number
  width: number
  height: number
}

export function parsePictureBox(svg: string): PictureBox {
  const root = /<svg[^>]*>/.exec(svg)?.[0] ?? ''
  const [x = 0, y = 0, width = 0, height = 0] = (/viewBox=["']([^"']*)["']/.exec(root)?.[1] ?? '')
    .split(/[\s,]+/)
    .map(Number)
  if (width > 0 && height > 0) return { x, y, width, height }
  const numericAttribute = (name: string): number => Number(new RegExp(`\\s${name}=["']([\\d.]+)`).exec(root)?.[1] ?? 0)
  return { x: 0, y: 0, width: numericAttribute('width') || 100, height: numericAttribute('height') || 100 }
}

/** Where a box of the picture lies on it. */
export function overlayStyle([x = 0, y = 0, width = 0, height = 0]: number[], whole: PictureBox): string {
  const percentOfWidth = (n: number): number => (100 * n) / whole.width
  const percentOfHeight = (n: number): number => (100 * n) / whole.height
  return `left:${percentOfWidth(x - whole.x)}%;top:${percentOfHeight(y - whole.y)}%;width:${percentOfWidth(width)}%;height:${percentOfHeight(height)}%`
}
