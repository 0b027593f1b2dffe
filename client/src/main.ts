import { mount } from 'svelte'
import '@fontsource/vollkorn/latin-700.css'
import '@fontsource/carlito/latin-400.css'
import '@fontsource/carlito/latin-700.css'
import './look/tokens.css'
import './look/symbols.css'
import './look/base.css'
import App from './App.svelte'
import { watchForKeyboard } from './lib/keyboardUse.svelte'

watchForKeyboard()
const contrast = matchMedia('(forced-colors: active), (prefers-contrast: more)')
const loadContrast = (): void => void (contrast.matches && import('./look/contrast.css'))
contrast.addEventListener('change', loadContrast)
loadContrast()
export default mount(App, { target: document.getElementById('app')! })
