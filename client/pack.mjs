// After the build: the licences of what is in it, and every file that shrinks packed beside itself, for servers to choose.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const OUT = new URL('../src/landfall/web/static/', import.meta.url).pathname
const MODULES = new URL('./node_modules/', import.meta.url).pathname
const LICENCES = {
  'vollkorn.txt': '@fontsource/vollkorn/LICENSE',
  'carlito.txt': '@fontsource/carlito/LICENSE',
  'svelte.txt': 'svelte/LICENSE.md',
}
const TEXT = ['.html', '.js', '.css', '.svg', '.txt', '.json', '.webmanifest']
const LEAST = 1000 // bytes: smaller ones fit into one packet as they are

mkdirSync(join(OUT, 'licences'), { recursive: true })
for (const [name, path] of Object.entries(LICENCES)) copyFileSync(join(MODULES, path), join(OUT, 'licences', name))

for (const name of readdirSync(OUT, { recursive: true })) {
  const path = join(OUT, name)
  if (!TEXT.includes(extname(path)) || !statSync(path).isFile() || statSync(path).size < LEAST) continue
  const text = readFileSync(path)
  const packed = {
    br: brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
    gz: gzipSync(text, { level: 9 }),
  }
  for (const [end, data] of Object.entries(packed)) if (data.length < text.length) writeFileSync(`${path}.${end}`, data)
}
