// Another page over several connections: whichever of the two reloads dials the other, which waits for it. Each sends
// the other beforehand the credentials with which it will dial, and the descriptions under which it waits. A page knows
// the other's credentials after its own reload, so that it waits again before it has reached anybody.
import { decodeDescription, encodeDescription, hasValidCredentials, type Description } from './peerDescription'
import { PeerLink, type Note } from './peerLink'
import { exchangeNotes } from './peerRendezvous'
import { ownFingerprint, type PartnerRecord } from './peerStorage'

const STANDBYS = 4 // each reload while it connects uses one up
const MAX_LISTENERS = 8
const MAX_NAME_CHARS = 24
const DIAL_MS = 6000
const NEXT_DIAL_MS = 1500 // until the next description is tried beside the first
const HALF_OPEN_MS = 8000 // a standby whose caller has gone again is replaced

export class Partner {
  private links: PeerLink[] = []
  private standbys: { link: PeerLink; code: string }[] = []
  private standing: Promise<void> = Promise.resolve()
  private dialing: Promise<boolean> | undefined
  private readonly introduced = new WeakSet<PeerLink>()
  private seeking: Promise<void> | undefined
  private ended = false

  /** `opened` is called for each new connection, with the one before; `keep` when the record changed. */
  constructor(
    readonly record: PartnerRecord,
    private readonly opened: (link: PeerLink, before: PeerLink | undefined) => void,
    private readonly keep: (record: PartnerRecord) => void,
    private readonly name = '',
  ) {
    void this.openMissingStandbys()
  }

  /** The latest connection that is open. */
  get link(): PeerLink | undefined {
    return this.links.filter((one) => one.state === 'open').at(-1)
  }

  /** Use a connection once it opens, if it leads to the device of the first one; `moved`: the other device changes. */
  attachLink(link: PeerLink, moved = false): void {
    const admitOrCloseLink = (): boolean => {
      if (moved) this.record.device = link.device
      moved = false
      const known = (this.record.device ||= this.record.dialer?.fingerprint || link.device) === link.device
      if (!known || this.ended) link.close()
      return known && !this.ended
    }
    link.onnote = (note) => admitOrCloseLink() && void this.receiveNote(link, note).catch(() => link.close())
    link.onopen = () => {
      if (!admitOrCloseLink()) return
      const before = this.link
      this.links = [...this.links.filter((one) => one.state === 'open'), link]
      this.keep(this.record)
      void this.sendCredentialsAndListeners(link)
      this.opened(link, before)
    }
  }

  /** Call the other page under the descriptions it left, each a moment after the one before. */
  dialOtherPage(): Promise<boolean> {
    this.seeking ??= this.exchangeCodesByServer().finally(() => (this.seeking = undefined))
    return (this.dialing ??= this.dialAllListeners().finally(() => (this.dialing = undefined)))
  }

  /** A description under which the other page can call this one: for a return by hand. */
  async latestStandbyCode(): Promise<string | undefined> {
    await this.openMissingStandbys()
    return this.standbys.at(-1)?.code
  }

  /** The other page waits under this description: learned by hand. */
  addListenerCode(code: string): void {
    this.record.listeners = [code, ...this.record.listeners].slice(0, MAX_LISTENERS)
    this.keep(this.record)
    this.dialing = undefined // what is under way does not know it
    void this.dialOtherPage()
  }

  /** Wait for nobody any more; `wholly`: and be connected to nobody. */
  stopWaiting(wholly: boolean): void {
    this.ended ||= wholly
    this.record.dialer = undefined
    if (wholly) for (const link of this.links) link.close()
    for (const { link } of this.standbys.splice(0)) link.close()
  }

  /** By a server, if there is one: tell the other page where this one waits, and learn the same of it. */
  private async exchangeCodesByServer(): Promise<void> {
    const { own, dialer, key } = this.record
    if (!dialer) return
    const secret = [own.pwd, dialer.pwd].sort().join(' ')
    const learnGenuineCode = (code: string): void => {
      const found = decodeDescription(code)
      if (found?.to === own.ufrag && found.fingerprint === dialer.fingerprint) this.addListenerCode(code)
    }
    await exchangeNotes(
      secret,
      key ? 'friend' : 'host',
      () => this.latestStandbyCode(),
      learnGenuineCode,
      () => !this.link && !!this.record.dialer,
    )
  }

