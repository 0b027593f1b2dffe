import atlandice from './atlandice/pt.json'
import atlantis from './atlantis/pt.json'
import first from './first/pt.json'
import home from './home/pt.json'
import learn from './learn/pt.json'
import pages from './pages/pt.json'
import settings from './settings/pt.json'
import shell from './shell/pt.json'
import survive from './survive/pt.json'

export default {
  ...shell,
  ...home,
  ...first,
  ...pages,
  ...settings,
  ...learn,
  ...survive,
  ...atlantis,
  ...atlandice,
} as Record<string, string>
