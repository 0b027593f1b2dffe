// Another page over several connections: whichever of the two reloads dials the other, which waits for it. Each sends
// the other beforehand the credentials with which it will dial, and the descriptions under which it waits.
import {
  decodeDescription,
  encodeDescription,
  isCredentials,
  type Credentials,
  type Description,
} from './peerDescription'
import { PeerLink, type Note } from './peerLink'
import { ownFingerprint, type PartnerRecord } from './peerStorage'

const STANDBYS = 2 // a page that reloads twice in a row finds the second
const MAX_LISTENERS = 4
const DIAL_MS = 4000

export class Partner {
  link: PeerLink | undefined
  private standbys: { link: PeerLink; code: string }[] = []
  private dialing: Promise<boolean> | undefined
  private dialer = ''

  /** `opened` is called for each new connection, with the one before; `keep` when the record changed. */
  constructor(
    readonly record: PartnerRecord,
    private readonly opened: (link: PeerLink, before: PeerLink | undefined) => void,
    private readonly keep: (record: PartnerRecord) => void,
  ) {}

  /** Use a connection once it opens. */
  attach(link: PeerLink): void {
    link.onnote = (note) => void this.receiveNote(link, note).catch(() => link.close())
    link.onopen = () => {
      const before = this.link
      this.link = link
      this.keep(this.record)
      void ownFingerprint().then((fingerprint) => link.note({ dialer: { ...this.record.own, fingerprint } }))
      this.opened(link, before)
    }
  }

  /** Call the other page under the descriptions it left, one after the other. */
  dial(): Promise<boolean> {
    return (this.dialing ??= this.dialAll().finally(() => (this.dialing = undefined)))
  }

  private async dialAll(): Promise<boolean> {
    for (const code of [...this.record.listeners]) {
      if (this.link?.state === 'open') return true
      const listener = decodeDescription(code)
      if (!listener) continue
      // tried last the next time: it may be used up
      this.record.listeners = [...this.record.listeners.filter((one) => one !== code), code]
      this.keep(this.record)
      if (await this.dialOne(listener)) return true
    }
    return this.link?.state === 'open'
  }

  private async dialOne(listener: Description): Promise<boolean> {
    const link = await PeerLink.create()
    this.attach(link)
    await link.dial(this.record.own, listener)
    const till = Date.now() + DIAL_MS
    // or the other page calls first
    while (link.state === 'new' && this.link?.state !== 'open' && Date.now() < till)
      await new Promise((done) => setTimeout(done, 50))
    if (link.state === 'new') link.close()
    return this.link?.state === 'open'
  }

  private async receiveNote(link: PeerLink, note: Note): Promise<void> {
    if (note.listeners) {
      this.record.listeners = note.listeners.filter((one) => decodeDescription(one)).slice(0, MAX_LISTENERS)
      this.keep(this.record)
    }
    if (note.dialer && isCredentials(note.dialer)) {
      await this.stand(note.dialer)
      link.note({ listeners: this.standbys.map((one) => one.code).filter(Boolean) })
    }
  }

  /** Wait for the other page's return. */
  private async stand(dialer: Credentials): Promise<void> {
    if (this.dialer !== JSON.stringify(dialer)) {
      this.standbys.forEach((one) => one.link.close())
      this.standbys = []
      this.dialer = JSON.stringify(dialer)
    }
    while (this.standbys.length < STANDBYS) {
      const link = await PeerLink.create()
      const standby = { link, code: '' }
      this.standbys.push(standby)
      this.attach(link)
      const opened = link.onopen
      link.onopen = () => {
        this.standbys = this.standbys.filter((one) => one !== standby)
        opened()
      }
      standby.code = encodeDescription(await link.listen(dialer))
    }
  }
}
