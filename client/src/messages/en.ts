import atlandice from './atlandice/en.json'
import atlantis from './atlantis/en.json'
import home from './home/en.json'
import shell from './shell/en.json'
import survive from './survive/en.json'

export default { ...shell, ...home, ...survive, ...atlantis, ...atlandice } as Record<string, string>
