import atlandice from './atlandice/zh.json'
import atlantis from './atlantis/zh.json'
import home from './home/zh.json'
import shell from './shell/zh.json'
import survive from './survive/zh.json'

export default { ...shell, ...home, ...survive, ...atlantis, ...atlandice } as Record<string, string>
