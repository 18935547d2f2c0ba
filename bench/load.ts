import autocannon from 'autocannon'

export type LoadRequest = Pick<autocannon.Request, 'path' | 'method' | 'headers' | 'body'>

export interface LoadOptions {
  origin: string
  /** Each sends its next request after the previous response. */
  connections: number
  seconds: number
  /** @param count number of earlier requests */
  request: (count: number) => LoadRequest
}

export interface LoadResult {
  /** Responses per second. */
  perSecond: number
  /** Response times in milliseconds. */
  latencies: number[]
}

/** Sends requests for some seconds. @throws if a response is missing or not 2xx */
export async function load({ origin, connections, seconds, request }: LoadOptions): Promise<LoadResult> {
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
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats)
    throw new Error(
      `${result.non2xx} of ${count} requests failed, and ${result.errors} got no response: ${statuses}`,
    )
  }
  return { perSecond: latencies.length / result.duration, latencies }
}
