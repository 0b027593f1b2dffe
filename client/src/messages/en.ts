import atlandice from './atlandice/en.json'
import atlantis from './atlantis/en.json'
import first from './first/en.json'
import home from './home/en.json'
import learn from './learn/en.json'
import pages from './pages/en.json'
import settings from './settings/en.json'
import shell from './shell/en.json'
import survive from './survive/en.json'

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
