#!/usr/bin/env node
// A bot that is not Python: `landfall sim survive --bots cmd:examples/bots/eager.mjs,random,random,random`.
// It spares its own pieces, attacks others' where it can, and otherwise chooses at random.
import { createInterface } from 'node:readline'

let seed = Number(process.env.LANDFALL_SEED ?? 1) // the same seed, the same match
const randomBelow = (n) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 2 ** 32) * n)
}

/** The choices as objects: each row with its keys. */
const flattenChoices = (groups) =>
  groups.flatMap(({ verb, keys, rows }) =>
    rows.map((row) => ({ verb, ...Object.fromEntries(row.map((value, i) => [keys[i], value])) })),
  )

/** Pieces hit less twice the own pieces lost. */
const scoreOf = ({ hits = [], loses = [] }) => hits.length - 2 * loses.length

for await (const line of createInterface({ input: process.stdin })) {
  const { version, choices } = JSON.parse(line)
  const all = flattenChoices(choices)
  const bestScore = Math.max(...all.map(scoreOf))
  const best = all.filter((choice) => scoreOf(choice) === bestScore)
  console.log(JSON.stringify({ t: 'play', version, action: best[randomBelow(best.length)].action }))
}
