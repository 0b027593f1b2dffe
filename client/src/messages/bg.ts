import app from './app/bg.json'
// Its letters come with its words: nobody else fetches them.
import '@fontsource/vollkorn/cyrillic-700.css'
import '@fontsource/carlito/cyrillic-400.css'
import '@fontsource/carlito/cyrillic-700.css'
import first from './first/bg.json'
import here from './here/bg.json'
import home from './home/bg.json'
import learn from './learn/bg.json'
import look from './look/bg.json'
import pages from './pages/bg.json'
import puzzle from './puzzle/bg.json'
import settings from './settings/bg.json'
import shell from './shell/bg.json'

const games = import.meta.glob<Record<string, string>>('../games/*/messages/bg.json', {
  eager: true,
  import: 'default',
})

export default Object.assign(
  {},
  app,
  shell,
  here,
  home,
  first,
  pages,
  settings,
  learn,
  look,
  puzzle,
  ...Object.values(games),
) as Record<string, string>
