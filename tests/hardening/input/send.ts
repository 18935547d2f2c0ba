import { routes } from '../../../contract/routes.ts'
import { type CallSchema, schemas } from '../../../contract/schemas.ts'
import { type RawResponse, sendRaw } from '../../raw-http.ts'
import type { Attempt } from './attempts.ts'
import { isMailOff, listFaults } from './check-response.ts'
import type { RawAttack } from './raw-attacks.ts'

/** Statistics of the responses to the attacks. */
export interface Stats {
  /** Calls that have succeeded at least once. The other calls were only tested up to their error. */
  succeeded: Set<string>
  statuses: Map<number, number>
  slowestMs: number
  /** Each broken rule with the first request that broke it. */
  faults: Map<string, string>
}

export const emptyStats = (): Stats => ({
  succeeded: new Set(),
  statuses: new Map(),
  slowestMs: 0,
  faults: new Map(),
})

/** Sends an attempt by `fetch`. Returns whether it succeeded. */
export async function sendAttempt(
  origin: string,
  attempt: Attempt,
  token: string,
  stats: Stats,
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
  if (response.ok) stats.succeeded.add(call)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (response.ok && !routes[call].path.endsWith('.csv') && !(isJson && isReply(call, text)))
    faults.push('succeeded with a response that violates the contract')
  add(
    stats,
    // Counted as rejected.
    isMailOff(text) ? 400 : response.status,
    milliseconds,
    faults,
    `${attempt.caller}: ${routes[call].method} ${path} ${excerpt(body)}`,
  )
  return response.ok
}

/**
 * Sends the bytes over a plain socket.
 *
 * @param placeholders the values of the placeholders in braces
 */
export async function sendRawAttack(
  origin: string,
  { path, bytes }: RawAttack,
  placeholders: Record<string, string>,
  stats: Stats,
): Promise<void> {
  const began = performance.now()
  const request = bytes
    .toString('latin1')
    .replaceAll(/\{(origin|token|key)\}/g, (_, word: string) => placeholders[word] ?? '')
  const response: RawResponse = await sendRaw(origin, Buffer.from(request, 'latin1'))
  const headers = { get: (name: string) => response.headers[name] }
  const body = bytes.toString('latin1', 0, 5) === 'HEAD ' ? null : response.body
  const faults = listFaults(path, { ...response, headers, body })
  add(stats, response.status, performance.now() - began, faults, `raw: ${excerpt(bytes.toString('latin1'))}`)
}

function add(stats: Stats, status: number, ms: number, faults: string[], request: string): void {
  stats.statuses.set(status, (stats.statuses.get(status) ?? 0) + 1)
  stats.slowestMs = Math.max(stats.slowestMs, ms)
  for (const fault of faults)
    if (!stats.faults.has(fault) && stats.faults.size < 40) stats.faults.set(fault, request)
}

/** Accepts the reply of any call with the same method and path, because a mutated body may select another call. */
function isReply(call: Attempt['call'], text: string): boolean {
  const { method, path } = routes[call]
  const value: unknown = JSON.parse(text)
  return (Object.keys(routes) as Attempt['call'][])
    .filter((name) => routes[name].method === method && routes[name].path === path)
    .some((name) => (schemas[name] as CallSchema).reply.safeParse(value).success)
}

const excerpt = (body: Attempt['body']) =>
  (typeof body === 'string' ? JSON.stringify(body) : `${body?.length ?? 0} bytes`).slice(0, 400)
