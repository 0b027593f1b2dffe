// One WebRTC connection between two pages: a channel for messages, and one for the connection's own notes.
import { parseSdp, toSdp, type Credentials, type Description } from './peerDescription'
import { fetchPeerConfiguration } from './peerRendezvous'
import { ownCertificate } from './peerStorage'

const GATHERING_MS = 2500 // a server for addresses that does not answer is not waited for
const DISCONNECTED_MS = 4000 // until a connection that hears nothing is given up
const CHUNK_CHARS = 16_000 // at most 64 kB as UTF-8, which every browser takes
const MAX_NOTE_CHARS = 8000 // of a page's descriptions
const MAX_NOTES = 200 // over one connection: some for each reload of the other page
const MAX_EARLY = 16 // messages that come before this page knows that both channels are open
const MAX_BUFFERED_BYTES = 1_000_000 // a page that reads no more is disconnected, and gets everything when it returns

/** A note about the connection itself. */
export interface Note {
  /** The credentials by which this page will dial after a reload. */
  dialer?: Credentials
  /** The descriptions under which this page waits for the other one's return. */
  listeners?: string[]
  /** A friend's name. */
  name?: string
  bye?: true
}

const open = new Set<PeerLink>()
addEventListener('pagehide', () => open.forEach((link) => link.close()))

export class PeerLink {
  state: 'new' | 'open' | 'closed' = 'new'
  onopen: () => void = () => {}
  onclose: () => void = () => {}
  onmessage: (text: string) => void = () => {}
  onnote: (note: Note) => void = () => {}
  /** Whether a way between the two pages was found. */
  onpath: () => void = () => {}
  /** The fingerprint of the other device, which its certificate has proved once anything arrives. The channels may be
   * open before the browser tells `remoteDescription`. */
  device = ''
  private readonly messages: RTCDataChannel
  private readonly notes: RTCDataChannel
  private received = 0 // notes
  private early: string[] = []
  private timer: ReturnType<typeof setTimeout> | undefined

  private constructor(private readonly pc: RTCPeerConnection) {
    this.messages = pc.createDataChannel('messages', { negotiated: true, id: 0 })
    this.notes = pc.createDataChannel('notes', { negotiated: true, id: 1 })
    for (const channel of [this.messages, this.notes]) {
      channel.onopen = () => this.handleChannelOpen()
      channel.onclose = () => this.close()
    }
    this.messages.onmessage = ({ data }) => typeof data === 'string' && this.handleMessage(data)
    this.notes.onmessage = ({ data }) => this.handleNote(String(data))
    pc.oniceconnectionstatechange = () => {
      if (['connected', 'completed'].includes(pc.iceConnectionState)) this.onpath()
    }
    pc.onconnectionstatechange = () => {
      clearTimeout(this.timer)
      if (this.state !== 'open') return
      if (pc.connectionState === 'failed') this.close()
      if (pc.connectionState === 'disconnected') this.timer = setTimeout(() => this.close(), DISCONNECTED_MS)
    }
  }

  static async create(): Promise<PeerLink> {
    const [certificate, { iceServers }] = await Promise.all([ownCertificate(), fetchPeerConfiguration()])
    return new PeerLink(new RTCPeerConnection({ certificates: [certificate], iceServers }))
  }

  /** Offer a connection to whoever has the description. */
  async createOffer(): Promise<Description> {
    await this.pc.setLocalDescription(await this.pc.createOffer())
    return this.gatherDescription()
  }

  /** Answer an offer. */
  async answerOffer(offer: Description): Promise<Description> {
    this.device = offer.fingerprint
    await this.pc.setRemoteDescription({ type: 'offer', sdp: toSdp({ ...offer, setup: 'actpass' }) })
    await this.pc.setLocalDescription(await this.pc.createAnswer())
    return { ...(await this.gatherDescription()), to: offer.ufrag }
  }

  /** The answer to the offer. */
  async acceptAnswer(answer: Description): Promise<void> {
    this.device = answer.fingerprint
    await this.pc.setRemoteDescription({ type: 'answer', sdp: toSdp(answer) })
  }

  /** Wait for a page that will dial by these credentials, from wherever it is then. */
  waitForDialer(dialer: Credentials): Promise<Description> {
    return this.answerOffer({ ...dialer, setup: 'actpass', candidates: [], to: '' })
  }

  /** Connect to a page that waits for these credentials. */
  async dialListener(own: Pick<Credentials, 'ufrag' | 'pwd'>, listener: Description): Promise<void> {
    const { sdp } = await this.pc.createOffer()
    const known = sdp!.replace(/^a=ice-ufrag:.*$/m, `a=ice-ufrag:${own.ufrag}`)
    await this.pc.setLocalDescription({ type: 'offer', sdp: known.replace(/^a=ice-pwd:.*$/m, `a=ice-pwd:${own.pwd}`) })
    await this.acceptAnswer(listener)
  }

  /** Send a text, in pieces if it is long. */
  send(text: string): void {
    if (this.state !== 'open') return
    if (this.messages.bufferedAmount > MAX_BUFFERED_BYTES) return this.close()
    for (let at = 0; at < text.length || at === 0; at += CHUNK_CHARS)
      this.messages.send((at + CHUNK_CHARS < text.length ? '+' : '.') + text.slice(at, at + CHUNK_CHARS))
  }

  sendNote(note: Note): void {
    if (this.notes.readyState === 'open') this.notes.send(JSON.stringify(note))
  }

  close(): void {
    if (this.state === 'closed') return
    this.sendNote({ bye: true })
    clearTimeout(this.timer)
    const before = this.state
    this.state = 'closed'
    open.delete(this)
    // a moment for the note to leave
    setTimeout(() => this.pc.close(), before === 'open' ? 200 : 0)
    this.onclose()
  }

  private handleChannelOpen(): void {
    if (this.state !== 'new' || this.messages.readyState !== 'open' || this.notes.readyState !== 'open') return
    this.state = 'open'
    open.add(this)
    this.onopen()
    for (const text of this.early.splice(0)) this.onmessage(text)
  }

  private handleMessage(text: string): void {
    if (this.state !== 'new') this.onmessage(text)
    else if (this.early.push(text) > MAX_EARLY) this.close()
  }

  private handleNote(text: string): void {
    if (text.length > MAX_NOTE_CHARS || ++this.received > MAX_NOTES) return this.close()
    try {
      const note = JSON.parse(text) as Note
      if (note.bye) this.close()
      else this.onnote(note)
    } catch {
      this.close() // nobody of ours says that
    }
  }

  private async gatherDescription(): Promise<Description> {
    if (this.pc.iceGatheringState !== 'complete')
      await new Promise<void>((done) => {
        this.pc.onicegatheringstatechange = () => this.pc.iceGatheringState === 'complete' && done()
        setTimeout(done, GATHERING_MS)
      })
    return parseSdp(this.pc.localDescription!.sdp)
  }
}

/** Puts the pieces of long texts together. */
export class Assembler {
  private pieces = ''

  /** The whole text, once its last piece is there. */
  addPiece(piece: string): string | undefined {
    this.pieces += piece.slice(1)
    if (piece[0] === '+') return undefined
    const whole = this.pieces
    this.pieces = ''
    return whole
  }
}
