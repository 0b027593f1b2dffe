// Shares a link: by the device's share dialog if there is one, otherwise by the clipboard.

export type Shared = 'shared' | 'copied' | 'failed'

export async function shareLink(path: string, title: string): Promise<Shared> {
  const url = new URL(path, location.origin).href
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title, url })
      return 'shared'
    } catch (error) {
      if ((error as Error).name === 'AbortError') return 'shared'
    }
  }
  return (await copyText(url)) ? 'copied' : 'failed'
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Plain http has no clipboard API: use the old way.
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    ;(document.querySelector('dialog[open]') ?? document.body).append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

/** Whether a link is local to the device: nobody else can open it. */
export function isLocalLink(link: string): boolean {
  const { hostname } = new URL(link, location.origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
}
