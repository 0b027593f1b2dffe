const parts = import.meta.glob<Record<string, string>>(['./*/en.json', '../games/*/card/en.json'], {
  eager: true,
  import: 'default',
})

export default Object.assign({}, ...Object.values(parts)) as Record<string, string>
