// What this device keeps of its tables, in the browser's database: the Shelf of src/landfall/local/store.py.
const NAME = 'landfall'
const STORES = ['entries', 'heads', 'chat']

type Row = [table: string, seq: number, at: number, kind: string, data: string]

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** All keys that begin with a table's name. */
const of = (table: string, after = 0): IDBKeyRange => IDBKeyRange.bound([table, after], [table, Infinity], true)

export class Shelf {
  private constructor(private readonly db: IDBDatabase) {}

  static async open(): Promise<Shelf> {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name))
    return new Shelf(await done(request))
  }

  /** False: some number was taken, by another page perhaps; nothing is written then. */
  append(rows: string, head?: string | null): Promise<boolean> {
    return this.write(['entries', 'heads'], (entries, heads) => {
      for (const row of JSON.parse(rows) as Row[]) entries!.add(row, [row[0], row[1]])
      if (head) heads!.put(head, (JSON.parse(head) as { table: string }).table)
    })
  }

  async entries(table: string, after: number): Promise<string> {
    return JSON.stringify(await done(this.read('entries').getAll(of(table, after))))
  }

  async heads(): Promise<string> {
    return `[${(await done(this.read('heads').getAll())).join(',')}]`
  }

  async say(line: string): Promise<void> {
    const { table, n } = JSON.parse(line) as { table: string; n: number }
    await this.write(['chat'], (chat) => chat!.add(line, [table, n]))
  }

  async chat(table: string): Promise<string> {
    return `[${(await done(this.read('chat').getAll(of(table)))).join(',')}]`
  }

  async remove(table: string): Promise<void> {
    await this.write(STORES, (entries, heads, chat) => {
      entries!.delete(of(table))
      heads!.delete(table)
      chat!.delete(of(table))
    })
  }

  private read(name: string): IDBObjectStore {
    return this.db.transaction(name).objectStore(name)
  }

  /** All of it or nothing, on disk when this is true. */
  private write(names: string[], work: (...stores: IDBObjectStore[]) => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const all = this.db.transaction(names, 'readwrite', { durability: 'strict' })
      all.oncomplete = () => resolve(true)
      all.onabort = () => (all.error?.name === 'ConstraintError' ? resolve(false) : reject(all.error))
      work(...names.map((name) => all.objectStore(name)))
    })
  }
}
