import atlandice from './atlandice/bg.json'
import atlantis from './atlantis/bg.json'
import home from './home/bg.json'
import shell from './shell/bg.json'
import survive from './survive/bg.json'

export default { ...shell, ...home, ...survive, ...atlantis, ...atlandice } as Record<string, string>
