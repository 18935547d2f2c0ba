import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { reasonOf } from './startup-error.ts'

export interface ListeningOptions {
  url: string
  channel: string
  onNotice: (payload: string) => void
  /** From now on everything is heard; what was told before may have been missed. */
  onHeard: () => void
  onLost: () => void
  /** Told, in a sentence, when the connection is lost and when it is back. */
  report: (sentence: string) => void
}

export interface Listening {
  close(): Promise<void>
}

/** Milliseconds between two looks at whether the database still answers. */
const beat = 250
/** So many beats without an answer, and it is gone. Beats that our own process has missed do not count. */
const patience = 4
const shortestPause = 100
const longestPause = 1_000

/**
 * Listens to the database's notifications on a connection of its own, which comes back by itself whenever it is lost,
 * also where nothing closes it: a frozen server, a network that swallows everything.
 * Resolves when it is heard, or when the first try has failed.
 */
export async function listen(options: ListeningOptions): Promise<Listening> {
  const ended = new AbortController()
  const { promise: firstTry, resolve: tried } = Promise.withResolvers<void>()

  async function keepListening(): Promise<void> {
    let pause = 0
    while (!ended.signal.aborted) {
      try {
        const client = await connect(options)
        if (pause > 0) options.report('The database tells its changes again.')
        pause = 0
        options.onHeard()
        tried()
        const reason = await untilLost(client, ended.signal)
        options.onLost()
        if (!ended.signal.aborted) options.report(`The database does not tell its changes (${reason}).`)
      } catch (error) {
        if (pause === 0) options.report(`The database does not tell its changes (${reasonOf(error)}).`)
        tried()
      }
      pause = Math.min(Math.max(pause * 2, shortestPause), longestPause)
      await delay(pause, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }

  const kept = keepListening()
  await firstTry
  return {
    close() {
      ended.abort()
      return kept
    },
  }
}

async function connect({ url, channel, onNotice }: ListeningOptions): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: beat * patience })
  client.on('error', () => undefined) // `untilLost` sees its end.
  client.on('notification', ({ payload }) => onNotice(payload ?? ''))
  try {
    await client.connect()
    await client.query(
      Object.assign({ text: `listen ${client.escapeIdentifier(channel)}` }, { query_timeout: 1_000 }),
    )
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** Resolves to the reason when the connection has closed, answers no more, or is not wanted any more. */
function untilLost(client: Client, ended: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const lose = (reason: string) => {
      clearInterval(timer)
      ended.removeEventListener('abort', stop)
      void client.end().catch(() => undefined)
      resolve(reason)
    }
    const stop = () => lose('the shop closes')
    ended.addEventListener('abort', stop)
    client.once('end', () => lose('the connection was closed'))

    let unanswered = 0
    const timer = setInterval(() => {
      if (unanswered++ === 0) void ask()
      else if (unanswered > patience) lose('it does not answer')
    }, beat)
    const ask = async () => {
      await client.query('select 1').then(
        () => (unanswered = 0),
        () => undefined,
      )
    }
  })
}
