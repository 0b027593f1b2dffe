// Replays records in a browser's Python: `node golden.mjs MANIFEST`, with [record, every, digests] lists on standard input.
// Says how many were as they should be; ends with an error at the first that was not.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadPyodide } from '../../client/node_modules/pyodide/pyodide.mjs'

const manifest = process.argv[2]
const { rules } = JSON.parse(readFileSync(manifest))
const py = await loadPyodide()
py.unpackArchive(new Uint8Array(readFileSync(join(dirname(manifest), rules))), 'zip', { extractDir: '/landfall' })
py.globals.set('given', readFileSync(0, 'utf8'))
await py.runPythonAsync(`
import sys; sys.path.insert(0, "/landfall")
import landfall.offline.browser_entry_point, json
from landfall.core.match_record import parse_record
from landfall.core.rng import Rng
from landfall.games import game
from landfall.match import Match

checked = 0
for record, every, digests in json.loads(given):
    read = parse_record(record)
    match = Match.before_first_action(game(read.game), read.players, read.options, read.seats, Rng(0))
    found = []
    for number, line in enumerate(read.lines, 1):
        match.replay_line(line, number)
        if number % every == 0:
            found.append(match.state.digest())
    found.append(match.state.digest())
    assert found == digests, (read.game, read.options)
    assert match.record() == record
    checked += len(found)
print(checked, sys.version_info[:2], sys.platform)
`)
