#!/usr/bin/env node
// A bot that is not Python: `landfall sim survive --bots cmd:examples/bots/eager.mjs,random,random,random`.
// It spares its own pieces, strikes at those of others where it can, and else does anything.
import { createInterface } from 'node:readline'

let word = Number(process.env.LANDFALL_SEED ?? 1) // the same seed, the same match
const below = (n) => {
  word = (Math.imul(word, 1664525) + 1013904223) >>> 0
  return Math.floor((word / 2 ** 32) * n)
}

/** The choices one by one: each row with the names of its words. */
const listed = (groups) =>
  groups.flatMap(({ verb, keys, rows }) =>
    rows.map((row) => ({ verb, ...Object.fromEntries(row.map((value, i) => [keys[i], value])) })),
  )

/** How much one likes a choice. */
const liking = ({ hits = [], loses = [] }) => hits.length - 2 * loses.length

for await (const line of createInterface({ input: process.stdin })) {
  const { version, choices } = JSON.parse(line)
  const known = listed(choices)
  const most = Math.max(...known.map(liking))
  const best = known.filter((choice) => liking(choice) === most)
  console.log(JSON.stringify({ t: 'play', version, action: best[below(best.length)].action }))
}