  private async dialAllListeners(): Promise<boolean> {
    const dialed: PeerLink[] = []
    try {
      for (const code of [...this.record.listeners]) {
        const listener = decodeDescription(code)
        if (!listener || this.link) continue
        // tried last the next time: it may be used up
        this.record.listeners = [...this.record.listeners.filter((one) => one !== code), code]
        this.keep(this.record)
        dialed.push(await this.dialListener(listener))
        await this.waitUntilOpen(NEXT_DIAL_MS)
      }
      if (dialed.length) await this.waitUntilOpen(DIAL_MS - NEXT_DIAL_MS)
    } finally {
      for (const link of dialed) if (link.state === 'new') link.close()
    }
    return this.link !== undefined
  }

  /** Wait until there is a connection; the other page may also call first. */
  private async waitUntilOpen(ms: number): Promise<void> {
    const till = Date.now() + ms
    while (!this.link && Date.now() < till) await new Promise((done) => setTimeout(done, 50))
  }

  private async dialListener(listener: Description): Promise<PeerLink> {
    const link = await PeerLink.create()
    this.attachLink(link)
    await link.dialListener(this.record.own, listener)
    return link
  }

  /** Send the other page how this one will call, and under which descriptions it waits. */
  private async sendCredentialsAndListeners(link: PeerLink): Promise<void> {
    const fingerprint = await ownFingerprint()
    link.sendNote({ dialer: { ...this.record.own, fingerprint }, name: this.name, listeners: this.standbyCodes() })
    await this.openMissingStandbys()
    link.sendNote({ listeners: this.standbyCodes() })
  }

  private standbyCodes(): string[] {
    return this.standbys.map((one) => one.code).filter(Boolean)
  }

  private async receiveNote(link: PeerLink, note: Note): Promise<void> {
    if (note.listeners)
      this.record.listeners = note.listeners.filter((one) => decodeDescription(one)).slice(0, MAX_LISTENERS)
    if (note.name) this.record.name = String(note.name).slice(0, MAX_NAME_CHARS)
    const { dialer } = note
    if (dialer && dialer.fingerprint !== link.device) return link.close() // each calls for itself
    const isNew = dialer && hasValidCredentials(dialer) && JSON.stringify(dialer) !== JSON.stringify(this.record.dialer)
    if (isNew) {
      // a page has one: with each other one this page would wait again
      if (this.introduced.has(link)) return link.close()
      this.introduced.add(link)
      this.stopWaiting(false)
      this.record.dialer = { ufrag: dialer.ufrag, pwd: dialer.pwd, fingerprint: dialer.fingerprint }
    }
    this.keep(this.record)
    if (isNew) {
      await this.openMissingStandbys()
      link.sendNote({ listeners: this.standbyCodes() })
    }
  }

  /** Wait for the other page's return, by as many connections as are missing. */
  private openMissingStandbys(): Promise<void> {
    const countMissingStandbys = (): number => (this.record.dialer ? STANDBYS - this.standbys.length : 0)
    return (this.standing = this.standing
      .then(
        async () => void (await Promise.all(Array.from({ length: countMissingStandbys() }, () => this.openStandby()))),
      )
      .catch(() => {}))
  }

  private async openStandby(): Promise<void> {
    const link = await PeerLink.create()
    const standby = { link, code: '' }
    const removeStandby = (): void => void (this.standbys = this.standbys.filter((one) => one !== standby))
    if (!this.record.dialer) return link.close()
    this.standbys.push(standby)
    this.attachLink(link)
    const opened = link.onopen
    link.onopen = () => {
      removeStandby()
      opened()
    }
    link.onpath = () =>
      setTimeout(() => {
        if (link.state !== 'new') return
        link.close()
        removeStandby()
        void this.openMissingStandbys().then(() => this.link?.sendNote({ listeners: this.standbyCodes() }))
      }, HALF_OPEN_MS)
    standby.code = encodeDescription(await link.waitForDialer(this.record.dialer))
  }
}
