const parts = import.meta.glob<Record<string, string>>(['./*/pt.json', '../games/*/card/pt.json'], {
  eager: true,
  import: 'default',
})

export default Object.assign({}, ...Object.values(parts)) as Record<string, string>
