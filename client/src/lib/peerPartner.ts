// Another page over several connections: whichever of the two reloads dials the other, which waits for it. Each sends
// the other beforehand the credentials with which it will dial, and the descriptions under which it waits. A page knows
// the other's credentials after its own reload, so that it waits again before it has reached anybody.
import { decodeDescription, encodeDescription, isCredentials, type Description } from './peerDescription'
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
    void this.stand()
  }

  /** The latest connection that is open. */
  get link(): PeerLink | undefined {
    return this.links.filter((one) => one.state === 'open').at(-1)
  }

  /** Use a connection once it opens, if it leads to the device of the first one; `moved`: the other device changes. */
  attach(link: PeerLink, moved = false): void {
    const admit = (): boolean => {
      if (moved) this.record.device = link.device
      moved = false
      const known = (this.record.device ||= this.record.dialer?.fingerprint || link.device) === link.device
      if (!known || this.ended) link.close()
      return known && !this.ended
    }
    link.onnote = (note) => admit() && void this.receiveNote(link, note).catch(() => link.close())
    link.onopen = () => {
      if (!admit()) return
      const before = this.link
      this.links = [...this.links.filter((one) => one.state === 'open'), link]
      this.keep(this.record)
      void this.introduce(link)
      this.opened(link, before)
    }
  }

  /** Call the other page under the descriptions it left, each a moment after the one before. */
  dial(): Promise<boolean> {
    this.seeking ??= this.seek().finally(() => (this.seeking = undefined))
    return (this.dialing ??= this.dialAll().finally(() => (this.dialing = undefined)))
  }

  /** A description under which the other page can call this one: for a return by hand. */
  async listener(): Promise<string | undefined> {
    await this.stand()
    return this.standbys.at(-1)?.code
  }

  /** The other page waits under this description: learned by hand. */
  learn(code: string): void {
    this.record.listeners = [code, ...this.record.listeners].slice(0, MAX_LISTENERS)
    this.keep(this.record)
    this.dialing = undefined // what is under way does not know it
    void this.dial()
  }

  /** Wait for nobody any more; `wholly`: and be connected to nobody. */
  end(wholly: boolean): void {
    this.ended ||= wholly
    this.record.dialer = undefined
    if (wholly) for (const link of this.links) link.close()
    for (const { link } of this.standbys.splice(0)) link.close()
  }

  /** By a server, if there is one: tell the other page where this one waits, and learn the same of it. */
  private async seek(): Promise<void> {
    const { own, dialer, key } = this.record
    if (!dialer) return
    const secret = [own.pwd, dialer.pwd].sort().join(' ')
    const heard = (code: string): void => {
      const found = decodeDescription(code)
      if (found?.to === own.ufrag && found.fingerprint === dialer.fingerprint) this.learn(code)
    }
    await exchangeNotes(
      secret,
      key ? 'friend' : 'host',
      () => this.listener(),
      heard,
      () => !this.link && !!this.record.dialer,
    )
  }

  private async dialAll(): Promise<boolean> {
    const dialed: PeerLink[] = []
    try {
      for (const code of [...this.record.listeners]) {
        const listener = decodeDescription(code)
        if (!listener || this.link) continue
        // tried last the next time: it may be used up
        this.record.listeners = [...this.record.listeners.filter((one) => one !== code), code]
        this.keep(this.record)
        dialed.push(await this.dialOne(listener))
        await this.untilOpen(NEXT_DIAL_MS)
      }
      if (dialed.length) await this.untilOpen(DIAL_MS - NEXT_DIAL_MS)
    } finally {
      for (const link of dialed) if (link.state === 'new') link.close()
    }
    return this.link !== undefined
  }

  /** Wait until there is a connection; the other page may also call first. */
  private async untilOpen(ms: number): Promise<void> {
    const till = Date.now() + ms
    while (!this.link && Date.now() < till) await new Promise((done) => setTimeout(done, 50))
  }

  private async dialOne(listener: Description): Promise<PeerLink> {
    const link = await PeerLink.create()
    this.attach(link)
    await link.dial(this.record.own, listener)
    return link
  }

  /** Send the other page how this one will call, and under which descriptions it waits. */
  private async introduce(link: PeerLink): Promise<void> {
    const fingerprint = await ownFingerprint()
    link.note({ dialer: { ...this.record.own, fingerprint }, name: this.name, listeners: this.codes() })
    await this.stand()
    link.note({ listeners: this.codes() })
  }

  private codes(): string[] {
    return this.standbys.map((one) => one.code).filter(Boolean)
  }

  private async receiveNote(link: PeerLink, note: Note): Promise<void> {
    if (note.listeners)
      this.record.listeners = note.listeners.filter((one) => decodeDescription(one)).slice(0, MAX_LISTENERS)
    if (note.name) this.record.name = String(note.name).slice(0, MAX_NAME_CHARS)
    const { dialer } = note
    if (dialer && dialer.fingerprint !== link.device) return link.close() // each calls for itself
    const isNew = dialer && isCredentials(dialer) && JSON.stringify(dialer) !== JSON.stringify(this.record.dialer)
    if (isNew) {
      // a page has one: with each other one this page would wait anew
      if (this.introduced.has(link)) return link.close()
      this.introduced.add(link)
      this.end(false)
      this.record.dialer = { ufrag: dialer.ufrag, pwd: dialer.pwd, fingerprint: dialer.fingerprint }
    }
    this.keep(this.record)
    if (isNew) {
      await this.stand()
      link.note({ listeners: this.codes() })
    }
  }

  /** Wait for the other page's return, by as many connections as are missing. */
  private stand(): Promise<void> {
    const missing = (): number => (this.record.dialer ? STANDBYS - this.standbys.length : 0)
    return (this.standing = this.standing
      .then(async () => void (await Promise.all(Array.from({ length: missing() }, () => this.standOne()))))
      .catch(() => {}))
  }

  private async standOne(): Promise<void> {
    const link = await PeerLink.create()
    const standby = { link, code: '' }
    const drop = (): void => void (this.standbys = this.standbys.filter((one) => one !== standby))
    if (!this.record.dialer) return link.close()
    this.standbys.push(standby)
    this.attach(link)
    const opened = link.onopen
    link.onopen = () => {
      drop()
      opened()
    }
    link.onpath = () =>
      setTimeout(() => {
        if (link.state !== 'new') return
        link.close()
        drop()
        void this.stand().then(() => this.link?.note({ listeners: this.codes() }))
      }, HALF_OPEN_MS)
    standby.code = encodeDescription(await link.listen(this.record.dialer))
  }
}
