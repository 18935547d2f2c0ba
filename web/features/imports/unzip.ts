import { Unzip, UnzipInflate } from 'fflate'
import { maxPictureBytes } from '../../../contract/picture-uploads.ts'

/** A file with its path in a zip file or a folder. */
export interface PathFile {
  path: string
  content: Blob
}

const picture = /^(?!__MACOSX\/).*\.(?:jpe?g|png|webp|avif)$/i

/**
 * Returns the pictures in a zip file, as soon as each one is read. Larger files than an upload can have are left out. Without
 * the worker of the library, which the security policy does not allow.
 *
 * @throws if the file is damaged
 */
export async function* unzipPictures(file: Blob): AsyncGenerator<PathFile> {
  const ready: PathFile[] = []
  const unzip = new Unzip((entry) => {
    let chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    const isWanted = picture.test(entry.name)
    entry.ondata = (error, chunk, isLast) => {
      if (error) throw error
      bytes += chunk.length
      const isTaken = isWanted && bytes <= maxPictureBytes
      if (isTaken) chunks.push(new Uint8Array(chunk))
      else chunks = []
      if (isLast && isTaken) ready.push({ path: entry.name, content: new Blob(chunks) })
    }
    // An entry that is not started collects its bytes.
    entry.start()
  })
  unzip.register(UnzipInflate)
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value = new Uint8Array() } = await reader.read()
    unzip.push(value, done)
    yield* ready.splice(0)
    if (done) return
  }
}
