// Match records dropped onto any page: the replay shows them.
import { navigateTo, route } from './router.svelte'

class Dropped {
  /** Something that may be a record is dragged over the page. */
  near = $state(false)
  /** The dropped record, until a replay takes it. */
  record: string | null = $state.raw(null)

  handleDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    if (self !== top)
      event.dataTransfer.dropEffect = 'none' // a diagram beside rules takes none
    else this.near = true
  }

  handleDragLeave = (event: DragEvent): void => {
    if (event.relatedTarget === null) this.near = false // it left the window, not a part of the page
  }

  handleDrop = (event: DragEvent): void => {
    this.near = false
    const file = event.dataTransfer?.files[0]
    if (!file || self !== top) return
    event.preventDefault()
    const openRecord = (text: string): void => {
      this.record = text
      if (route.path !== '/replay') navigateTo('/replay')
    }
    void file.text().then(openRecord, () => undefined) // a folder is no record
  }

  /** Take it, once. */
  takeRecord(): string | null {
    const found = this.record
    this.record = null
    return found
  }
}

export const recordDrop = new Dropped()
