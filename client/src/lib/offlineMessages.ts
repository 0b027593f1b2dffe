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

/** What is asked of the worker; `n` names the request or connection it belongs to. */
export type WorkerTask =
  | { do: 'begin'; base: string; manifest: Manifest; name: string }
  | { do: 'ask'; method: string; path: string; body?: string }
  | { do: 'open'; table: string; after?: number }
  | { do: 'say'; text: string }
  | { do: 'close' }
  // a friend's channel: opened, a message of it, closed
  | { do: 'peer'; table: string; guest: string }
  | { do: 'receive'; text: string }
  | { do: 'part' }
export type WorkerRequest = { n: number } & WorkerTask

export type WorkerResponse = { n: number } & (
  | { answer: [status: number, kind: string, body: string] }
  | { open: true }
  | { text: string }
  | { shut: number }
  | { failed: string }
  | { progress: number } // of the start, from 0 to 1
  | { received: true } // a message of a friend's channel was handled
)

export type ResponseListener = (response: WorkerResponse) => void

/** A conversation under a number of its own: with the worker, or in the same messages with a friend's. */
export interface Talk {
  say: (task: WorkerTask) => void
  end: () => void
}

/** The browser cache of the download. */
export const KEPT = 'landfall-here'
