import app from './app/pt.json'
import first from './first/pt.json'
import here from './here/pt.json'
import home from './home/pt.json'
import learn from './learn/pt.json'
import look from './look/pt.json'
import pages from './pages/pt.json'
import puzzle from './puzzle/pt.json'
import settings from './settings/pt.json'
import shell from './shell/pt.json'

const games = import.meta.glob<Record<string, string>>('../games/*/messages/pt.json', {
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
