import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Route, routes } from '../../contract/routes.ts'
import { startChild } from '../child.ts'
import { aCustomer, anAddress, aProduct } from '../factories.ts'
import { freePort } from '../free-port.ts'
import { listen, stop } from '../listen.ts'
import { project } from '../shop-process.ts'
import type { Check, Figure } from './check.ts'
import { cleanup } from './cleanup.ts'
import { holdConnections, toIdleBody } from './idle-bodies.ts'
import { openShopUnderTest, type Process, untilTrue } from './shop-under-test.ts'

const seconds = { small: 1, full: 20 }
const clientsAtOnce = 16
const cached = ['/', '/products?sort=price', '/api/products', '/api/reviews', '/api/v1/bikes']
/** More requests than nginx accepts from one network, even if it closes some of them. */
const idleBodies = 400
/** Less than the time limit of a body, `client_body_timeout`. */
const holdMs = 9_000
/** The header of a browser that has just made a change. */
const recentChange = { cookie: 'recent-change=1' }

/** Clients at `deploy/nginx.conf`, a shared cache in front of the shop. */
export const proxy: Check = {
  name: 'proxy',
  isTimed: true,
  async run(size, print) {
    const { stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
    const version = /nginx\/([\d.]+)/.exec(stderr ?? '')?.[1]
    if (!version) {
      const measured = 'not checked: install nginx (apt-get install --no-install-recommends nginx)'
      return { figures: [{ what: 'requests through nginx', measured }], violations: [] }
    }
    const metricsPort = await freePort()
    const shop = await openShopUnderTest({ settings: { METRICS_PORT: String(metricsPort) } })
    const [process] = shop.processes
    const origin = await openNginx(process.origin)
    const violations: string[] = []
    const figures: Figure[] = []

    async function get(target: string, headers: Record<string, string> = {}) {
      const response = await fetch(origin + target, { headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    }
    /** Returns the number of requests that have reached the shop in the meantime. */
    async function countAsked(work: () => Promise<unknown>): Promise<number> {
      const before = await readCacheRequests(metricsPort)
      await work()
      return (await readCacheRequests(metricsPort)) - before
    }

    await aProduct(shop, { name: 'Sintered brake pads' })
    for (const target of cached) {
      let responses = 0
      const began = performance.now()
      const asked = await countAsked(() =>
        repeatUntil(began + seconds[size] * 1_000, async () => {
          const { status } = await get(target)
          responses++
          if (status !== 200) violations.push(`${target} returned ${status}`)
        }),
      )
      const elapsedSeconds = (performance.now() - began) / 1_000
      const bound = Math.floor(elapsedSeconds) + 1
      print(`${target}: ${responses} responses, the shop was asked ${asked} times`)
      const what = `requests for ${target} in ${elapsedSeconds.toFixed(1)} s that nginx ${version} asks the shop`
      figures.push({ what, measured: `${asked} of ${responses}`, bound: String(bound) })
      if (asked > bound)
        violations.push(`the shop was asked ${asked} times for ${target}, more than ${bound}`)
    }

    // Its entry is too old by now.
    const [first = '/'] = cached
    const together = await countAsked(() =>
      Promise.all(Array.from({ length: clientsAtOnce }, () => get(first))),
    )
    if (together > 1) violations.push(`the shop was asked ${together} times for ${first} at the same time`)

    async function timeNotStored(server: string): Promise<number> {
      const startedAt = performance.now()
      const ask = async () => (await fetch(`${server}/api/openapi.json`)).arrayBuffer()
      await Promise.all(Array.from({ length: clientsAtOnce }, ask))
      return Math.round(performance.now() - startedAt)
    }
    // Calls that wait for one another take up to five seconds.
    const maxMs = 2 * (await timeNotStored(process.origin)) + 900
    const notStoredMs = await timeNotStored(origin)
    if (notStoredMs > maxMs)
      violations.push(`calls that are not stored took ${notStoredMs} ms together, more than ${maxMs}`)

    const [owner, other] = [await aCustomer(shop), await aCustomer(shop)]
    await anAddress(shop, owner)
    const withToken = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
    const own = await get('/api/v1/me/addresses', withToken(owner))
    const foreign = await get('/api/v1/me/addresses', withToken(other))
    const anonymous = await get('/api/v1/me/addresses')
    if (own.status !== 200 || own.body === foreign.body)
      violations.push('two customers got the same addresses')
    if (anonymous.status !== 401) violations.push(`addresses without a token returned ${anonymous.status}`)

    for (const headers of [withToken(owner), recentChange]) {
      const [name] = Object.keys(headers)
      const asked = await countAsked(async () => {
        for (let count = 0; count < 10; count++) await get('/api/products', headers)
      })
      if (asked !== 10) violations.push(`of 10 requests with ${name}, ${asked} have reached the shop`)
    }

    violations.push(...(await holdBodies(process, metricsPort, origin)))

    const ids = await Promise.all(
      ['/', '/'].map(async (target) => (await get(target)).headers.get('x-request-id')),
    )
    if (new Set(ids).size !== 2 || ids.includes(null))
      violations.push('two responses had the same X-Request-Id')

    const search = `/products?q=${encodeURIComponent('ж'.repeat(450))}`
    const { status: searchStatus } = await get(search)
    if (searchStatus !== 200) violations.push(`a search for 450 Cyrillic characters returned ${searchStatus}`)

    await aProduct(shop, { name: 'A later product' })
    const visibleMs = await untilTrue(
      async () => (await get('/api/products')).body.includes('A later product'),
      10_000,
      'showing a change',
    )
    figures.push({
      what: 'a change is visible to all after',
      measured: `${Math.round(visibleMs)} ms`,
      bound: '4000 ms',
    })
    if (visibleMs > 4_000) violations.push(`a change was visible after ${Math.round(visibleMs)} ms`)

    violations.push(...(await tryRoutes()))

    await process.kill()
    const [known, unknown] = [await get('/api/products'), await get('/contact')]
    if (known.status !== 200) violations.push(`without the shop, a known response became ${known.status}`)
    if (unknown.status !== 502)
      violations.push(`without the shop, an unknown page returned ${unknown.status}`)
    return { figures, violations: [...new Set(violations)] }
  },
}

/** Bodies that do not arrive stay at nginx, which limits the requests of one network. */
async function holdBodies(shop: Process, metricsPort: number, origin: string): Promise<string[]> {
  const attack = holdConnections(
    origin,
    Array.from({ length: idleBodies }, (_, index) => toIdleBody(shop.origin, index)),
  )
  const returns = (status: number) => async () => {
    const response = await fetch(`${origin}/healthz`)
    await response.arrayBuffer()
    return response.status === status
  }
  await untilTrue(returns(429), holdMs, 'refusing requests of a network that has too many')
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const inShop = Number(/^http_requests_in_flight (\d+)$/m.exec(metrics)?.[1])
  attack.end()
  await untilTrue(returns(200), holdMs, 'accepting requests after the others ended')
  return inShop === 0 ? [] : [`${inShop} requests have reached the shop before their bodies`]
}

/** Sends each call of the contract to an upstream whose responses may all be stored. Returns what nginx did wrong. */
async function tryRoutes(): Promise<string[]> {
  const asked: string[] = []
  let lastHeaders: IncomingHttpHeaders = {}
  const upstream = createServer((call, response) => {
    asked.push(`${call.method} ${call.url}`)
    lastHeaders = call.headers
    call.resume()
    response.setHeader('cache-control', 'public, max-age=60').end('{}')
  })
  cleanup.add(() => stop(upstream))
  const origin = await openNginx(`http://127.0.0.1:${await listen(upstream)}`)
  const calls = Object.values<Route>(routes).map((route) => ({
    ...route,
    target: `/api${route.path.replaceAll(/\{\w+\}/g, '1')}`,
  }))
  const violations: string[] = []

  for (const { target, cache } of calls.filter(({ method }) => method === 'GET')) {
    for (let count = 0; count < 2; count++) await (await fetch(origin + target)).text()
    const times = asked.filter((call) => call === `GET ${target}`).length
    if (times !== (cache ? 1 : 2)) violations.push(`nginx asked ${times} of 2 times for ${target}`)
  }

  // The shop sends 304 for these files, and compresses them with gzip only.
  const since = new Date(0).toUTCString()
  for (const target of ['/feeds/products.xml', '/sitemap.xml', '/sitemaps/products-1.xml']) {
    const headers = { 'if-modified-since': since, 'accept-encoding': 'gzip, br' }
    await (await fetch(origin + target, { headers })).text()
    if (lastHeaders['if-modified-since'] !== since) violations.push(`nginx removed the date from ${target}`)
    if (!lastHeaders['accept-encoding']?.includes('gzip'))
      violations.push(`nginx removed gzip from ${target}`)
  }

  // The first byte of each body. Only uploads reach the shop before the rest.
  const writes = calls.filter(({ method }) => method !== 'GET')
  const begun = writes.map(({ method, target }) => {
    const call = request(origin + target, { method, headers: { 'content-length': 2 } })
    call.on('error', () => undefined).write('x')
    return call
  })
  const uploads = writes.filter(({ upload }) => upload).map(({ method, target }) => `${method} ${target}`)
  const isPassedOn = async () => uploads.every((call) => asked.includes(call))
  await untilTrue(isPassedOn, 5_000, 'passing on uploads before they have arrived')
  for (const { method, target, upload } of writes) {
    if (!upload && asked.includes(`${method} ${target}`))
      violations.push(`nginx passed on ${target} before its body`)
  }
  for (const call of begun) call.destroy()
  return violations
}

async function repeatUntil(endsAt: number, request: () => Promise<void>): Promise<void> {
  const repeat = async () => {
    while (performance.now() < endsAt) await request()
  }
  await Promise.all(Array.from({ length: clientsAtOnce }, repeat))
}

/** Returns the number of requests for pages and cached calls that a process has received. */
async function readCacheRequests(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const values = metrics.matchAll(/^shop_cache_requests_total\{.*\} (\d+)$/gm)
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0)
}

/** Starts nginx with `deploy/nginx.conf` in front of a shop, with other ports and folders. Returns its origin. */
async function openNginx(shopOrigin: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'nginx-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  // Its workers have another user.
  chmodSync(folder, 0o755)
  // The folders of the Debian package: nginx creates only the last one of a path.
  for (const name of ['log', 'lib']) mkdirSync(path.join(folder, name))
  const port = await freePort()
  const configuration = [
    ['server 127.0.0.1:8080', `server ${new URL(shopOrigin).host}`],
    ['listen 127.0.0.1:8000', `listen 127.0.0.1:${port}`],
    ['/run/nginx.pid', `${folder}/nginx.pid`],
    ['/var/log/nginx', `${folder}/log`],
    ['/var/lib/nginx', `${folder}/lib`],
    ['http {', `daemon off;\nhttp {\n  client_body_temp_path ${folder}/lib/body;`],
  ].reduce(
    (text, [from = '', to = '']) => text.replaceAll(from, to),
    readFileSync(path.join(project, 'deploy/nginx.conf'), 'utf8'),
  )
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, configuration)
  const child = startChild('nginx', ['-e', `${folder}/log/error.log`, '-c', file])
  // After SIGKILL its workers would stay.
  cleanup.add(async () => {
    child.signal('SIGTERM')
    await child.ended
  })
  const origin = `http://127.0.0.1:${port}`
  const isOpen = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    )
  await untilTrue(isOpen, 10_000, 'the start of nginx')
  return origin
}
