// A recorded match on a page: its scene and UI, its error, and playing on from a moment.
import { untrack } from 'svelte'
import type { GameUi } from '../games/gameUi'
import { get, post, Refusal } from '../lib/http'
import type { Eyes, Replay } from '../lib/replayScene.svelte'
import { pageHref, navigateTo, route } from '../lib/router.svelte'
import { ensureSession } from '../lib/currentUser.svelte'
import { settings } from '../lib/settings.svelte'
import { hasClientText, hasGameText, loadLanguage, t } from '../lib/i18n.svelte'
import { describeError } from '../parts/errorText'
import { loadGameUi } from './loadGameUi'

const REST = 400 // ms at a moment before the address follows

export class Opening<R extends Replay> {
  scene: R | undefined = $state.raw()
  ui: GameUi | undefined = $state.raw()
  trouble = $state('')
  busy = $state(false)
  /** A table to play on at is being created. */
  leaving = $state(false)
  private left = false
  private calls = 0

  /** `title` and `link` are current values of the page. */
  constructor(title: () => string, link: (scene: R) => string | null) {
    $effect(() => {
      if (this.scene) void loadLanguage(settings.language, this.scene.game)
    })
    $effect(() => {
      void [hasClientText('shell.named'), hasGameText(this.scene?.game ?? '', 'colour.red'), settings.language]
      untrack(() => this.scene?.people.length && this.scene.namePlayers())
    })
    // The address follows after a pause.
    $effect(() => {
      const to = this.scene && link(this.scene)
      if (!to) return
      const timer = setTimeout(() => history.replaceState(null, '', pageHref(to)), REST)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      document.title = `${title()} · Landfall`
      return () => void (document.title = 'Landfall')
    })
  }

  /** Open a match at the moment in the address; whether it exists and the page is still open. */
  async openMatch(replay: R, eyes: Eyes): Promise<boolean> {
    const call = ++this.calls
    this.trouble = ''
    this.busy = true
    try {
      await replay.showViewpoint(eyes, Number(new URLSearchParams(route.query).get('at') ?? 0) || 0)
      const [found] = await Promise.all([loadGameUi(replay.game), loadLanguage(settings.language, replay.game)])
      if (this.left || call !== this.calls) return false
      replay.animationStepsOf = found.animationStepsOf
      replay.namePlayers()
      this.scene = replay
      this.ui = found
      return true
    } catch (error) {
      const trouble = await describeError(error)
      if (call === this.calls) this.trouble = trouble
      return false
    } finally {
      if (call === this.calls) this.busy = false
    }
  }

  leavePage(): void {
    this.left = true
    this.scene?.stopPlaying()
  }

  /** Run something, and show its error. */
  async runShowingError(act: () => Promise<void>): Promise<void> {
    this.trouble = ''
    try {
      await act()
    } catch (error) {
      this.trouble = await describeError(error, this.scene?.game)
      if (!(error instanceof Refusal)) console.error(error)
    }
  }

  /** Play on from a moment against bots: the first `lines` of its record, or of what `changed` makes of that. */
  createTableFromMoment(
    seat: number,
    lines: number,
    bots?: string,
    changed = (record: string) => record,
  ): Promise<void> {
    const { record, table } = this.scene!
    this.leaving = true
    return this.runShowingError(async () => {
      await ensureSession(t('shell.guest'))
      const text = changed(record ?? (await get<string>(`/api/tables/${table}/record`)))
      const request = { record: text, lines, seat, ...(bots ? { bots } : {}) }
      const made = await post<{ table: string }>('/api/tables/open', request)
      if (!this.left) navigateTo(`/t/${made.table}`)
    }).finally(() => (this.leaving = false))
  }
}
