// What the net's bots choose in a browser's Python: `node choices.mjs MANIFEST QUESTIONS` says each choice.
// QUESTIONS: JSON of [game, level, world as hexadecimal digits, seat, seed] lists.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadPyodide } from '../../client/node_modules/pyodide/pyodide.mjs'
import { Net } from './layers.mjs'

const [manifest, questions] = process.argv.slice(2)
const { packages, rules, nets } = JSON.parse(readFileSync(manifest))
const py = await loadPyodide()
for (const archive of [...packages, rules, nets]) {
  const packed = new Uint8Array(readFileSync(join(dirname(manifest), archive)))
  py.unpackArchive(packed, 'zip', { extractDir: '/landfall' })
}
const make = (plan, stored) => {
  const net = new Net(JSON.parse(plan), stored.toJs())
  return { evaluate: (rows) => net.evaluate(rows.toJs()) }
}
py.registerJsModule('device', { make })
py.globals.set('given', readFileSync(questions, 'utf8'))
await py.runPythonAsync(`
import sys; sys.path.insert(0, "/landfall")
import asyncio, json, device
from landfall.offline.browser_entry_point import start_offline_api
from landfall.tables.bots.bot_pool import BotRequest

async def work():
    here = await start_offline_api(None, "Ana", device.make)
    for game, code, world, seat, seed in json.loads(given):
        request = BotRequest(game, bytes.fromhex(world), seat, code, seed, 2.0)
        print(await here.hub.bot_pool.choose_action(request))
    await here.stop_server()

await work()
`)
process.exit() // else Python's clock keeps it here
