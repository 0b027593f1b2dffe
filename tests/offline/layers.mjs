// The net's layers as the browser has them, for Node: `node layers.mjs QUESTION ANSWER` writes what they make of rows.
// QUESTION: JSON of { plan, stored: { name: [kind, columns, shape, base64] }, rows: base64 }; the answer is floats.
import { readFileSync, writeFileSync } from 'node:fs'
import { transformWithOxc } from '../../client/node_modules/vite/dist/node/index.js'

const source = new URL('../../client/src/lib/valueNet.ts', import.meta.url)
const { code } = await transformWithOxc(readFileSync(source, 'utf8'), 'layers.ts')
export const { Net } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'))
  const { plan, stored, rows } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  for (const array of Object.values(stored)) array[3] = bytes(array[3])
  writeFileSync(process.argv[3], new Net(plan, stored).evaluate(bytes(rows)))
}
