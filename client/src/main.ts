import { mount } from 'svelte'
import '@fontsource/vollkorn/latin-700.css'
import '@fontsource/carlito/latin-400.css'
import '@fontsource/carlito/latin-700.css'
import './look/tokens.css'
import './look/symbols.css'
import './look/base.css'
import App from './App.svelte'

export default mount(App, { target: document.getElementById('app')! })
