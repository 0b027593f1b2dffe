// The optional download for playing without a server: offered with its size, fetched on request, kept until removed. An
// interrupted download resumes file by file.
import { BASE, downloadedVersion, setDownloadedVersion, fetchManifest } from './offlineManifest'
import { KEPT, type Manifest } from './offlineMessages'
import { fetchAppFileList, cacheMissingFiles, type Files } from './precache'

const SEEN = 100_000 // bytes between two updates of the progress bar

/** The download was stopped or broke off, so what needs it cannot start. */
export class NotDownloaded extends Error {}

class Download {
  state: 'unknown' | 'none' | 'offered' | 'running' | 'there' | 'broken' = $state('unknown')
  /** Bytes downloaded, and in total. */
  got = $state(0)
  total = $state(0)
  private stopped: AbortController | undefined
  private running: Promise<void> | undefined

  /** Check what is available, and what this device has. */
  async checkAvailability(): Promise<void> {
    if (this.state === 'running') return
    try {
      const found = await fetchManifest()
      this.total = totalBytes(found.files) + found.app
      this.state = downloadedVersion() === found.version ? 'there' : 'offered'
      // a newer version of what was downloaded
      if (this.state === 'offered' && downloadedVersion() !== null) await this.downloadMissingFiles()
    } catch {
      this.state = downloadedVersion() === null ? 'none' : 'there' // no network; the downloaded files are here
    }
  }

  /** Have the files on this device: fetch them if they are not. */
  async ensureDownloaded(): Promise<void> {
    if (downloadedVersion() !== null) return
    await this.downloadMissingFiles()
    if (downloadedVersion() === null) throw new NotDownloaded('the games are not on this device')
  }

  /** Fetch the missing files. */
  downloadMissingFiles(): Promise<void> {
    this.running ??= this.downloadAllFiles().finally(() => (this.running = undefined))
    return this.running
  }

  private async downloadAllFiles(): Promise<void> {
    this.state = 'running'
    this.got = 0
    this.stopped = new AbortController()
    try {
      const [found, app] = await Promise.all([fetchManifest(), fetchAppFileList()])
      this.total = totalBytes(found.files) + found.app
      const kept = 'caches' in self ? await caches.open(KEPT) : undefined
      await navigator.storage?.persist?.().catch(() => false)
      await cacheMissingFiles(app, (bytes) => (this.got += bytes), this.stopped.signal)
      for (const [name, bytes] of [...found.files, ['manifest.json', 0] as const]) {
        if (!(await kept?.match(BASE + name)) || name === 'manifest.json') await this.downloadFile(BASE + name, kept)
        else this.got += bytes
      }
      await deleteObsoleteFiles(found, kept)
      setDownloadedVersion(found.version)
      this.state = 'there'
    } catch {
      this.state = this.stopped.signal.aborted ? 'offered' : 'broken'
    }
  }

  abortDownload(): void {
    this.stopped?.abort()
  }

  async deleteDownload(): Promise<void> {
    setDownloadedVersion(null)
    if ('caches' in self) await caches.delete(KEPT)
    this.state = 'offered'
  }

  private async downloadFile(url: string, kept: Cache | undefined): Promise<void> {
    const answer = await fetch(url, { signal: this.stopped!.signal })
    if (!answer.ok) throw new Error(String(answer.status))
    const parts: BlobPart[] = []
    let unseen = 0
    for (const reader = answer.body!.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      unseen += value.length
      if (unseen > SEEN) {
        this.got += unseen
        unseen = 0
      }
    }
    this.got += unseen
    const type = answer.headers.get('content-type') ?? ''
    await kept?.put(url, new Response(new Blob(parts), { headers: { 'content-type': type } }))
  }
}

function totalBytes(files: Files): number {
  return files.reduce((all, [, bytes]) => all + bytes, 0)
}

/** Remove files of an earlier download that this one does not have. */
async function deleteObsoleteFiles(found: Manifest, kept: Cache | undefined): Promise<void> {
  const wanted = new Set([...found.files.map(([name]) => BASE + name), `${BASE}manifest.json`])
  for (const request of (await kept?.keys()) ?? []) if (!wanted.has(request.url)) await kept!.delete(request)
}

export const download = new Download()

/** Megabytes with one decimal: texts write them as their language does. */
export const toMegabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
