// The messages between a page and its worker.

/** The contents of the download, written by the build. */
export interface Manifest {
  version: string
  python: string // the folder of Python itself, named by its version
  packages?: string[] // wheels with compiled code; a download of an earlier version has none
  rules: string // the archive of Python sources
  nets?: string // the archive of nets; downloads of earlier versions have none
  files: [name: string, bytes: number][]
  app: number // bytes of the app's own files, which are brought with it
  lock: unknown // what Python's packages are: none
}

export type WorkerRequest = { n: number } & (
  | { do: 'begin'; base: string; manifest: Manifest; name: string }
  | { do: 'ask'; method: string; path: string; body?: string }
  | { do: 'open'; table: string; after?: number }
  | { do: 'say'; text: string }
  | { do: 'close' }
)

export type WorkerResponse = { n: number } & (
  | { answer: [status: number, kind: string, body: string] }
  | { open: true }
  | { text: string }
  | { shut: number }
  | { failed: string }
  | { progress: number } // of the start, from 0 to 1
)

/** The browser cache of the download. */
export const KEPT = 'landfall-here'
