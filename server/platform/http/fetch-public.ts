import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * A file could not be fetched. `not_public`: the URL leads to an IP that is not on the public internet. `other_host`: it
 * leads to a URL that the caller does not accept. `failed`: the server refused the request. `unreachable`: a later
 * attempt may succeed.
 */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly problem: 'not_public' | 'other_host' | 'unreachable' | 'failed' | 'too_large'

  constructor(problem: FetchError['problem'], options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

interface FetchOptions {
  maxBytes: number
  /** For all redirects together. */
  timeoutMs: number
  /** For each connection. Default: `timeoutMs`. */
  connectTimeoutMs?: number
  /** Whether the shop may request a URL, which may be the target of a redirect. Default: all. */
  accepts?: (url: URL) => boolean
  /** Whether the shop may connect to an IP. Tests allow an IP of their own machine. */
  isAllowed?: (ip: string) => boolean
  /** Default: the lookup of the operating system. */
  lookup?: LookupFunction
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
  { maxBytes, timeoutMs, accepts, ...connection }: FetchOptions,
): Promise<Buffer> {
  const { connectTimeoutMs = timeoutMs, isAllowed = isPublicIp, lookup = dns.lookup } = connection
  const signal = AbortSignal.timeout(timeoutMs)
  let url = URL.parse(from)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!url || !/^https?:$/.test(url.protocol)) throw new FetchError('failed')
    if (accepts && !accepts(url)) throw new FetchError('other_host')
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // Node does not look up a host that is an IP.
    if (isIP(host) > 0 && !isAllowed(host)) throw new FetchError('not_public')
    const response = await send(url, { lookup: checked(lookup, isAllowed), connectTimeoutMs, signal })
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return readBody(response, maxBytes)
    response.destroy()
    const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined
    if (!isRedirect) throw new FetchError(isTemporary(statusCode) ? 'unreachable' : 'failed')
    url = URL.parse(headers.location ?? '', url)
  }
  throw new FetchError('failed')
}

const isTemporary = (status: number) => status >= 500 || status === 429

// The shop sends no cookie, no credentials and no referrer. A compressed body would be larger than its bytes.
const headers = { accept: 'image/*', 'accept-encoding': 'identity' }

function send(
  url: URL,
  { connectTimeoutMs, ...options }: { lookup: LookupFunction; connectTimeoutMs: number; signal: AbortSignal },
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request({ ...urlParts(url), ...options, agent: false, headers }, resolve)
  const connecting = setTimeout(() => sent.destroy(new FetchError('unreachable')), connectTimeoutMs)
  const stop = () => clearTimeout(connecting)
  sent
    .on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', stop))
    .on('error', (error) => reject(toFetchError(error)))
    // Without a response and without an error if the server switches to another protocol.
    .on('close', () => {
      stop()
      reject(new FetchError('unreachable'))
    })
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

/** Looks up a host for a connection. Fails if one of its IPs is not allowed. */
const checked =
  (lookup: LookupFunction, isAllowed: (ip: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      // Node passes no addresses with an error, unlike the type. An exception here would end the process.
      if (error) return callback(error, '', 0)
      const found = typeof addresses === 'string' ? [] : addresses
      const [first] = found
      if (!first) return callback(new FetchError('unreachable'), '', 0)
      if (!found.every((each) => isAllowed(each.address)))
        return callback(new FetchError('not_public'), '', 0)
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    if (Number(response.headers['content-length']) > maxBytes) throw new FetchError('too_large')
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new FetchError('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    response.destroy()
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
