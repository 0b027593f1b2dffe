// How long bots think in a browser's Python: `node bench/here/time.mjs FOLDER [moves] [slow]`, FOLDER as `make client` or
// `make site` writes it (.../here). Processor time, so that a busy machine tells the same; Node has Chromium's engine.
// `slow`: a device that is so many times slower: all time is multiplied, also for bots that watch the clock.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadPyodide } from '../../client/node_modules/pyodide/pyodide.mjs'

const folder = resolve(process.argv[2])
const moves = Number(process.argv[3] ?? 40)
const slow = Number(process.argv[4] ?? 1)
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json')))
const begun = process.cpuUsage()
const spent = (since) => {
  const { user, system } = process.cpuUsage(since)
  return (slow * (user + system)) / 1000
}
const py = await loadPyodide()
py.unpackArchive(new Uint8Array(readFileSync(join(folder, manifest.rules))), 'zip', { extractDir: '/landfall' })
py.registerJsModule('device', { seconds: () => spent(begun) / 1000 })
const ask = await py.runPythonAsync(`
import sys; sys.path.insert(0, "/landfall")
import time, device
time.thread_time = device.seconds
import landfall.local.browser
import landfall
from landfall.core.rng import Rng
from landfall.tables.environment import Environment
from landfall.tables.thinkers import asked, think
env = Environment(rng=Rng(1))
matches = {}
def question(game, players, code, seed):
    "The next question of a match that greedy plays on."
    key = (game, players)
    match = matches.get(key)
    if match is None or not match.legal():
        match = matches[key] = landfall.Match(game, players=players, seed=seed)
    return asked(match, match.actor, code, env)
def go_on(game, players):
    match = matches[game, players]
    if match.legal():
        match.play(think(asked(match, match.actor, "greedy", env)))
(question, go_on, think)
`)
// as src/landfall/local/levels.py has them
const LEVELS = [
  ['sprat', 'sprat'],
  ['mackerel', 'mackerel'],
  ['marlin', 'mcts:iters=150:ms=650'],
  ['leviathan', 'leviathan'],
]
const [question, goOn, think] = ask.toJs({ depth: 1 })
console.log(`ready after ${Math.round(spent(begun))} ms, heap ${Math.round(py._module.HEAP8.length / 1e6)} MB`)
for (const [game, players] of [['survive', 4], ['atlantis', 3], ['atlandice', 3]])
  for (const [level, code] of LEVELS) {
    const times = []
    for (let n = 0; n < moves; n++) {
      const asked = question(game, players, code, n)
      const since = process.cpuUsage()
      think(asked)
      times.push(spent(since))
      asked.destroy()
      for (let k = 0; k < 4; k++) goOn(game, players)
    }
    times.sort((a, b) => a - b)
    const at = (part) => Math.round(times[Math.floor(part * (times.length - 1))])
    console.log(`${game} ${players}p ${level}: median ${at(0.5)}, 95th ${at(0.95)}, most ${at(1)} ms`)
  }
console.log(`heap ${Math.round(py._module.HEAP8.length / 1e6)} MB`)
