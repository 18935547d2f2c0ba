import { Agent, request } from 'node:http'
import { aProduct } from '../factories.ts'
import { quantile } from '../quantiles.ts'
import type { ShopProcess } from '../shop-process.ts'
import type { Finding } from './check.ts'
import { peakMemory } from './memory.ts'
import { watch } from './probes.ts'
import { openShopUnderTest } from './shop-under-test.ts'

const products = 50
const maxRecoveryMs = 5_000
/** Maximum resident memory: the heap limit of `npm start`. Without request limits it was more than twice as much. */
const memoryMb = 768

interface Load {
  connections: number
  seconds: number
  /** Maximum for the 99th percentile of accepted requests. */
  maxAcceptedMs: number
  /** Maximum for `/healthz` and a cached page. */
  maxCachedMs: number
}

interface TimedResponse {
  status: number
  ms: number
}

/** Opens a shop with products, which `run` overloads. */
export async function openOverload(load: Load, print: (progress: string) => void) {
  const shop = await openShopUnderTest({
    settings: {
      NODE_OPTIONS: `--max-old-space-size=${memoryMb}`,
      CONNECTIONS_PER_NETWORK: String(2 * load.connections),
    },
  })
  for (let count = 0; count < products; count++) await aProduct(shop, { name: `Part ${count}` })
  return { run: () => overload(shop.processes[0], load, print) }
}

/** Opens many more connections than the shop can serve. Half of the requests must be rendered. */
async function overload(
  { origin, child }: ShopProcess,
  { connections, seconds, maxAcceptedMs, maxCachedMs }: Load,
  print: (progress: string) => void,
): Promise<Finding> {
  const probes = [
    { name: '/healthz', ask: () => fetch(`${origin}/healthz`), expected: 200, may503: false },
    { name: 'a cached page', ask: () => fetch(`${origin}/reviews`), expected: 200, may503: false },
  ]
  const watched = watch(probes, maxCachedMs)
  await watched.untilRecovered(maxRecoveryMs)
  print(`${connections} connections for ${seconds} s`)
  const responses = await sendLoad(origin, connections, performance.now() + seconds * 1_000)
  const recovered = await watched.untilRecovered(maxRecoveryMs)
  await watched.end()

  const accepted = responses.filter(({ status }) => status === 200 || status === 404)
  const refused = responses.filter(({ status }) => status === 503)
  const others = responses.filter(({ status }) => ![200, 404, 503].includes(status))
  const memory = peakMemory(child.pid)
  const slowest = percentile(accepted, 0.99)
  return {
    figures: [
      {
        what: `${connections} connections: accepted, rejected`,
        measured: `${accepted.length}, ${refused.length}`,
      },
      { what: '99 of 100 succeed within', measured: `${slowest} ms`, bound: `${maxAcceptedMs} ms` },
      { what: '99 of 100 rejections within', measured: `${percentile(refused, 0.99)} ms` },
      { what: 'maximum memory', measured: `${memory} MiB`, bound: `${memoryMb} MiB` },
      { what: 'recovered after', measured: `${(recovered / 1000).toFixed(1)} s` },
    ],
    violations: [
      ...watched.faults,
      ...(others.length > 0 ? [`${others.length} returned ${others[0]?.status}`] : []),
      ...(refused.length === 0 ? ['no request was rejected'] : []),
      ...(accepted.length === 0 ? ['all requests were rejected'] : []),
      ...(slowest > maxAcceptedMs ? [`an accepted request took ${slowest} ms`] : []),
      ...(memory > memoryMb ? [`the shop took ${memory} MiB`] : []),
    ],
  }
}

/** Each connection sends its next request as soon as it has a response. */
async function sendLoad(origin: string, connections: number, until: number): Promise<TimedResponse[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const responses: TimedResponse[] = []
  let number = 0
  const lane = async () => {
    while (performance.now() < until) {
      const page = ++number
      // A 404 page is never cached, so it is rendered for each request. List responses are cached for one second.
      const path =
        page % 2 === 0
          ? `/products?page=${1_000 - (page % 900)}`
          : `/api/products?page=${1 + (page % 3)}&pageSize=24`
      responses.push(await get(`${origin}${path}`, agent))
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  return responses
}

function get(url: string, agent: Agent): Promise<TimedResponse> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - began })
    const sent = request(url, { agent }, (response) => {
      response.resume().on('end', () => end(response.statusCode ?? 0))
      response.on('error', () => end(0))
    })
    sent.on('error', () => end(0)).end()
  })
}

function percentile(responses: readonly TimedResponse[], share: number): number {
  const times = responses.map(({ ms }) => ms)
  return Math.round(quantile(times, share))
}
