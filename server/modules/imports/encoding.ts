import { isAscii, isUtf8 } from 'node:buffer'
import type { FileEncoding } from '../../../contract/supplier-files.ts'

/** Decodes bytes that are not UTF-16. Windows-1250 has one byte for each character, so each piece can be decoded separately. */
const decoders: Record<Exclude<FileEncoding, 'auto'>, (bytes: Buffer) => Buffer> = {
  'utf-8': (bytes) => bytes,
  'windows-1252': (bytes) => Buffer.from(new TextDecoder('windows-1252').decode(bytes)),
  'windows-1250': (bytes) => Buffer.from(new TextDecoder('windows-1250').decode(bytes)),
}

const utf8Mark = Buffer.from('\ufeff')

/** Whether a file with this start is UTF-8, even if another encoding was chosen. */
export const hasUtf8Mark = (start: Buffer): boolean => start.subarray(0, utf8Mark.length).equals(utf8Mark)

/** Returns the encoding of a file with this start. ASCII counts as UTF-8. */
export function detectEncoding(start: Buffer): 'utf-8' | 'utf-16' | 'windows-1252' {
  if (detectUtf16(start) !== null) return 'utf-16'
  return isAscii(start) || hasUtf8(start) ? 'utf-8' : 'windows-1252'
}

/**
 * Converts a text file to UTF-8. A byte order mark, or a zero in every second byte, is UTF-16. Otherwise pieces of whole
 * lines are checked: ASCII passes, and the first other piece decides between UTF-8 and Windows-1252. A row of a UTF-8 file
 * that is not UTF-8 is passed on, so that the reader can name it.
 *
 * @param encoding of a file without a byte order mark. `auto`: by the bytes
 * @param onWindows1252 called before the first piece that is Windows-1252 by its bytes
 */
export async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: FileEncoding = 'auto',
  onWindows1252: () => void = () => undefined,
): AsyncGenerator<Buffer> {
  let decode: ((bytes: Buffer) => Buffer) | null = null
  let isFirst = true
  for await (const piece of splitAtLines(chunks)) {
    if (isFirst) {
      isFirst = false
      const known = hasUtf8Mark(piece) ? 'utf-8' : encoding
      decode = openUtf16(piece) ?? (known === 'auto' ? null : decoders[known])
    }
    if (!decode && !isAscii(piece)) {
      const detected = hasUtf8(piece) ? 'utf-8' : 'windows-1252'
      if (detected === 'windows-1252') onWindows1252()
      decode = decoders[detected]
    }
    yield decode ? decode(piece) : piece
  }
}

/**
 * Characters that `ä`, `ü`, `é` and others of Mac Roman and MS-DOS become in Windows-1252. The words of its languages do
 * not have them before a small letter, except at the start.
 */
const wrongInWord = /(?<=\p{L})[ŠŸŽ§„”‚†‡•\u0081\u008d\u008f\u0090\u009d](?=\p{Ll})/u

/** Returns a word of a Windows-1252 file that shows that the file has another encoding, or undefined. */
export function findWrongWord(cells: string[]): string | undefined {
  const cell = cells.find((each) => wrongInWord.test(each))
  return cell?.split(/\s/).find((word) => wrongInWord.test(word))
}

/** Whether a piece, or one of its lines, has other characters than ASCII in UTF-8. */
function hasUtf8(piece: Buffer): boolean {
  if (isUtf8(piece)) return true
  for (let from = 0; from < piece.length; ) {
    const end = piece.indexOf('\n', from) + 1 || piece.length
    const line = piece.subarray(from, end)
    if (!isAscii(line) && isUtf8(line)) return true
    from = end
  }
  return false
}

/** Longer pieces without a line break are checked too: they are invalid anyway. */
const maxPieceBytes = 1_000_000

/**
 * Divides bytes behind line breaks, so that no character or byte order mark is divided. UTF-16 needs no such care: its
 * decoder is a stream.
 */
async function* splitAtLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.length > maxPieceBytes ? bytes.length : bytes.lastIndexOf('\n') + 1
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) yield rest
}

/** Returns a decoder if the file begins as UTF-16, or null. */
function openUtf16(start: Buffer): ((bytes: Buffer) => Buffer) | null {
  const encoding = detectUtf16(start)
  if (encoding === null) return null
  const decoder = new TextDecoder(encoding)
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }))
}

function detectUtf16(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const pairs = start.subarray(0, 40)
  if (pairs.length < 4) return null
  const isZero = (odd: 0 | 1) => pairs.every((byte, index) => index % 2 !== odd || byte === 0)
  if (isZero(1) && !isZero(0)) return 'utf-16le'
  return isZero(0) && !isZero(1) ? 'utf-16be' : null
}
