const parts = import.meta.glob<Record<string, string>>(['./*/zh.json', '../games/*/card/zh.json'], {
  eager: true,
  import: 'default',
})

export default Object.assign({}, ...Object.values(parts)) as Record<string, string>
