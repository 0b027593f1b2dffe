// Match records dropped onto any page: the replay shows them.
import { go, route } from './router.svelte'

class Dropped {
  /** Something that may be a record is dragged over the page. */
  near = $state(false)
  /** The dropped record, until a replay takes it. */
  record: string | null = $state.raw(null)

  over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    if (self !== top)
      event.dataTransfer.dropEffect = 'none' // a diagram beside rules takes none
    else this.near = true
  }

  away = (event: DragEvent): void => {
    if (event.relatedTarget === null) this.near = false // it left the window, not a part of the page
  }

  drop = (event: DragEvent): void => {
    this.near = false
    const file = event.dataTransfer?.files[0]
    if (!file || self !== top) return
    event.preventDefault()
    const take = (text: string): void => {
      this.record = text
      if (route.path !== '/replay') go('/replay')
    }
    void file.text().then(take, () => undefined) // a folder is no record
  }

  /** Take it, once. */
  take(): string | null {
    const found = this.record
    this.record = null
    return found
  }
}

export const recordDrop = new Dropped()
