// A net's layers in plain code for a browser's Python, which has no numpy: the same as src/landfall/bots/value_net.py
// with the same file, within 1e-5 (tests/offline/test_browser_nets.py). Rows of a game's features in, win probabilities
// and points out.

/** Maps a layout's columns to a net's inputs: src/landfall/offline/browser_nets.py. */
export interface Plan {
  size: number // bytes of a row
  seats: number
  kinds: number[]
  counts: number[]
  kindFirst: number[]
  kindWidth: number
  countScale: number[]
  seatAt: number
  seatWide: number
  seatColumns: number[] // those of a seat's bytes that the net reads
  seatScale: number[]
  pieces: number // of every seat
  pieceAt: number
  pieceWide: number
  pieceColumns: number[]
  pieceFirst: number[]
  worths: number[] // empty: the game does not save pieces
  banked: number
  summed: number // what a sum over a seat's pieces is weighed with
  leaning: number
}

/** An array of the file: its type, `f2` or `f4`; whether it is in column order; its shape; its bytes. */
export type Stored = [kind: string, columns: boolean, shape: number[], bytes: Uint8Array]

interface Layer {
  wide: number // number of outputs
  weight: Float32Array // row by row: each input's weights for all outputs
  bias: Float32Array
}

interface Piece {
  out: Float64Array
  worth: number // points it may bring
}

const ABSENT = -30 // initial logit of an absent seat
const REMEMBERED = 4000 // pieces cached: the same ones recur

function decodeHalfFloat(bits: number): number {
  const size = (bits >> 10) & 31
  const rest = bits & 1023
  const value = size === 0 ? rest * 2 ** -24 : (1024 + rest) * 2 ** (size - 25)
  return bits & 32768 ? -value : value
}

/** The numbers of an array, row by row. */
function toFloatArray([kind, columns, shape, bytes]: Stored): Float32Array {
  const apart = bytes.slice() // aligned copy
  const read = kind === 'f2' ? Float32Array.from(new Uint16Array(apart.buffer), decodeHalfFloat) : new Float32Array(apart.buffer)
  if (!columns || shape.length < 2) return read
  const [rows, wide] = shape as [number, number]
  return read.map((_, i) => read[(i % wide) * rows + Math.floor(i / wide)]!)
}

/** Add one input's contribution to all outputs. */
function addInputContribution(out: Float64Array, layer: Layer, at: number, by: number): void {
  const first = at * layer.wide
  for (let j = 0; j < layer.wide; j++) out[j]! += by * layer.weight[first + j]!
}

/** The output of a layer for rectified inputs. */
function applyLayer(layer: Layer, given: Float64Array): Float64Array {
  const out = Float64Array.from(layer.bias)
  for (let i = 0; i < given.length; i++) if (given[i]! > 0) addInputContribution(out, layer, i, given[i]!)
  return out
}

export class Net {
  private readonly layers: Record<string, Layer> = {}
  private readonly sureness: Float32Array
  private readonly modesty: Float32Array
  private known = new Map<string, Piece>()

  constructor(
    private readonly plan: Plan,
    stored: Record<string, Stored>,
  ) {
    for (const name of ['piece', 'pieces', 'fate', 'first', 'second', 'win', 'points']) {
      const bias = toFloatArray(stored[`${name}.bias`]!)
      this.layers[name] = { wide: bias.length, weight: toFloatArray(stored[`${name}.weight`]!), bias }
    }
    const storedOrConstantArray = (name: string, usual: number): Float32Array => {
      const found = stored[name]
      return found ? toFloatArray(found) : new Float32Array(plan.seats + 1).fill(usual)
    }
    this.sureness = storedOrConstantArray('sureness', 1)
    this.modesty = storedOrConstantArray('modesty', 0)
  }

  /** By row and seat, the viewing seat first: all win probabilities, followed by all points in tens. */
  evaluate(rows: Uint8Array): Float32Array {
    const { size, seats } = this.plan
    const many = rows.length / size
    const out = new Float32Array(2 * many * seats)
    const first = this.layers.first!
    let base: Float64Array | undefined
    let alike: Float64Array | undefined
    for (let i = 0; i < many; i++) {
      const row = rows.subarray(i * size, (i + 1) * size)
      const [given, expected] = this.tableInputs(row)
      // Rows after different choices differ little: only the differences are computed.
      const sums = Float64Array.from(alike ?? first.bias)
      for (let k = 0; k < given.length; k++) {
        const apart = given[k]! - (base?.[k] ?? 0)
        if (apart !== 0) addInputContribution(sums, first, k, apart)
      }
      base ??= given
      alike ??= sums
      const [win, points] = this.applyOutputLayers(row[0]!, applyLayer(this.layers.second!, sums), expected)
      out.set(win, i * seats)
      out.set(points, (many + i) * seats)
    }
    return out
  }

