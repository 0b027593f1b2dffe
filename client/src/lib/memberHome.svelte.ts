// What waits for the user: tables, invitations, and who is here. Home and the bell share it.
import { untrack } from 'svelte'
import { sendRequest, get, post } from './http'
import { fetchGames, fetchBotLevels, type GameInfo, type Listed } from './gameAndBotCatalogue.svelte'
import type { HomeInfo, HomeTable, InvitationInfo } from './rest.generated'
import { navigateTo } from './router.svelte'

export interface UnfinishedTable extends Omit<HomeTable, 'table'> {
  table: Listed
}
export interface Invited extends Omit<InvitationInfo, 'table'> {
  table: Listed
}
export interface MemberInfo extends Omit<HomeInfo, 'tables' | 'invitations'> {
  tables: UnfinishedTable[]
  invitations: Invited[]
}

const PERIOD = 20_000

class MemberHome {
  info: MemberInfo | null = $state.raw(null)
  games: GameInfo[] = $state.raw([])
  /** When it came, by this device's clock. */
  at = $state(0)
  fault: unknown = $state.raw(null)
  private users = 0
  private timer: ReturnType<typeof setInterval> | undefined

  /** What can be acted on. */
  get actionableCount(): number {
    const info = this.info
    return info ? info.tables.filter(({ yours }) => yours).length + info.invitations.length : 0
  }

  /** A part of the page shows it: ask now and then while it does. Returns what ends it. */
  pollWhileUsed(): () => void {
    if (this.users++ === 0) {
      untrack(() => void this.refresh())
      this.timer = setInterval(() => !document.hidden && void this.refresh(), PERIOD)
    }
    return () => {
      if (--this.users === 0) clearInterval(this.timer)
    }
  }

  async refresh(): Promise<void> {
    try {
      const [info, games] = await Promise.all([get<MemberInfo>('/api/home'), fetchGames(), fetchBotLevels()])
      this.info = info
      this.games = games
      this.at = Date.now()
      this.fault = null
    } catch (error) {
      this.fault = error
    }
  }

  /** Accept an invitation: sit down. */
  async acceptInvitation({ table }: Invited): Promise<void> {
    await post(`/api/invitations/${table.table}`)
    navigateTo(`/t/${table.table}`)
  }

  async declineInvitation({ table }: Invited): Promise<void> {
    await sendRequest('DELETE', `/api/invitations/${table.table}`)
    await this.refresh()
  }
}

export const memberHome = new MemberHome()
