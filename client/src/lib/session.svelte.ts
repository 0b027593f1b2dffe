// Who is playing on this device, as the server knows it: a cookie says so, and nothing else is kept.
import { get, post, Refusal } from './http'

export interface Me {
  name: string
  account: boolean
}

class Session {
  asked = $state(false)
  me: Me | null = $state(null)
}

export const session = new Session()

/** Ask the server who we are; nobody is fine. */
export async function recall(): Promise<Me | null> {
  try {
    session.me = await get<Me | null>('/api/whoami')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  session.asked = true
  return session.me
}

/** Be somebody: a guest with this name, or the one we are. */
export async function ensureSession(name: string): Promise<Me> {
  return (session.me ??= (await recall()) ?? (await post<Me>('/api/me', { name })))
}
