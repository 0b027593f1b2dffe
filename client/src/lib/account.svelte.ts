// What outlives a page's parts while somebody signs in: new recovery codes, which are shown once, and how they came.
import { post } from './http'
import type { CodesInfo } from './rest.generated'

class SignIn {
  /** Codes that are on the screen. */
  codes: string[] = $state.raw([])
  /** Signed in by a recovery code: a new password needs no old one. */
  recovered = $state(false)

  /** Ten new codes, shown until they were kept. */
  async renewCodes(): Promise<void> {
    this.codes = (await post<CodesInfo>('/api/account/codes')).codes
  }
}

export const signIn = new SignIn()
