import app from './app/zh.json'
import first from './first/zh.json'
import here from './here/zh.json'
import home from './home/zh.json'
import learn from './learn/zh.json'
import look from './look/zh.json'
import pages from './pages/zh.json'
import puzzle from './puzzle/zh.json'
import settings from './settings/zh.json'
import shell from './shell/zh.json'

const games = import.meta.glob<Record<string, string>>('../games/*/messages/zh.json', {
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
