// Passkeys: the browser's own dialogs, and the JSON that the server gives and takes.

type Bytes = Uint8Array<ArrayBuffer>
interface Described {
  id: string
  type: 'public-key'
}

/** Whether this browser can use passkeys here: they need a name, not a bare address, and a secure page. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in self && !/^[\d.]+$|^\[/.test(location.hostname)

function decodeBase64url(text: string): Bytes {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

function encodeBase64url(buffer: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

const toCredentialDescriptors = (list: Described[] = []): PublicKeyCredentialDescriptor[] =>
  list.map(({ id, type }) => ({ id: decodeBase64url(id), type }))

/** The credential as JSON: every part that is bytes, in base64url. */
function credentialToJson(
  credential: PublicKeyCredential,
  parts: Record<string, ArrayBuffer | null>,
): Record<string, unknown> {
  const given = Object.entries(parts).filter((part): part is [string, ArrayBuffer] => part[1] !== null)
  return {
    id: credential.id,
    rawId: encodeBase64url(credential.rawId),
    type: credential.type,
    response: Object.fromEntries(given.map(([name, value]) => [name, encodeBase64url(value)])),
  }
}

/** Make a passkey; undefined if the user does not want to. */
export async function createPasskey(options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const credential = (await navigator.credentials
    .create({
      publicKey: {
        ...(asked as unknown as PublicKeyCredentialCreationOptions),
        challenge: decodeBase64url(asked.challenge),
        user: { ...asked.user, id: decodeBase64url(asked.user.id) },
        excludeCredentials: toCredentialDescriptors(asked.excludeCredentials as Described[]),
      },
    })
    .catch(ignoreCancellation)) as PublicKeyCredential | undefined
  if (!credential) return undefined
  const { clientDataJSON, attestationObject } = credential.response as AuthenticatorAttestationResponse
  return credentialToJson(credential, { clientDataJSON, attestationObject })
}

/** Sign a challenge with a passkey; undefined if the user does not want to. */
export async function signWithPasskey(options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  const asked = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const credential = (await navigator.credentials
    .get({
      publicKey: {
        ...(asked as unknown as PublicKeyCredentialRequestOptions),
        challenge: decodeBase64url(asked.challenge),
        allowCredentials: [],
      },
    })
    .catch(ignoreCancellation)) as PublicKeyCredential | undefined
  if (!credential) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return credentialToJson(credential, { clientDataJSON, authenticatorData, signature, userHandle })
}

/** Closing the browser's dialog is no error; that a device has the passkey already is not one either. */
function ignoreCancellation(error: unknown): undefined {
  if (['NotAllowedError', 'AbortError', 'InvalidStateError'].includes((error as Error).name)) return undefined
  throw error
}
