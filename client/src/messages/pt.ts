import atlandice from './atlandice/pt.json'
import atlantis from './atlantis/pt.json'
import home from './home/pt.json'
import shell from './shell/pt.json'
import survive from './survive/pt.json'

export default { ...shell, ...home, ...survive, ...atlantis, ...atlandice } as Record<string, string>
