/** Child process that sends the response in the given file to every request, and prints its URL. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BareResponse {
  headers: Record<string, string>
  /** Base64. */
  body: string
}

const { headers, body } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BareResponse
const bytes = Buffer.from(body, 'base64')
const server = createServer((_request, response) => response.writeHead(200, headers).end(bytes))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
