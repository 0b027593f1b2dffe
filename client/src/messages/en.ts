import app from './app/en.json'
import first from './first/en.json'
import here from './here/en.json'
import home from './home/en.json'
import learn from './learn/en.json'
import look from './look/en.json'
import pages from './pages/en.json'
import puzzle from './puzzle/en.json'
import settings from './settings/en.json'
import shell from './shell/en.json'

const games = import.meta.glob<Record<string, string>>('../games/*/messages/en.json', {
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
