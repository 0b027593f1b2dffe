// Push messages in this browser: whether they are possible, and its subscription. The question of the browser itself
// comes only after a click.
import { post } from './http'
import { settings } from './settings.svelte'

/** Why there are none here; '' if they are possible. */
export type PushObstacle = '' | 'insecure' | 'install' | 'unsupported' | 'refused'

export function pushObstacle(): PushObstacle {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'unsupported'
  return Notification.permission === 'denied' ? 'refused' : ''
}

const encodeBase64url = (data: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(data ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

const serviceWorkerRegistration = (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker?.getRegistration(import.meta.env.BASE_URL) ?? Promise.resolve(undefined)

/** This browser's subscription, if it has one. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  return pushObstacle() === '' || pushObstacle() === 'refused'
    ? ((await (await serviceWorkerRegistration())?.pushManager?.getSubscription()) ?? null)
    : null
}

/** Register with the server where this browser receives messages. */
export async function registerSubscription(subscription: PushSubscription): Promise<void> {
  await post('/api/me/notifications/devices', {
    endpoint: subscription.endpoint,
    p256dh: encodeBase64url(subscription.getKey('p256dh')),
    auth: encodeBase64url(subscription.getKey('auth')),
    language: settings.language,
  })
}

/** Ask the browser, and subscribe with the server's key. Returns whether it was allowed. */
export async function subscribeToPush(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const worker = await navigator.serviceWorker.ready
  const before = await worker.pushManager.getSubscription()
  const other = before && encodeBase64url(before.options.applicationServerKey) !== key
  if (other) await before.unsubscribe() // of an earlier key
  const found =
    (!other && before) ||
    (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decodeBase64url(key) }))
  await registerSubscription(found)
  return true
}

/** A turn was made, or seen: its message is of no use any more. */
export async function closeTurnNotification(table: string): Promise<void> {
  const shown = (await (await serviceWorkerRegistration())?.getNotifications?.({ tag: `turn ${table}` })) ?? []
  for (const one of shown) one.close()
}
