import { connect } from 'node:net'

export interface RawResponse {
  /** 0 without a response. */
  status: number
  /** With names in lower case. */
  headers: Record<string, string>
  body: string
}

/** Sends raw bytes, and returns the response when the shop closes the connection. */
export async function sendRaw(origin: string, request: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  const response = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const finish = () => resolve(Buffer.concat(chunks))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', finish)
    // The shop may close the connection during the request; the response so far counts.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? finish() : reject(error),
    )
    socket.setTimeout(20_000, () => socket.destroy())
    socket.write(request)
  })
  return parse(response.toString('latin1'))
}

/** Returns a request head with `Connection: close`. */
export const rawHead = (method: string, target: string, headers: string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: shop', 'Connection: close', ...headers, '', ''].join('\r\n')

function parse(text: string): RawResponse {
  // An interim response (100) may precede the final one.
  const whole = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
  const [head = '', ...rest] = whole.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.split(':', 1)[0]?.toLowerCase() ?? '',
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') }
}
