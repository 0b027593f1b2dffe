// Who is playing on this device, as the server knows it.
import { get, post, Refusal } from './net'

export interface Me {
  name: string
  account: boolean
}

export const session: { me: Me | null; asked: boolean } = $state({ me: null, asked: false })

/** Ask the server who we are; nobody is fine. */
export async function recall(): Promise<Me | null> {
  try {
    session.me = await get<Me>('/api/me')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    session.me = null
  }
  session.asked = true
  return session.me
}

/** Be somebody: a guest with this name, or the one we are. */
export async function beSomebody(name: string): Promise<Me> {
  session.me = session.me ?? (await recall()) ?? (await post<Me>('/api/me', { name }))
  return session.me
}
