import { readFileSync } from 'node:fs'
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

const MEDIA = readFileSync(new URL('./src/look/media.css', import.meta.url), 'utf8')

/** Every style knows the windows that look/media.css names. */
const media = {
  name: 'media',
  style: ({ content }) => (content.includes('(--') ? { code: MEDIA + content } : undefined),
}

export default { preprocess: [vitePreprocess({ style: false }), media] }
