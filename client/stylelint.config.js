// What the linter asks of styles: a value that src/look/tokens.css names is used by its name.
import { readdirSync, readFileSync } from 'node:fs'

/** The custom properties that components set in their markup, `style="--pace: 2"` or `style:--pace={2}`. */
const setInMarkup = readdirSync(new URL('src', import.meta.url), { recursive: true })
  .filter((name) => name.endsWith('.svelte'))
  .flatMap((name) => {
    const [markup] = readFileSync(new URL(`src/${name}`, import.meta.url), 'utf8').split('<style')
    return [...markup.matchAll(/(?<!var\()(--[a-z][\w-]*)[:=}]/g)].map(([, property]) => [property, ''])
  })

export default {
  plugins: ['stylelint-value-no-unknown-custom-properties'],
  reportNeedlessDisables: true,
  rules: {
    'csstools/value-no-unknown-custom-properties': [
      true,
      {
        importFrom: [
          'src/look/tokens.css',
          'src/look/symbols.css',
          'src/look/base.css',
          { customProperties: Object.fromEntries(setInMarkup) },
        ],
      },
    ],
    'color-no-hex': true,
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla'],
  },
  overrides: [
    { files: ['src/**/*.svelte'], customSyntax: 'postcss-html' },
    { files: ['src/look/{tokens,symbols}.css'], rules: { 'color-no-hex': null, 'function-disallowed-list': null } },
  ],
}
