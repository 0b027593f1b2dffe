// A terminal drawing as plain text, without its colours.

/** Text without Rich markup; `\[` is a bracket. */
export function stripMarkup(text: string): string {
  return text.replace(/\\\[|\[\/?(?:[a-z#@/][^[\]]*)?\]/gi, (found) => (found.startsWith('\\') ? '[' : ''))
}

/** A picture's own units: its view box, else its size, else a square. */
export interface PictureBox {
  x: number
  y: number
  width: number
  height: number
}

export function pictureBox(svg: string): PictureBox {
  const root = /<svg[^>]*>/.exec(svg)?.[0] ?? ''
  const [x = 0, y = 0, width = 0, height = 0] = (/viewBox=["']([^"']*)["']/.exec(root)?.[1] ?? '')
    .split(/[\s,]+/)
    .map(Number)
  if (width > 0 && height > 0) return { x, y, width, height }
  const size = (name: string): number => Number(new RegExp(`\\s${name}=["']([\\d.]+)`).exec(root)?.[1] ?? 0)
  return { x: 0, y: 0, width: size('width') || 100, height: size('height') || 100 }
}

/** Where a box of the picture lies on it. */
export function boxStyle([x = 0, y = 0, width = 0, height = 0]: number[], whole: PictureBox): string {
  const across = (n: number): number => (100 * n) / whole.width
  const down = (n: number): number => (100 * n) / whole.height
  return `left:${across(x - whole.x)}%;top:${down(y - whole.y)}%;width:${across(width)}%;height:${down(height)}%`
}
