// How the client is built: into the Python package, so that the server and the wheel have it.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const server = process.env.LANDFALL_SERVER ?? 'http://127.0.0.1:8000'
const target = { target: server, changeOrigin: true, ws: true, headers: { origin: server } }

// What a server says in a header (src/landfall/web/safety.py), where no server of ours is.
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

// `--mode site`: a folder for any file server, under any path. Else into the Python package.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), ...(mode === 'site' ? [guarded] : [])],
  base: mode === 'site' ? './' : '/',
  build: {
    outDir: mode === 'site' ? '../site' : '../src/landfall/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': target, '/ws': target } },
  preview: { proxy: { '/api': target, '/ws': target } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'happy-dom',
    // told.ts: against what tables said, in the file of that name; see tests/tables/test_memory.py
    include: process.env.LANDFALL_TOLD ? ['src/**/*.told.ts'] : ['src/**/*.test.ts'],
  },
}))
