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

/** Which of these is smallest differs by file, by up to one per cent. */
const encodings = [
  {},
  { [constants.BROTLI_PARAM_LGBLOCK]: 16, [constants.BROTLI_PARAM_NDIRECT]: 1 },
  { [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 2 },
]

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const compressed = await Promise.all(
    encodings.map((each) => brotli(content, { params: { ...params, ...each } })),
  )
  const smallest = compressed.reduce((one, other) => (other.length < one.length ? other : one))
  await Promise.all([
    writeFile(`${path}.br`, smallest),
    deflate(content, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ])
}
