// A table of this device moves to another one: by a file with its whole log, which nobody signs.
import { FRIEND } from './deviceNames'
import { parseAnswer } from './http'
import { requestOffline } from './offline'
import { release } from './peerHost.svelte'
import { giveAway, handoverKey, hostOf, keepHandoverKey, takeBack } from './peerStorage'

/** Save the file. From now on the table is not played here. This page returns to its seat, at whichever device takes
 * over, by a key that it keeps. */
export async function saveTable(table: string): Promise<void> {
  const answer = await requestOffline('POST', `/api/tables/${table}/handover`, { key: keepHandoverKey(table) })
  const file = new Blob([await parseAnswer<string>(answer)], { type: 'application/json' })
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file),
    download: `${table}.json`,
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  giveAway(table)
}

/** Whether a file is a table's, as `saveTable` writes it. */
export const isTableFile = (text: string): boolean => text.startsWith('{"landfall":')

/** This device holds the table of a file from now on. Its id. `replace`: also what went on here otherwise. */
export async function takeOver(file: string, replace: boolean): Promise<string> {
  const id = (JSON.parse(file) as { table: string }).table
  const key = hostOf(id)?.key ?? handoverKey(id)
  const { table } = await parseAnswer<{ table: string }>(
    await requestOffline('POST', '/api/tables/takeover', { file, key, replace }),
  )
  localStorage.removeItem(FRIEND + table)
  takeBack(table)
  release(table) // it may have been here before; everybody is invited again
  return table
}
