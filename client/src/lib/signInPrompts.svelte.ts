// What outlives a page's parts while somebody signs in: new recovery codes, which are shown once, and asking again who
// the user is before ways to sign in change.
import { post, Refusal } from './http'
import type { CodesInfo } from './rest.generated'

class SignIn {
  /** Codes that are on the screen. */
  codes: string[] = $state.raw([])
  /** Who waits for the user to prove again who they are. */
  asking: ((proved: boolean) => void) | undefined = $state.raw()

  /** Ten new codes, shown until they were kept. */
  async renewRecoveryCodes(): Promise<void> {
    this.codes = (await this.withReauthentication(() => post<CodesInfo>('/api/account/codes'))).codes
  }

  /** Do what needs a recent proof of who the user is; if there is none, ask for it first. */
  async withReauthentication<T>(what: () => Promise<T>): Promise<T> {
    try {
      return await what()
    } catch (error) {
      if (!(error instanceof Refusal) || error.fault.code !== 'not_recent') throw error
      const proved = await new Promise<boolean>((answer) => (this.asking = answer))
      if (!proved) throw error
      return what()
    }
  }

  /** The user has proved it, or does not want to. */
  resolveReauthentication(proved: boolean): void {
    this.asking?.(proved)
    this.asking = undefined
  }
}

export const signIn = new SignIn()
