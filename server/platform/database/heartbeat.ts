import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { hasCode } from '../errors.ts'

const heartbeatMs = 250
/** A server is silent after this many heartbeats without a response. */
const maxMissedHeartbeats = 4
const timeoutMs = heartbeatMs * maxMissedHeartbeats
const TOO_MANY_CONNECTIONS = '53300'

interface HeartbeatOptions {
  /** Asks the server. If it rejects, the server is asked again on a new connection. */
  ask: (client: Client, isNewConnection: boolean) => Promise<void>
  /** Called after each response. */
  onUp: () => void
  /** Called after each heartbeat without a response. */
  onDown: (error: unknown) => void
}

/**
 * Sends heartbeats to a server on a separate connection, which also detects a frozen server and a network that drops all
 * packets. Resolves after the first attempt.
 */
export async function openHeartbeat(
  url: string,
  { ask, onUp, onDown }: HeartbeatOptions,
): Promise<{ close: () => Promise<void> }> {
  const closed = new AbortController()
  let client: Client | null = null

  function disconnect(): void {
    void client?.end().catch(() => undefined)
    client = null
  }

  async function beat(): Promise<void> {
    try {
      if (client) return await inTime(ask(client, false))
    } catch (error) {
      // Try a new connection if this one was closed, or if its server has another role. A timeout means down.
      if (error === silent) throw error
    }
    disconnect()
    client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
    client.on('error', () => undefined) // The next heartbeat fails.
    await client.connect()
    await inTime(ask(client, true))
  }

  async function check(): Promise<void> {
    try {
      await beat()
      onUp()
    } catch (error) {
      disconnect()
      // The server is up if it only has no free connection.
      if (closed.signal.aborted || hasCode(error, TOO_MANY_CONNECTIONS)) return
      onDown(error)
    }
  }

  async function repeat(): Promise<void> {
    for (;;) {
      await delay(heartbeatMs, undefined, { signal: closed.signal }).catch(() => undefined)
      if (closed.signal.aborted) return disconnect()
      await check()
    }
  }

  await check()
  const repeating = repeat()
  return {
    close() {
      closed.abort()
      return repeating
    },
  }
}

const silent = new Error('no response')

/**
 * Rejects with `silent` on a timeout. The timeout is split into heartbeats: if this process was busy, it reads a response
 * that has arrived before the timeout ends.
 */
export function inTime<Response>(response: Promise<Response>): Promise<Response> {
  async function timeout(): Promise<never> {
    for (let count = 0; count < maxMissedHeartbeats; count++) await delay(heartbeatMs, null, { ref: false })
    throw silent
  }
  return Promise.race([response, timeout()])
}
