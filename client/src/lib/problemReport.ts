// A problem report for maintainers: what was refused and by which rule, the position as this seat may know it,
// versions, the window. It contains nothing that the seat does not know.
import { get } from './http'
import type { LiveTable } from './liveTable.svelte'
import type { PositionInfo } from './rest.generated'
import type { Notice } from './scene.svelte'
import { settings } from './settings.svelte'

export async function buildProblemReport(live: LiveTable, notice: Notice, said: string): Promise<string> {
  const seat = live.seat === null ? '' : `?seat=${live.seat}`
  const at = await get<PositionInfo>(`/api/tables/${live.id}/position${seat}`).catch(() => null)
  const lines: [string, unknown][] = [
    ['said', said],
    ['rule', notice.rule ?? notice.code ?? '-'],
    ['touched', notice.place || '-'],
    ['position', at?.line ?? 'the server could not be asked'],
    ['game', `${live.game}, rules ${at?.rules ?? live.table?.rules}, options ${JSON.stringify(live.options)}`],
    ['seat', at?.seat ?? 'spectator'],
    ['table', `${live.id}, entry ${at?.entry ?? '?'}, phase ${live.view?.phase}`],
    ['landfall', at ? `${at.landfall}, engine ${at.engine}` : '?'],
    ['window', `${innerWidth} x ${innerHeight}, ${live.frame.kind}, at ${devicePixelRatio}, ${settings.language}`],
    ['browser', navigator.userAgent],
  ]
  return lines.map(([name, words]) => `${name}: ${words}`).join('\n')
}
