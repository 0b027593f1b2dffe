// The current user as the server knows it: the session cookie is all that is stored.
import { get, post, Refusal } from './http'
import type { Me } from './rest.generated'

export type { Me }

class Session {
  asked = $state(false)
  me: Me | null = $state(null)
}

export const session = new Session()

/** Ask the server who we are; null for nobody. */
export async function fetchCurrentUser(): Promise<Me | null> {
  try {
    session.me = await get<Me | null>('/api/whoami')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  session.asked = true
  return session.me
}

/** The current user, or a new guest with this name. */
export async function ensureSession(name: string): Promise<Me> {
  return (session.me ??= (await fetchCurrentUser()) ?? (await post<Me>('/api/me', { name })))
}
