import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { hasCode, reasonOf } from './startup-error.ts'

export interface ListeningOptions {
  url: string
  channel: string
  onNotice: (payload: string) => void
  /** The database answers, and from now on everything is heard; what was told before may have been missed. */
  onHeard: () => void
  /** Nothing is heard any more. The database may still be there. */
  onLost: () => void
  /** The database does not answer, or refuses. Comes again and again as long as it is so. */
  onAway: () => void
  /** Told, in a sentence, when the connection is lost and when it is back. */
  report: (sentence: string) => void
}

export interface Listening {
  /**
   * Resolves when all is heard that was told before, on whichever connection; at once where nothing is heard at present.
   */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds between two looks at whether the database still answers. */
const beat = 250
/** So many beats without an answer, and it is gone. Beats that our own process has missed do not count. */
const patience = 4
const longestPause = 1_000
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Listens to the database's notifications on a connection of its own, which comes back by itself whenever it is lost,
 * also where nothing closes it: a frozen server, a network that swallows everything.
 * Resolves when it is heard, or when the first try has failed.
 */
export async function listen(options: ListeningOptions): Promise<Listening> {
  const { onHeard, onLost, onAway, report } = options
  const ended = new AbortController()
  const { promise: firstTry, resolve: tried } = Promise.withResolvers<void>()
  let isLost = false
  let current: Client | null = null

  function lose(reason: string): void {
    if (isLost) return
    isLost = true
    current = null
    onLost()
    if (!ended.signal.aborted) report(`The database does not tell its changes (${reason}).`)
  }

  /** Resolves when the connection is lost; whether it was there at all. */
  async function listenOnce(): Promise<boolean> {
    try {
      const client = await connect(options)
      if (isLost) report('The database tells its changes again.')
      isLost = false
      current = client
      onHeard()
      tried()
      const end = await untilLost(client, ended.signal)
      lose(end)
      if (end === silent) onAway()
      return true
    } catch (error) {
      lose(reasonOf(error))
      // It lives where it has only no connection left for this one.
      if (!hasCode(error, TOO_MANY_CONNECTIONS)) onAway()
      tried()
      return false
    }
  }

  async function keepListening(): Promise<void> {
    let failures = 0
    while (!ended.signal.aborted) {
      failures = (await listenOnce()) ? 0 : failures + 1
      const pause = failures === 0 ? 0 : Math.min(50 * 2 ** failures, longestPause)
      await delay(pause, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }

  const kept = keepListening()
  await firstTry
  return {
    // Postgres sends what was told before the answer to any later question.
    catchUp: sharing(async () => {
      await current?.query('select 1').catch(() => undefined)
    }),
    close() {
      ended.abort()
      return kept
    },
  }
}

/** Those who come while one question is under way share the next. */
function sharing(ask: () => Promise<void>): () => Promise<void> {
  let underWay = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= underWay.then(() => {
      next = null
      underWay = ask()
      return underWay
    })
    return next
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

const silent = 'it does not answer'

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
      else if (unanswered > patience) lose(silent)
    }, beat)
    const ask = async () => {
      await client.query('select 1').then(
        () => (unanswered = 0),
        () => undefined,
      )
    }
  })
}
