// How the client's code looks: as it was written, in lines of 120.
export default {
  printWidth: 120,
  semi: false,
  singleQuote: true,
  plugins: ['prettier-plugin-svelte'],
  overrides: [{ files: '*.svelte', options: { parser: 'svelte' } }],
}
