import autocannon from 'autocannon'

export type LoadRequest = Pick<autocannon.Request, 'path' | 'method' | 'headers' | 'body'>

export interface LoadOptions {
  origin: string
  /** Each sends its next request after the previous response. */
  connections: number
  seconds: number
  /** @param count number of earlier requests */
  request: (count: number) => LoadRequest
  /** Whether 503 is counted, and does not fail the load. */
  mayRefuse?: boolean
  /** Whether 404 is the expected response, and does not fail the load. */
  areMissing?: boolean
}

export interface LoadResult {
  /** Responses with 2xx per second, or with 404 if that is expected. */
  perSecond: number
  /** Responses with 503. */
  refused: number
  /** Response times in milliseconds. */
  latencies: number[]
}

/** Sends requests for some seconds. @throws if a response is missing or not 2xx, except an allowed 503 or 404 */
export async function load({
  origin,
  connections,
  seconds,
  request,
  mayRefuse = false,
  areMissing = false,
}: LoadOptions): Promise<LoadResult> {
  let count = 0
  const latencies: number[] = []
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    let running: autocannon.Instance | undefined
    // An exception here is not caught, and the shop would keep running. Reject instead.
    const setupRequest = (template: autocannon.Request) => {
      try {
        return { ...template, ...request(count++) }
      } catch (error) {
        reject(error)
        running?.stop()
        return template
      }
    }
    running = autocannon(
      { url: origin, connections, duration: seconds, requests: [{ setupRequest }] },
      (error: Error | null, made) => (error ? reject(error) : resolve(made)),
    )
    running.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  })
  const refused = result.statusCodeStats?.['503']?.count ?? 0
  const missing = result.statusCodeStats?.['404']?.count ?? 0
  const failed = result.non2xx - (mayRefuse ? refused : 0) - (areMissing ? missing : 0)
  if (failed > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats)
    throw new Error(
      `${failed} of ${count} requests failed, and ${result.errors} got no response: ${statuses}`,
    )
  }
  return { perSecond: (latencies.length - refused) / result.duration, refused, latencies }
}
