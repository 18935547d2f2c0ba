import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../tests/free-port.ts'
import { listen, stop } from '../../../tests/listen.ts'
import { openS3Server, type S3Server } from '../../../tests/s3-server.ts'
import { openS3Store } from './s3.ts'

const key = { hash: '0123456789abcdef0123456789abcdef', width: 320, format: 'avif' } as const
const name = 'pictures/0123456789abcdef0123456789abcdef-320.avif'
const content = Buffer.from('the bytes of a picture')

function createLog() {
  const reasons: string[] = []
  return { reasons, log: { error: ({ reason }: { reason: string }) => void reasons.push(reason) } }
}

const unavailable = { code: 'PICTURE_STORE_UNAVAILABLE' }

describe('a store in a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await openS3Server()
  })
  afterAll(() => server.close())

  test('puts, finds, gets and removes an object; each may be repeated', async () => {
    const store = openS3Store(server.settings, createLog().log)
    expect([await store.has(key), await store.get(key)]).toEqual([false, undefined])
    await store.put(key, content)
    await store.put(key, content)
    expect(server.list()).toEqual([name])
    expect([await store.has(key), await store.get(key)]).toEqual([true, content])
    await store.remove(key)
    await store.remove(key)
    expect([await store.has(key), server.list()]).toEqual([false, []])
  })

  test('objects have the headers with which a bucket may serve them directly', async () => {
    const store = openS3Store(server.settings, createLog().log)
    await store.put(key, content)
    const { endpoint, bucket } = server.settings
    const response = await fetch(`${endpoint}/${bucket}/${name}`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/avif',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    await store.remove(key)
  })

  test.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'status 403 SignatureDoesNotMatch'],
    ['an unknown key', { accessKeyId: 'wrong' }, 'status 403 InvalidAccessKeyId'],
    ['a missing bucket', { bucket: 'another-bucket' }, 'status 404 NoSuchBucket'],
  ])('with %s put and get fail, and the log has the reason', async (_what, change, reason) => {
    const { log, reasons } = createLog()
    const store = openS3Store({ ...server.settings, ...change }, log)
    await expect(store.put(key, content)).rejects.toMatchObject(unavailable)
    await expect(store.get(key)).rejects.toMatchObject(unavailable)
    expect(reasons).toEqual([reason, reason])
  })
})

describe('a store that fails', () => {
  /** Calls `get` with a server that handles requests like this. Returns the number of requests. */
  async function getFrom(handle: RequestListener, timeoutMs = 10_000) {
    let requests = 0
    const server = createServer((request, response) => {
      requests++
      handle(request, response)
    })
    const port = await listen(server)
    const { log, reasons } = createLog()
    const settings = { region: 'x', bucket: 'pictures', accessKeyId: 'id', secretAccessKey: 'secret' }
    const store = openS3Store({ ...settings, endpoint: `http://127.0.0.1:${port}` }, log, timeoutMs)
    const outcome = await store.get(key).catch((error: unknown) => error)
    await stop(server)
    return { outcome, requests, reasons }
  }

  const sendWhole: RequestListener = (_request, response) => response.end(content)

  test.each<[string, RequestListener]>([
    ['does not respond', () => undefined],
    ['sends its headers only', (_request, response) => response.flushHeaders()],
  ])('fails after the timeout if the server %s', async (_what, handle) => {
    const { outcome, ...rest } = await getFrom(handle, 200)
    expect(outcome).toMatchObject(unavailable)
    expect(rest).toEqual({ requests: 3, reasons: [expect.stringMatching(/timeout/)] })
  })

  test.each<[string, RequestListener, number, RegExp]>([
    [
      'sends half a body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': content.length })
        response.write(content.subarray(0, 5), () => response.destroy())
      },
      3,
      /UND_ERR_SOCKET/,
    ],
    [
      'returns 500',
      (_request, response) => response.writeHead(500).end('<Code>InternalError</Code>'),
      3,
      /^status 500 InternalError$/,
    ],
    ['returns 403', (_request, response) => response.writeHead(403).end(), 1, /^status 403$/],
    [
      'redirects',
      (_request, response) => response.writeHead(301, { location: '/' }).end(),
      1,
      /^status 301$/,
    ],
  ])('fails if the server %s', async (_what, handle, requests, reason) => {
    const { outcome, ...rest } = await getFrom(handle)
    expect(outcome).toMatchObject(unavailable)
    expect(rest).toEqual({ requests, reasons: [expect.stringMatching(reason)] })
  })

  test('fails if there is no server', async () => {
    const { log, reasons } = createLog()
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const store = openS3Store(
      { endpoint, region: 'x', bucket: 'pictures', accessKeyId: 'id', secretAccessKey: 'secret' },
      log,
    )
    await expect(store.get(key)).rejects.toMatchObject(unavailable)
    expect(reasons).toEqual(['ECONNREFUSED'])
  })

  test('succeeds if the third attempt does', async () => {
    let attempts = 0
    const { outcome, requests } = await getFrom((request, response) => {
      if (++attempts < 3) response.writeHead(503).end()
      else sendWhole(request, response)
    })
    expect([outcome, requests]).toEqual([content, 3])
  })
})
