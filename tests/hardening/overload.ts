import { Agent, request } from 'node:http'
import { aProduct } from '../factories.ts'
import type { Finding } from './check.ts'
import { peakMemory } from './memory.ts'
import { watch } from './probes.ts'
import { openShopUnderTest } from './shop-under-test.ts'

const products = 50
/** Maximum for the 99th percentile of accepted requests. */
const answeredWithinMs = 5_000
const wellWithinMs = 5_000
/** Maximum resident memory: the heap limit of `npm start`. Without request limits it was more than twice as much. */
const memoryMb = 768

interface Asked {
  status: number
  ms: number
}

/** Opens many more connections than the shop can serve. Half of the requests must be rendered. */
export async function overload(
  connections: number,
  seconds: number,
  print: (progress: string) => void,
): Promise<Finding> {
  const shop = await openShopUnderTest({ settings: { NODE_OPTIONS: `--max-old-space-size=${memoryMb}` } })
  const [{ origin, child }] = shop.processes
  for (let count = 0; count < products; count++) await aProduct(shop, { name: `Part ${count}` })
  const watched = watch([
    { name: '/healthz', ask: () => fetch(`${origin}/healthz`), well: 200, mayBeRefused: false },
    { name: 'a cached page', ask: () => fetch(`${origin}/reviews`), well: 200, mayBeRefused: false },
  ])
  await watched.untilWell(wellWithinMs)
  print(`${connections} connections for ${seconds} s`)
  const asked = await storm(origin, connections, performance.now() + seconds * 1_000)
  const recovered = await watched.untilWell(wellWithinMs)
  await watched.end()

  const answered = asked.filter(({ status }) => status === 200 || status === 404)
  const refused = asked.filter(({ status }) => status === 503)
  const others = asked.filter(({ status }) => ![200, 404, 503].includes(status))
  const memory = peakMemory(child.pid)
  const slowest = at(answered, 0.99)
  return {
    figures: [
      {
        what: `${connections} connections: accepted, rejected`,
        measured: `${answered.length}, ${refused.length}`,
      },
      { what: '99 of 100 succeed within', measured: `${slowest} ms`, bound: `${answeredWithinMs} ms` },
      { what: '99 of 100 rejections within', measured: `${at(refused, 0.99)} ms` },
      { what: 'maximum memory', measured: `${memory} MiB`, bound: `${memoryMb} MiB` },
      { what: 'recovered after', measured: `${(recovered / 1000).toFixed(1)} s` },
    ],
    violations: [
      ...watched.faults,
      ...(others.length > 0 ? [`${others.length} returned ${others[0]?.status}`] : []),
      ...(refused.length === 0 ? ['no request was rejected'] : []),
      ...(answered.length === 0 ? ['all requests were rejected'] : []),
      ...(slowest > answeredWithinMs ? [`an accepted request took ${slowest} ms`] : []),
      ...(memory > memoryMb ? [`the shop took ${memory} MiB`] : []),
    ],
  }
}

/** Each connection sends its next request as soon as it has a response. */
async function storm(origin: string, connections: number, until: number): Promise<Asked[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const asked: Asked[] = []
  let number = 0
  const lane = async () => {
    while (performance.now() < until) {
      const page = ++number
      // A 404 page is never cached, so it is rendered for each request. List responses are cached for one second.
      const path =
        page % 2 === 0
          ? `/products?page=${1_000 - (page % 900)}`
          : `/api/products?page=${1 + (page % 3)}&pageSize=24`
      asked.push(await get(`${origin}${path}`, agent))
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  return asked
}

function get(url: string, agent: Agent): Promise<Asked> {
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

function at(asked: readonly Asked[], share: number): number {
  const times = asked.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return Math.round(times[Math.floor(times.length * share)] ?? 0)
}
