import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { S3Settings } from '../server/modules/pictures/service.ts'

export interface S3Server {
  settings: S3Settings
  /** Names of the objects in the bucket, sorted. */
  list(): string[]
  close(): Promise<void>
}

const bucket = 'shop-pictures'
const suffix = '._S3rver_object'

/** Opens an S3 server that verifies signatures, with one empty bucket. */
export async function openS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 's3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    list() {
      const folder = path.join(directory, bucket)
      if (!existsSync(folder)) return []
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .toSorted()
    },
    async close() {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}
