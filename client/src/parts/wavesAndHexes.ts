// Shapes of drawn scenes: little waves, and where the hexes of an island lie.

/** A deterministic pseudo-random generator. */
export function seededRandom(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let x = Math.imul(a ^ (a >>> 15), 1 | a)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296
  }
}

/** Little waves strewn over a rectangle, as three paths from faint to clear. They grow towards the front. */
export function wavePaths(
  box: [number, number, number, number],
  count: number,
  seed: number,
  keep: (x: number, y: number) => boolean = () => true,
): string[] {
  const [x0, x1, y0, y1] = box
  const roll = seededRandom(seed)
  const paths = ['', '', '']
  const seen: [number, number][] = []
  for (let i = 0; i < count; i++) {
    const x = x0 + roll() * (x1 - x0)
    const y = y0 + roll() * (y1 - y0)
    const k = 0.6 + (0.9 * (y - y0)) / (y1 - y0)
    const shade = Math.floor(roll() * 3)
    if (!keep(x, y) || seen.some(([a, b]) => Math.abs(x - a) < 46 * k && Math.abs(y - b) < 16)) continue
    seen.push([x, y])
    const n = (v: number): string => (v * k).toFixed(1)
    paths[shade] +=
      `M${(x - 16 * k).toFixed(0)} ${y.toFixed(0)}c${n(3.5)}-${n(3.6)} ${n(7)}-${n(3.6)} ${n(10.5)} 0s${n(7)} ${n(3.6)} ${n(10.5)} 0 ${n(7)}-${n(3.6)} ${n(10.5)} 0`
  }
  return paths
}

export type Terrain = 'beach' | 'forest' | 'forest-2' | 'mountain'
export const HEIGHT: Record<Terrain, number> = { beach: 7, forest: 14, 'forest-2': 14, mountain: 18 }
export const HEX = 'M0-36 36-18V18L0 36-36 18V-18Z'

/** Where a hex's centre is drawn, rows seen from the side. */
export function hexCentre(q: number, r: number): [number, number] {
  return [72.75 * (q + r / 2), 54.2 * r]
}
