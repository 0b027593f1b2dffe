// Its letters come with its words: nobody else fetches them.
import '@fontsource/vollkorn/cyrillic-700.css'
import '@fontsource/carlito/cyrillic-400.css'
import '@fontsource/carlito/cyrillic-700.css'

const parts = import.meta.glob<Record<string, string>>(['./*/bg.json', '../games/*/card/bg.json'], {
  eager: true,
  import: 'default',
})

export default Object.assign({}, ...Object.values(parts)) as Record<string, string>
