import { routes } from '../../../contract/routes.ts'
import { type CallSchema, schemas } from '../../../contract/schemas.ts'
import { type RawResponse, sendRaw } from '../../raw-http.ts'
import type { Attempt } from './attempts.ts'
import { listFaults } from './check-response.ts'
import type { RawAttack } from './raw-attacks.ts'

/** Statistics of the responses to the attacks. */
export interface Met {
  /** Calls that have succeeded at least once. The other calls were only tested up to their error. */
  taken: Set<string>
  statuses: Map<number, number>
  slowestMs: number
  /** Each broken rule with the first request that broke it. */
  faults: Map<string, string>
}

export const emptyMet = (): Met => ({
  taken: new Set(),
  statuses: new Map(),
  slowestMs: 0,
  faults: new Map(),
})

/** Sends an attempt by `fetch`. Returns whether it succeeded. */
export async function sendAttempt(
  origin: string,
  attempt: Attempt,
  token: string,
  met: Met,
): Promise<boolean> {
  const { call, path, headers, body } = attempt
  const began = performance.now()
  const response = await fetch(`${origin}${path}`, {
    method: routes[call].method,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const milliseconds = performance.now() - began
  const faults = listFaults(path, { status: response.status, headers: response.headers, body: text })
  if (response.ok) met.taken.add(call)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (response.ok && !routes[call].path.endsWith('.csv') && !(isJson && isReply(call, text)))
    faults.push('succeeded with a response that violates the contract')
  note(
    met,
    response.status,
    milliseconds,
    faults,
    `${attempt.caller}: ${routes[call].method} ${path} ${shown(body)}`,
  )
  return response.ok
}

/**
 * Sends the bytes over a plain socket.
 *
 * @param words the values of the placeholders in braces
 */
export async function sendRawAttack(
  origin: string,
  { path, bytes }: RawAttack,
  words: Record<string, string>,
  met: Met,
): Promise<void> {
  const began = performance.now()
  const request = bytes
    .toString('latin1')
    .replaceAll(/\{(origin|token|key)\}/g, (_, word: string) => words[word] ?? '')
  const response: RawResponse = await sendRaw(origin, Buffer.from(request, 'latin1'))
  const headers = { get: (name: string) => response.headers[name] }
  const body = bytes.toString('latin1', 0, 5) === 'HEAD ' ? null : response.body
  const faults = listFaults(path, { ...response, headers, body })
  note(met, response.status, performance.now() - began, faults, `raw: ${shown(bytes.toString('latin1'))}`)
}

function note(met: Met, status: number, milliseconds: number, faults: string[], request: string): void {
  met.statuses.set(status, (met.statuses.get(status) ?? 0) + 1)
  met.slowestMs = Math.max(met.slowestMs, milliseconds)
  for (const fault of faults)
    if (!met.faults.has(fault) && met.faults.size < 40) met.faults.set(fault, request)
}

/** Accepts the reply of any call with the same method and path, because a mutated body may select another call. */
function isReply(call: Attempt['call'], text: string): boolean {
  const { method, path } = routes[call]
  const value: unknown = JSON.parse(text)
  return (Object.keys(routes) as Attempt['call'][])
    .filter((name) => routes[name].method === method && routes[name].path === path)
    .some((name) => (schemas[name] as CallSchema).reply.safeParse(value).success)
}

const shown = (body: Attempt['body']) =>
  (typeof body === 'string' ? JSON.stringify(body) : `${body?.length ?? 0} bytes`).slice(0, 400)
