// Evaluates lesson triggers, in the same small language as src/landfall/guides.py (`Moment`).

export type When = Record<string, unknown>
type Tree = Record<string, unknown>

/** What a seat sees: a view, its choices, and the latest event. */
export interface Moment {
  seat: number
  view: Tree
  choices: Tree[]
  event: Tree | null
  met: string[]
  deeds: string[]
}

/** Whether all conditions of a trigger hold. */
export function triggerHolds(when: When, moment: Moment): boolean {
  return Object.entries(when).every(([key, wanted]) => conditionHolds(key, wanted, moment))
}

function conditionHolds(key: string, wanted: unknown, moment: Moment): boolean {
  switch (key) {
    case 'mine':
      return (moment.view.actor === moment.seat && moment.choices.length > 0) === wanted
    case 'view':
      return matchesTree(moment.view, wanted as Tree, moment)
    case 'choice':
      return moment.choices.some((choice) => matchesTree(choice, wanted as Tree, moment))
    case 'event':
      return moment.event !== null && matchesTree(moment.event, wanted as Tree, moment)
    case 'met':
      return (wanted as string[]).every((id) => moment.met.includes(id))
    case 'deed':
      return moment.deeds.includes(wanted as string)
    case 'not':
      return !triggerHolds(wanted as When, moment)
    case 'any':
      return (wanted as When[]).some((other) => triggerHolds(other, moment))
  }
  throw new Error(`no trigger is called ${key}`)
}

export function matchesTree(tree: Tree, wanted: Tree, moment: Moment): boolean {
  return Object.entries(wanted).every(([path, value]) =>
    valuesAtPath(tree, path, moment).some((part) => matchesValue(part, value, moment)),
  )
}

/** The values at a path; `*` is every part, `me` the guide's seat, `count` the number of parts. */
export function valuesAtPath(tree: unknown, path: string, moment: Moment): unknown[] {
  if (!path) return [tree]
  if (typeof tree !== 'object' || tree === null) return []
  const [head, ...more] = path.split('.') as [string, ...string[]]
  const rest = more.join('.')
  if (head === 'count') return [Object.keys(tree).length]
  if (head === '*') return Object.values(tree).flatMap((part) => valuesAtPath(part, rest, moment))
  const key = Array.isArray(tree) && head === 'me' ? String(moment.seat) : head
  return key in tree ? valuesAtPath((tree as Tree)[key], rest, moment) : []
}

/** Equal; one of several; within bounds; a text with this prefix. */
function matchesValue(value: unknown, wanted: unknown, moment: Moment): boolean {
  if (Array.isArray(wanted)) return wanted.some((other) => matchesValue(value, other, moment))
  if (typeof wanted === 'object' && wanted !== null) {
    const { least, most, begins } = wanted as { least?: number; most?: number; begins?: string }
    return (
      (least === undefined || (typeof value === 'number' && value >= least)) &&
      (most === undefined || (typeof value === 'number' && value <= most)) &&
      (begins === undefined || String(value).startsWith(begins))
    )
  }
  return value === (wanted === '$me' ? moment.seat : wanted)
}
