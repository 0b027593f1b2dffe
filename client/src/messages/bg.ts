import atlandice from './atlandice/bg.json'
import atlantis from './atlantis/bg.json'
import first from './first/bg.json'
import home from './home/bg.json'
import learn from './learn/bg.json'
import pages from './pages/bg.json'
import settings from './settings/bg.json'
import shell from './shell/bg.json'
import survive from './survive/bg.json'

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
