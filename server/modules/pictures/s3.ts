import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { FastifyBaseLogger } from 'fastify'
import { objectName } from '../../../contract/pictures.ts'
import { ShopError, toReason } from '../../platform/errors.ts'
import { traceHeaders } from '../../platform/telemetry/tracing.ts'
import type { PictureKey } from './repository.ts'
import type { PictureStore } from './store.ts'

export interface S3Settings {
  /** URL of the service, without a trailing slash. The bucket is the next part of the path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Covers the whole response, its body included. */
const requestTimeoutMs = 5_000
const maxRetries = 2
const retryDelayMs = 200

/** Request timeout, too many requests. */
const temporaryStatuses = [408, 429]

/** The store refuses the request: a wrong key, bucket or region. A retry does not help. */
class StoreRejected extends Error {}

type SignedRequest = RequestInit & { method: 'PUT' | 'GET' | 'HEAD' | 'DELETE' }

interface StoreResponse {
  status: number
  body: Buffer
}

/**
 * Opens a store in a bucket of an S3-compatible service. The objects are `pictures/<hash>-<width>.<format>`.
 *
 * @throws PICTURE_STORE_UNAVAILABLE from all functions, after three attempts
 */
export function openS3Store(
  { endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings,
  log: Pick<FastifyBaseLogger, 'error'>,
  timeoutMs = requestTimeoutMs,
): PictureStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region })

  async function attempt(url: string, init: SignedRequest): Promise<StoreResponse> {
    const request = await client.sign(url, init)
    // Not signed, because proxies may change them.
    for (const [name, value] of Object.entries(traceHeaders())) request.headers.set(name, value)
    // A redirect names another region; its signature would be wrong there.
    const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const body = Buffer.from(await response.arrayBuffer())
    const { status } = response
    // The response to HEAD has no body, so a missing bucket looks like a missing object there.
    const isMissing = status === 404 && init.method !== 'PUT' && !body.includes('NoSuchBucket')
    if (response.ok || isMissing) return { status, body }
    const code = /<Code>(\w+)<\/Code>/.exec(body.toString('latin1', 0, 2_000))?.[1] ?? ''
    const reason = `status ${status} ${code}`.trim()
    if (status >= 500 || temporaryStatuses.includes(status)) throw new Error(reason)
    throw new StoreRejected(reason)
  }

  async function send(key: PictureKey, init: SignedRequest): Promise<StoreResponse> {
    const url = `${endpoint}/${bucket}/${objectName(key.hash, key.width, key.format)}`
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(url, init)
      } catch (error) {
        if (retries < maxRetries && !(error instanceof StoreRejected)) {
          await delay(retryDelayMs * 2 ** retries)
          continue
        }
        const reason = error instanceof TypeError && error.cause ? toReason(error.cause) : toReason(error)
        log.error({ method: init.method, bucket, reason }, 'the picture store does not work')
        throw new ShopError('PICTURE_STORE_UNAVAILABLE', { cause: error })
      }
    }
  }

  return {
    async put(key, content) {
      await send(key, {
        method: 'PUT',
        body: new Uint8Array(content),
        headers: {
          'Content-Type': `image/${key.format}`,
          'Cache-Control': 'public, max-age=31536000, immutable',
          // The store rejects a body that was changed on its way.
          'X-Amz-Content-Sha256': createHash('sha256').update(content).digest('hex'),
        },
      })
    },
    async get(key) {
      const { status, body } = await send(key, { method: 'GET' })
      return status === 404 ? undefined : body
    },
    async has(key) {
      const { status } = await send(key, { method: 'HEAD' })
      return status !== 404
    },
    async remove(key) {
      await send(key, { method: 'DELETE' })
    },
  }
}
