// Asking the server over HTTP. What it refuses is thrown as a Refusal with the sentence's key.

export interface Fault {
  code: string
  key: string
  args: Record<string, unknown>
  rule: string | null
  text: string
}

export class Refusal extends Error {
  constructor(readonly fault: Fault) {
    super(fault.text)
  }
}

const GONE: Fault = { code: 'offline', key: 'net.offline', args: {}, rule: null, text: 'The server cannot be reached.' }

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    throw new Refusal(GONE)
  }
  const kind = answer.headers.get('content-type') ?? ''
  const content: unknown =
    answer.status === 204 ? null : kind.includes('json') ? await answer.json() : await answer.text()
  if (answer.ok) return content as T
  const fault =
    typeof content === 'object' && content !== null && 'code' in content
      ? (content as Fault)
      : { ...GONE, code: String(answer.status) }
  throw new Refusal(fault)
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body)
