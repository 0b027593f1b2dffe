// This device's tables in IndexedDB: the Storage of src/landfall/offline/storage.py.
import type { Listed } from './tableListing'

const NAME = 'landfall'
export const STORES = ['entries', 'heads', 'chat']
const CHANGES = 'landfall-changes' // the channel on which pages announce what they wrote

const ME = 'me' // the one person of a device, as in src/landfall/offline/offline_server.py
const LISTED = 50

/** A stored table's head (TableSummary in src/landfall/store/row_types.py). */
interface Head extends Pick<Listed, 'table' | 'game' | 'status' | 'public' | 'created' | 'updated'> {
  owner: string
  info: Pick<Listed, 'players' | 'options' | 'clock' | 'chairs' | 'ended'> & {
    people?: (string | null)[]
    ranking?: Listed['ranking']
    colours?: (string | null)[]
  }
}

export type Row = [table: string, seq: number, at: number, kind: string, data: string]

function requestToPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** All keys of a table. */
export const tableKeyRange = (table: string, after = 0): IDBKeyRange =>
  IDBKeyRange.bound([table, after], [table, Infinity], true)

export class OfflineStorage {
  private readonly others = new BroadcastChannel(CHANGES)

  protected constructor(private readonly db: IDBDatabase) {}

  /** Listen for what other pages write. */
  listenToOtherPages(changed: (kind: string, words: string) => void): void {
    this.others.onmessage = (message: MessageEvent<[string, string]>) => changed(...message.data)
  }

  announce(kind: string, words: string): void {
    this.others.postMessage([kind, words])
  }

  static async open(): Promise<OfflineStorage> {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name))
    return new this(await requestToPromise(request))
  }

  /**
   * False: some number was taken, perhaps by another page; undefined: the previous entry is missing, since another page
   * deleted the table. Nothing is written then.
   */
  async append(rows: string, head?: string | null): Promise<boolean | undefined> {
    const all = JSON.parse(rows) as Row[]
    const [table, first] = all[0]!
    let gone = false
    const written = await this.runWriteTransaction(['entries', 'heads'], (entries, heads) => {
      if (first > 1)
        entries!.getKey([table, first - 1]).onsuccess = (found) => {
          gone = (found.target as IDBRequest).result === undefined
          if (gone) entries!.transaction.abort()
        }
      for (const row of all) entries!.add(row, [row[0], row[1]])
      if (head) heads!.put(head, table)
    })
    return gone ? undefined : written
  }

  async entries(table: string, after: number): Promise<string> {
    return JSON.stringify(await requestToPromise(this.readableStore('entries').getAll(tableKeyRange(table, after))))
  }

  async heads(): Promise<string> {
    return `[${(await requestToPromise(this.readableStore('heads').getAll())).join(',')}]`
  }

  async say(line: string): Promise<void> {
    const { table, n } = JSON.parse(line) as { table: string; n: number }
    await this.runWriteTransaction(['chat', 'heads'], (chat, heads) => {
      heads!.getKey(table).onsuccess = (found) => {
        if ((found.target as IDBRequest).result !== undefined) chat!.add(line, [table, n])
      }
    })
  }

  async chat(table: string): Promise<string> {
    return `[${(await requestToPromise(this.readableStore('chat').getAll(tableKeyRange(table)))).join(',')}]`
  }

  async remove(table: string): Promise<void> {
    await this.runWriteTransaction(STORES, (entries, heads, chat) => {
      entries!.delete(tableKeyRange(table))
      heads!.delete(table)
      chat!.delete(tableKeyRange(table))
    })
  }

  close(): void {
    this.others.close()
    this.db.close()
  }

  private readableStore(name: string): IDBObjectStore {
    return this.db.transaction(name).objectStore(name)
  }

  /** A transaction; true once it is on disk. */
  protected runWriteTransaction(names: string[], work: (...stores: IDBObjectStore[]) => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const all = this.db.transaction(names, 'readwrite', { durability: 'strict' })
      all.oncomplete = () => resolve(true)
      // without an error: our own abort, which the caller knows
      all.onabort = () => (!all.error || all.error.name === 'ConstraintError' ? resolve(false) : reject(all.error))
      work(...names.map((name) => all.objectStore(name)))
    })
  }
}

/** The tables of this device, latest first, as /api/history lists them: read without starting Python. */
export async function listStoredTables(wanted: URLSearchParams): Promise<Listed[]> {
  const storage = await OfflineStorage.open().catch(() => undefined)
  if (!storage) return []
  const heads = JSON.parse(await storage.heads()) as Head[]
  storage.close()
  const [before, over] = [Number(wanted.get('before') ?? Infinity), wanted.get('over')]
  return heads
    .filter((one) => one.updated < before && (over === null || (one.status === 'over') === (over === 'true')))
    .sort((a, b) => b.updated - a.updated)
    .slice(0, LISTED)
    .map(({ info, owner, ...head }) => ({
      ...head,
      ...info,
      colours: info.colours ?? [],
      ranking: info.ranking ?? null,
      you: (info.people ?? []).flatMap((person, seat) => (person === ME ? [seat] : [])),
      owner: owner === ME,
      online_bots: [],
      turn: null,
      rated: false,
      here: 0,
    }))
}