  /** The inputs of the first layer over the table, and the points that each seat's pieces may bring. */
  private tableInputs(row: Uint8Array): [Float64Array, Float64Array] {
    const { plan } = this
    const wide = this.layers.pieces!.wide
    const fates = plan.worths.length > 0
    const fields = plan.seatScale.length
    const atSeats = plan.seats * wide
    const atExpected = atSeats + plan.seats * fields
    const atKinds = atExpected + (fates ? plan.seats : 0)
    const out = new Float64Array(atKinds + plan.kindWidth + plan.counts.length)
    const expected = new Float64Array(plan.seats)
    for (let seat = 0; seat < plan.seats; seat++) {
      for (let n = 0; n < plan.pieces; n++) {
        const at = plan.pieceAt + (seat * plan.pieces + n) * plan.pieceWide
        if (!row[at]) continue
        const piece = this.pieceContribution(plan.pieceColumns.map((k) => row[at + k]!))
        for (let j = 0; j < wide; j++) out[seat * wide + j]! += plan.summed * piece.out[j]!
        expected[seat]! += piece.worth
      }
      const at = plan.seatAt + seat * plan.seatWide
      plan.seatColumns.forEach((from, k) => (out[atSeats + seat * fields + k] = row[at + from]! * plan.seatScale[k]!))
      if (!fates) continue
      expected[seat]! += row[at + plan.seatColumns[plan.banked]!]! / 4
      out[atExpected + seat] = expected[seat]! / 10
    }
    plan.kinds.forEach((at, k) => (out[atKinds + plan.kindFirst[k]! + row[at]!] = 1))
    plan.counts.forEach((at, k) => (out[atKinds + plan.kindWidth + k] = row[at]! * plan.countScale[k]!))
    return [out, expected]
  }

  /** A piece's contribution to its seat; each distinct piece is computed once. */
  private pieceContribution(fields: number[]): Piece {
    const name = String.fromCharCode(...fields)
    const found = this.known.get(name)
    if (found) return found
    const { piece, pieces, fate } = this.layers as Record<'piece' | 'pieces' | 'fate', Layer>
    const sums = Float64Array.from(piece.bias)
    fields.forEach((field, k) => addInputContribution(sums, piece, this.plan.pieceFirst[k]! + field, 1))
    const out = applyLayer(pieces, sums).map((each) => Math.max(each, 0))
    const worth = this.plan.worths[fields[1]!] ?? 0
    const made = { out, worth: worth && worth / (1 + Math.exp(-applyLayer(fate, out)[0]!)) }
    if (this.known.size >= REMEMBERED) this.known.clear()
    this.known.set(name, made)
    return made
  }

  /** The last layers: each seat's win probability and points. */
  private applyOutputLayers(players: number, given: Float64Array, expected: Float64Array): [Float64Array, Float64Array] {
    const { seats, worths, leaning } = this.plan
    const win = applyLayer(this.layers.win!, given)
    const points = applyLayer(this.layers.points!, given)
    if (worths.length) {
      const own = expected.map((each) => each / 10)
      // Two players with two colours each: add the points of the second colours to their owners'.
      if (players === 2) for (const seat of [0, 1]) own[seat]! += expected[seat + 2]! / 10
      const mean = own.subarray(0, players).reduce((sum, each) => sum + each, 0) / players
      for (let seat = 0; seat < seats; seat++) {
        points[seat]! += own[seat]!
        win[seat]! += leaning * (own[seat]! - mean)
      }
    }
    for (let seat = 0; seat < seats; seat++) win[seat]! *= this.sureness[players]!
    win[0]! -= this.modesty[players]!
    win.fill(ABSENT, players)
    points.fill(0, players)
    const most = Math.max(ABSENT, ...win.subarray(0, players))
    const parts = win.map((each) => Math.exp(each - most))
    const whole = parts.reduce((sum, each) => sum + each, 0)
    return [parts.map((part) => part / whole), points]
  }
}
