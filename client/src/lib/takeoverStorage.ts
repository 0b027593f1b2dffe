// What only the worker asks of this device's tables: a first visit does not load it.
import { OfflineStorage, tableKeyRange, STORES, type Row } from './offlineStorage'

export class TakeoverStorage extends OfflineStorage {
  /** Replace a table that has so many entries. False: another page has written to it; nothing is changed then. */
  replace(kept: number, rows: string, head: string, lines: string): Promise<boolean> {
    const all = JSON.parse(rows) as Row[]
    const table = all[0]![0]
    return this.runWriteTransaction(STORES, (entries, heads, chat) => {
      entries!.count(tableKeyRange(table)).onsuccess = (found) => {
        if ((found.target as IDBRequest<number>).result !== kept) return entries!.transaction.abort()
        entries!.delete(tableKeyRange(table))
        chat!.delete(tableKeyRange(table))
        for (const row of all) entries!.add(row, [table, row[1]])
        for (const line of JSON.parse(lines) as { n: number }[]) chat!.add(JSON.stringify(line), [table, line.n])
        heads!.put(head, table)
      }
    })
  }
}
