// What waits for the user: tables, invitations, and who is here. Home and the bell share it.
import { untrack } from 'svelte'
import { ask, get, post } from './http'
import { allGames, botLevels, type GameInfo, type Listed } from './gameCatalogue.svelte'
import type { HomeInfo, HomeTable, InvitationInfo } from './rest.generated'
import { go } from './router.svelte'

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
  get count(): number {
    const info = this.info
    return info ? info.tables.filter(({ yours }) => yours).length + info.invitations.length : 0
  }

  /** A part of the page shows it: ask now and then while it does. Returns what ends it. */
  use(): () => void {
    if (this.users++ === 0) {
      untrack(() => void this.look())
      this.timer = setInterval(() => !document.hidden && void this.look(), PERIOD)
    }
    return () => {
      if (--this.users === 0) clearInterval(this.timer)
    }
  }

  async look(): Promise<void> {
    try {
      const [info, games] = await Promise.all([get<MemberInfo>('/api/home'), allGames(), botLevels()])
      this.info = info
      this.games = games
      this.at = Date.now()
      this.fault = null
    } catch (error) {
      this.fault = error
    }
  }

  /** Accept an invitation: sit down. */
  async accept({ table }: Invited): Promise<void> {
    await post(`/api/invitations/${table.table}`)
    go(`/t/${table.table}`)
  }

  async decline({ table }: Invited): Promise<void> {
    await ask('DELETE', `/api/invitations/${table.table}`)
    await this.look()
  }
}

export const memberHome = new MemberHome()
