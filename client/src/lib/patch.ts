// Applies a patch. `[value]` is a new value, `0` deletes, an object is a nested patch.

export function applyPatch<T>(old: T, patch: Record<string, unknown>): T {
  const list = Array.isArray(old)
  const fresh = (list ? [...(old as unknown[])] : { ...(old as object) }) as Record<string, unknown>
  for (const [key, what] of Object.entries(patch)) {
    if (what === 0) delete fresh[key]
    else if (Array.isArray(what)) fresh[key] = what[0]
    else fresh[key] = applyPatch(fresh[key], what as Record<string, unknown>)
  }
  return fresh as T
}
