// How the client is built: into the Python package, so that the server and the wheel have it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const server = process.env.LANDFALL_SERVER ?? 'http://127.0.0.1:8000'
const target = { target: server, changeOrigin: true, ws: true, headers: { origin: server } }

// What a server says in a header (src/landfall/web/request_security.py), where no server of ours is.
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src-attr 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'self'; object-src 'none'"
const guarded = {
  name: 'policy',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: 'head-prepend' as const,
    },
  ],
}

// How many of the texts each language has, in per cent: menus say so, and what is missing is said in English.
function translatedPercents(): Record<string, number> {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const textKeys = (file: string): string[] =>
    existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object) : []
  const english = ['client/src/messages', 'client/src/games', 'src/landfall/core/texts', 'src/landfall/games']
    .flatMap((part) =>
      readdirSync(folder + part, { recursive: true }).map((file) => `${folder}${part}/${String(file)}`),
    )
    .filter((file) => /[/.]en\.json$/.test(file))
  const percent = (language: string): number => {
    const shares = english.map((file) => {
      const there = new Set(textKeys(file.replace(/en\.json$/, `${language}.json`)))
      const keys = textKeys(file)
      return [keys.filter((key) => there.has(key)).length, keys.length] as const
    })
    const [have, all] = [0, 1].map((n) => shares.reduce((sum, share) => sum + share[n]!, 0))
    return Math.floor((100 * have!) / all!)
  }
  const languages = new URL('../src/landfall/core/languages.json', import.meta.url)
  return Object.fromEntries(textKeys(fileURLToPath(languages)).map((language) => [language, percent(language)]))
}

// What an app needs beside its pages: the names of all its files, for who keeps them; its version in the service worker,
// so that a browser sees a new one; and the pictures that are shown to who installs it.
const SHOTS = {
  table: 'survive', // the picture of links that have none of their own, too: src/landfall/web/link_previews.py
  'survive-phone': 'survive-phone',
  'atlantis-phone': 'atlantis-phone',
  'atlandice-phone': 'atlandice-phone',
}
const app: Plugin = {
  name: 'app',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const size = (one: (typeof bundle)[string]): number =>
        Buffer.byteLength(one.type === 'chunk' ? one.code : one.source)
      const all = Object.values(bundle).filter((one) => /^assets\/.*\.(js|css|svg|woff2)$/.test(one.fileName))
      const files = all.map((one) => [one.fileName, size(one)]).sort()
      const worker = bundle['sw.js']
      if (worker?.type !== 'chunk') throw new Error('there is no service worker')
      const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one !== worker)!
      worker.code = `// ${entry.fileName}\n${worker.code}`
      this.emitFile({ type: 'asset', fileName: 'app.json', source: JSON.stringify(files) })
      for (const [name, picture] of Object.entries(SHOTS)) {
        const source = readFileSync(new URL(`../docs/pictures/${picture}.jpg`, import.meta.url))
        this.emitFile({ type: 'asset', fileName: `shots/${name}.jpg`, source })
      }
    },
  },
}

// `--mode site`: a folder for any file server, under any path. Else into the Python package.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), app, ...(mode === 'site' ? [guarded] : [])],
  base: mode === 'site' ? './' : '/',
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  build: {
    outDir: mode === 'site' ? '../site' : '../src/landfall/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/sw.ts' },
      checks: { bundlerTimings: false },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What home and all other pages need is one file: each file more costs a first visit its headers.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /parts\/(ColourBadge|Icon|NavBar|SettingsForm)\.svelte|lib\/(recordDrop|gameAndBotCatalogue)/,
            },
          ],
        },
      },
    },
  },
  define: { __TRANSLATED__: JSON.stringify(translatedPercents()) },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] }, proxy: { '/api': target, '/ws': target } },
  preview: { proxy: { '/api': target, '/ws': target } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'node', // a file that needs a document says so in its first line: to make one takes a second
    // recorded.ts: against recorded messages, in the file of that name; see tests/vitest.py
    include: process.env.LANDFALL_RECORDED_MESSAGES ? ['src/**/*.recorded.ts'] : ['src/**/*.test.ts'],
    testTimeout: 180_000, // on a busy machine
    hookTimeout: 180_000,
  },
}))
