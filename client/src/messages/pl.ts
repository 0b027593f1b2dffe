// Its letters come with its words: nobody else fetches them.
import '../look/letters/latin-a.css'

const parts = import.meta.glob<Record<string, string>>(['./*/pl.json', '../games/*/card/pl.json'], {
  eager: true,
  import: 'default',
})

export default Object.assign({}, ...Object.values(parts)) as Record<string, string>
