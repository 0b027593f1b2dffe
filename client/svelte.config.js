import { readFileSync } from 'node:fs'
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

const MEDIA = JSON.parse(readFileSync(new URL('./src/look/media.json', import.meta.url), 'utf8'))

/** Media queries that many components share are said once: `@media (--phone)` is look/media.json's. */
const media = {
  name: 'media',
  style: ({ content }) => ({
    code: content.replace(/@media[^{]*/g, (head) =>
      head.replace(/\((--[a-z]+)\)/g, (found, name) => MEDIA[name] ?? found),
    ),
  }),
}

export default { preprocess: [vitePreprocess(), media] }
