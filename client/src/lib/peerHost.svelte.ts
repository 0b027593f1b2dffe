// The host's page: it invites friends to a table of this device, and passes their messages on to Python, which holds
// them to a server's limits.
import { SvelteMap } from 'svelte/reactivity'
import { talk } from './offline'
import { decodeDescription, encodeDescription } from './peerDescription'
import { peerAddress } from './peerAddress'
import { PeerLink } from './peerLink'
import { Partner } from './peerPartner'
import { guests, keepGuest, newRecord, randomText, type PartnerRecord } from './peerStorage'

// As `PeerSession` in src/landfall/offline/peers.py would: what is longer, or comes faster than Python reads, ends the
// channel before it fills this page's memory.
const MAX_MESSAGE_CHARS = 16_384
const MAX_PENDING = 400
const NO_PATH_MS = 15_000
const REDIAL_MS = [1000, 2000, 4000, 8000, 15_000]

/** An invitation: for one friend, until this page is closed. */
export class Invitation {
  /** `waiting` for the friend's code; `connecting`; `open`; `nopath`: the two devices do not reach each other. */
  state: 'waiting' | 'connecting' | 'open' | 'nopath' = $state('waiting')

  private constructor(
    readonly address: string,
    readonly ufrag: string,
    private readonly link: PeerLink,
  ) {}

  static async create(table: string): Promise<Invitation> {
    const link = await PeerLink.create()
    const offer = await link.offer()
    const made = new Invitation(peerAddress(`/join/${table}`, encodeDescription(offer)), offer.ufrag, link)
    makePartner(randomText(12), newRecord(table)).attach(link)
    const attached = link.onopen
    link.onopen = () => {
      attached()
      made.state = 'open'
      invitations.delete(made.ufrag)
    }
    invitations.set(made.ufrag, made)
    return made
  }

  async connect(code: string): Promise<void> {
    this.state = 'connecting'
    await this.link.accept(decodeDescription(code)!)
    setTimeout(() => this.state === 'connecting' && (this.state = 'nopath'), NO_PATH_MS)
  }
}

const invitations = new SvelteMap<string, Invitation>()
const partners = new Map<string, Partner>()

/** Use a friend's code; false if it answers no invitation of this page. */
export async function useCode(code: string): Promise<boolean> {
  const invitation = invitations.get(decodeDescription(code)?.to ?? '')
  if (!invitation || invitation.state !== 'waiting') return false
  await invitation.connect(code).catch(() => (invitation.state = 'nopath'))
  return true
}

function makePartner(id: string, record: PartnerRecord): Partner {
  const partner = new Partner(
    record,
    (link) => void serve(record.table, link),
    (changed) => keepGuest(id, changed),
  )
  partners.set(id, partner)
  return partner
}

/** Pass messages on between a friend's page and Python. */
async function serve(table: string, link: PeerLink): Promise<void> {
  let pending = 0
  const talking = talk((response) => {
    if ('heard' in response) pending--
    else if ('text' in response) link.send(response.text)
    else link.close()
  })
  link.onmessage = (piece) => {
    if (piece.length > MAX_MESSAGE_CHARS || piece[0] !== '.' || ++pending > MAX_PENDING) return link.close()
    void talking.then((found) => found.say({ do: 'hear', text: piece.slice(1) }))
  }
  link.onclose = () =>
    void talking.then((found) => {
      found.say({ do: 'part' })
      setTimeout(() => found.end(), 1000)
    })
  try {
    ;(await talking).say({ do: 'peer', table })
  } catch {
    link.close()
  }
}

/** This page was reloaded: call the friends who were here before, until they answer. */
export function resume(): void {
  for (const [id, record] of Object.entries(guests())) {
    if (partners.has(id)) continue
    const partner = makePartner(id, record)
    void redial(partner)
  }
}

async function redial(partner: Partner): Promise<void> {
  for (let i = 0; !(await partner.dial().catch(() => false)); i++)
    await new Promise((done) => setTimeout(done, REDIAL_MS[Math.min(i, REDIAL_MS.length - 1)]))
}

// A code that was opened as a link, in another page of this device: src/pages/Answer.svelte.
const codes = new BroadcastChannel('landfall-codes')
codes.onmessage = async ({ data }: MessageEvent<{ code?: string }>) => {
  if (data.code && (await useCode(data.code))) codes.postMessage({ used: data.code })
}
