// A table of this device moves to another one: by a file with its whole log, which nobody signs.
import { FRIEND } from './playerNameStorage'
import { parseResponse } from './http'
import { requestOffline } from './offline'
import { disconnectFromHost } from './peerHostClient'
import { disconnectFriends, forgetFriendsOfTable } from './peerHost.svelte'
import { markGivenAway, readHandoverKey, readHostRecord, getOrCreateHandoverKey, markHeldHere } from './peerStorage'

const failures = new Map<string, unknown>()

/** Why a table's file could not be made, once: for the page that shows the table again. */
export function popHandoverFailure(table: string): unknown {
  const found = failures.get(table)
  failures.delete(table)
  return found
}

async function requestHandoverFile(table: string): Promise<Blob> {
  const answer = await requestOffline('POST', `/api/tables/${table}/handover`, { key: getOrCreateHandoverKey(table) })
  return new Blob([await parseResponse<string>(answer)], { type: 'application/json' })
}

/** Save the file. From now on the table is not played here. This page returns to its seat, at whichever device takes
 * over, by a key that it keeps. */
export async function handOverTableAsFile(table: string): Promise<void> {
  markGivenAway(table) // first: what is played afterwards is not in the file
  disconnectFriends()
  const file = await requestHandoverFile(table).catch((error: unknown) => {
    failures.set(table, error)
    markHeldHere(table)
    dispatchEvent(new StorageEvent('storage'))
    disconnectFriends()
    throw error
  })
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file),
    download: `${table}.json`,
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Whether a file is a table's, as `handOverTableAsFile` writes it. */
export const isHandoverFile = (text: string): boolean => text.startsWith('{"landfall":')

/** This device holds the table of a file from now on. Its id. `replace`: also what went on here otherwise. */
export async function takeOverTable(file: string, replace: boolean): Promise<string> {
  const id = (JSON.parse(file) as { table: string }).table
  const key = readHostRecord(id)?.key ?? readHandoverKey(id)
  const { table } = await parseResponse<{ table: string }>(
    await requestOffline('POST', '/api/tables/takeover', { file, key, replace }),
  )
  markHeldHere(table) // first: the former host calls this device, which is no friend of it any more
  localStorage.removeItem(FRIEND + table)
  disconnectFromHost(table)
  forgetFriendsOfTable(table) // it may have been here before; everybody is invited again
  return table
}
