// Who is playing on this device, as the server knows it.
import { get, post, Refusal } from './net'

export interface Me {
  name: string
  account: boolean
}

const KEY = 'landfall.somebody' // this browser had a name here: strangers need not ask who they are

class Session {
  asked = $state(false)
  #me: Me | null = $state(null)

  get me(): Me | null {
    return this.#me
  }
  set me(me: Me | null) {
    this.#me = me
    try {
      if (me) localStorage.setItem(KEY, '1')
      else localStorage.removeItem(KEY)
    } catch {
      // a browser that keeps nothing asks each time
    }
  }
  get stranger(): boolean {
    try {
      return localStorage.getItem(KEY) !== '1'
    } catch {
      return false
    }
  }
}

export const session = new Session()

/** Ask the server who we are; nobody is fine. `sure`: also where this browser thinks that we never were anybody. */
export async function recall(sure = false): Promise<Me | null> {
  if (sure || !session.stranger) {
    try {
      session.me = await get<Me>('/api/me')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.fault.code === 'nameless') session.me = null
    }
  }
  session.asked = true
  return session.me
}

/** Be somebody: a guest with this name, or the one we are. */
export async function beSomebody(name: string): Promise<Me> {
  return (session.me ??= await post<Me>('/api/me', { name, keep: true }))
}
