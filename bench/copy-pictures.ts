/**
 * Copies pictures from a server on this machine, as a worker of the shop does, until it is killed. Prints the port of the
 * server. Argument: the URL of the database.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import * as products from '../server/modules/catalog/pictures/service.ts'
import { copyPictures } from '../server/modules/pictures/downloads/service.ts'
import { openPostgresStore } from '../server/modules/pictures/service.ts'
import { createDatabase } from '../server/platform/database/database.ts'

const pauseMs = 100

const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
const background = { r: 0, g: 0, b: 0 }
const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background, noise } })
  .jpeg()
  .toBuffer()
// Readers ignore the bytes after a picture. The shop takes it for another one.
const server = createServer(({ url = '' }, response) =>
  response.end(Buffer.concat([picture, Buffer.from(url)])),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const port = String((server.address() as AddressInfo).port)
process.stdout.write(`${port}\n`)

const { db } = createDatabase(process.argv[2] ?? '', { poolSize: 4 })
const deps: Parameters<typeof copyPictures>[0] = {
  db,
  store: openPostgresStore(db),
  products,
  reach: {
    isAllowed: (ip) => ip === '127.0.0.1',
    lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    ports: [port],
  },
}
const signal = new AbortController().signal
for (;;) {
  await copyPictures(deps, signal)
  await delay(pauseMs)
}
