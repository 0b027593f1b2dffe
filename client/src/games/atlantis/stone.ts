// The path's stones: each has its own corners, and the nearer to Atlantis the older it is.
import { POSITIONS } from './board.generated'

const CORNERS = 10
const ROUNDNESS = 0.46 // of the corners: 1 is an ellipse, 0 a rectangle

/** A deterministic number from 0 to 1. */
function chance(position: number, salt: number): number {
  let mixed = Math.imul((position * 7919 + salt * 104729 + 17) ^ 0x9e3779b9, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296
}

/** An outline with uneven corners; `scale` and `dy` place it. */
function outline(position: number, width: number, height: number, uneven: number) {
  const corners = Array.from({ length: CORNERS }, (_, i) => {
    const angle = ((i + 0.5) / CORNERS) * Math.PI * 2
    const reach = (value: number, far: number, salt: number): number =>
      Math.sign(value) * Math.abs(value) ** ROUNDNESS * far * (1 - uneven * chance(position, i + salt))
    return [reach(Math.cos(angle), width, 40), reach(Math.sin(angle), height, 60)] as const
  })
  return (dy: number, scale = 1): string =>
    `M${corners.map(([x, y]) => `${(x * scale).toFixed(1)},${(y * scale + dy).toFixed(1)}`).join(' ')}Z`
}

export interface Stone {
  top: (dy: number, scale?: number) => string
  inlay: (dy: number, scale?: number) => string
  base: (dy: number, scale?: number) => string
  /** SVG paths where it is old. */
  crack: string
  moss: string
}

const CRACKS = ['M-26-9-18-5-20 1-14 6', 'M25 4 18 1 16-5 20-12']
const AGE_OF = { crack: 0.45, moss: 0.3 } // from these ages on, of 1

function makeStone(position: number): Stone {
  const age = 1 - position / POSITIONS + (chance(position, 9) - 0.5) * 0.5
  return {
    top: outline(position, 27.5, 22, 0.11),
    inlay: outline(position, 22.8, 17.3, 0.06),
    base: outline(position + 500, 29, 23, 0.12),
    crack: age > AGE_OF.crack ? CRACKS[chance(position, 11) > 0.5 ? 0 : 1]! : '',
    moss: age > AGE_OF.moss ? `M${(-24 + chance(position, 13) * 20).toFixed(1)} 10q4 7 9 2t9 1` : '',
  }
}
const STONES = Array.from({ length: POSITIONS + 1 }, (_, position) => makeStone(position))
export const stoneAt = (position: number): Stone => STONES[position]!
