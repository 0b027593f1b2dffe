// Bots in a browser's Python, one choice at a time: what bench/offline/bot_time.py puts before Chromium.
import { Net } from './layers.mjs'

const base = new URL('./here/', self.location.href).href
let asked, played
/** Lay the next question of a match before a bot. */
export let lay
/** How long the bot takes for it, in ms; and the bytes of Python's memory. */
export let choose

export async function begin() {
  const manifest = await (await fetch(`${base}manifest.json`)).json()
  const home = base + manifest.python
  const network = self.fetch.bind(self)
  self.fetch = async (input, init) => {
    const url = String(input.url ?? input)
    if (!url.endsWith('.wasm')) return network(input, init)
    const packed = await network(`${url}.gz`)
    const body = packed.body.pipeThrough(new DecompressionStream('gzip'))
    return new Response(body, { headers: { 'content-type': 'application/wasm' } })
  }
  const { loadPyodide } = await import(`${home}pyodide.mjs`)
  const py = await loadPyodide({ indexURL: home, lockFileContents: JSON.stringify(manifest.lock) })
  for (const archive of [...manifest.packages, manifest.rules, manifest.nets])
    py.unpackArchive(await (await network(base + archive)).arrayBuffer(), 'zip', { extractDir: '/landfall' })
  const make = (plan, stored) => {
    const net = new Net(JSON.parse(plan), stored.toJs())
    return { evaluate: (rows) => net.evaluate(rows.toJs()) }
  }
  py.registerJsModule('device', { make })
  const [question, goOn, think] = py
    .runPython(
      `
import sys; sys.path.insert(0, "/landfall")
import landfall.offline.browser_entry_point, device
from landfall.offline.offline_bot_pool import offline_bot_code
from landfall.offline.browser_nets import register_browser_net_loader
register_browser_net_loader(device.make)
import landfall
from landfall.core.rng import Rng
from landfall.tables.bots.bot_pool import choose_bot_action, make_bot_request
from landfall.tables.runtime_dependencies import Runtime
runtime = Runtime(rng=Rng(1))
matches = {}
def question(game, players, level, seed):
    "The next question of a match that greedy plays on."
    key = (game, players)
    match = matches.get(key)
    if match is None or not match.legal_actions():
        match = matches[key] = landfall.Match(game, players=players, seed=seed)
    return make_bot_request(match, match.actor, offline_bot_code(level, game), runtime)
def go_on(game, players):
    match = matches[game, players]
    if match.legal_actions():
        match.play(choose_bot_action(make_bot_request(match, match.actor, "greedy", runtime)))
(question, go_on, choose_bot_action)
`,
    )
    .toJs({ depth: 1 })
  lay = (game, players, level, n) => {
    if (played) for (let k = 0; k < 4; k++) goOn(...played)
    played = [game, players]
    asked?.destroy()
    asked = question(game, players, level, n)
  }
  choose = () => {
    const begun = performance.now()
    think(asked)
    return [performance.now() - begun, py._module.HEAP8.length]
  }
}
