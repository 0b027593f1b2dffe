// How the client is built: into the Python package, so that the server and the wheel have it.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const server = process.env.LANDFALL_SERVER ?? 'http://127.0.0.1:8000'
const target = { target: server, changeOrigin: true, ws: true, headers: { origin: server } }

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/landfall/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': target, '/ws': target } },
  preview: { proxy: { '/api': target, '/ws': target } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'happy-dom',
    // told.ts: against what tables said, in the file of that name; see tests/tables/test_memory.py
    include: process.env.LANDFALL_TOLD ? ['src/**/*.told.ts'] : ['src/**/*.test.ts'],
  },
})
