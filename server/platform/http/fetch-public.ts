import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * A file could not be fetched. `not_public`: the URL leads to an IP that is not on the public internet. `failed`: the
 * server refused the request. `unreachable`: a later attempt may succeed.
 */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly problem: 'not_public' | 'unreachable' | 'failed' | 'too_large'

  constructor(problem: FetchError['problem'], options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

interface FetchOptions {
  maxBytes: number
  /** For all redirects together. */
  timeoutMs: number
  /** Whether the shop may connect to an IP. Tests allow an IP of their own machine. */
  isAllowed?: (ip: string) => boolean
}

const maxRedirects = 3

/**
 * Fetches a file from a URL that a stranger chose. Each IP is checked when it is connected to, after every redirect
 * too, so that a DNS server cannot change its answer after the check.
 *
 * @throws FetchError
 */
export async function fetchPublic(
  from: string,
  { maxBytes, timeoutMs, isAllowed = isPublicIp }: FetchOptions,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeoutMs)
  let url = URL.parse(from)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!url || !/^https?:$/.test(url.protocol)) throw new FetchError('failed')
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // Node does not look up a host that is an IP.
    if (isIP(host) > 0 && !isAllowed(host)) throw new FetchError('not_public')
    const response = await send(url, isAllowed, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return readBody(response, maxBytes)
    response.destroy()
    const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined
    if (!isRedirect) throw new FetchError(statusCode >= 500 ? 'unreachable' : 'failed')
    url = URL.parse(headers.location ?? '', url)
  }
  throw new FetchError('failed')
}

function send(
  url: URL,
  isAllowed: (ip: string) => boolean,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const { request } = url.protocol === 'https:' ? https : http
  // The shop sends no cookie, no credentials and no referrer.
  request(
    { ...urlParts(url), signal, agent: false, lookup: lookUp(isAllowed), headers: { accept: 'image/*' } },
    resolve,
  )
    .on('error', (error) => reject(toFetchError(error)))
    .end()
  return promise
}

/** Without the credentials of the URL. */
const urlParts = ({ protocol, hostname, port, pathname, search }: URL) => ({
  protocol,
  hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
  port,
  path: pathname + search,
})

const lookUp =
  (isAllowed: (ip: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return callback(error ?? new FetchError('unreachable'), '', 0)
      if (!found.every((each) => isAllowed(each.address)))
        return callback(new FetchError('not_public'), '', 0)
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new FetchError('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    throw toFetchError(error)
  }
}

const toFetchError = (error: unknown): FetchError =>
  error instanceof FetchError ? error : new FetchError('unreachable', { cause: error })

/** IANA special-purpose IPv4 networks, multicast, and reserved ones. */
const notPublic4 = listNetworks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
const global6 = listNetworks('ipv6', ['2000::/3'])
/** Networks in the global one that are special, or that hold an IPv4. */
const notPublic6 = listNetworks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

function listNetworks(family: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    list.addSubnet(base, Number(bits), family)
  }
  return list
}

/** Returns whether an IP is on the public internet. One that is mapped to IPv6 or translated is not. */
export function isPublicIp(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return !notPublic4.check(ip, 'ipv4')
    case 6:
      return global6.check(ip, 'ipv6') && !notPublic6.check(ip, 'ipv6')
    default:
      return false
  }
}
