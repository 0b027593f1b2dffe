// Recomputed values that are equal keep their identity, so that dependents are not rendered again.

const hasEqualContents = (a: unknown, b: unknown): boolean => {
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((one) => b.has(one))
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => one === b[i])
  return a === b
}

/** Returns the previous value if the new set or list has equal contents. */
export function makeIdentityKeeper<T>(): (fresh: T) => T {
  let last: T
  return (fresh) => (last = hasEqualContents(last, fresh) ? last : fresh)
}
