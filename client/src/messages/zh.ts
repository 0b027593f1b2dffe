import atlandice from './atlandice/zh.json'
import atlantis from './atlantis/zh.json'
import first from './first/zh.json'
import home from './home/zh.json'
import learn from './learn/zh.json'
import pages from './pages/zh.json'
import settings from './settings/zh.json'
import shell from './shell/zh.json'
import survive from './survive/zh.json'

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
