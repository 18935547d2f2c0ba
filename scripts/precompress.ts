import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)
const compressible = /\.(css|js|json|svg)$/

/** Writes a `.br` and a `.gz` file for each text asset, so that requests need no compression. */
export async function precompress(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => compressible.test(name))
  await Promise.all(files.map((name) => compressFile(join(folder, name))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    brotli(content, { params }).then((small) => writeFile(`${path}.br`, small)),
    deflate(content, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ])
}
