/**
 * Decodes a UTF-8 file without its byte order mark. Stops at the first line that is not valid UTF-8.
 *
 * @returns `unreadable`: after the end of `text`, the error message, or null if the whole file is UTF-8
 */
export function decodeUtf8(chunks: AsyncIterable<Buffer>): {
  text: AsyncGenerator<string>
  unreadable: () => string | null
} {
  let reason: string | null = null
  async function* decode(): AsyncGenerator<string> {
    let isFirst = true
    for await (const lines of wholeLines(chunks)) {
      reason = isFirst ? otherFormat(lines) : null
      if (reason) return
      const good = decodeLines(lines)
      yield isFirst ? good.text.replace(/^\uFEFF/, '') : good.text
      isFirst = false
      if (good.bytes < lines.length) {
        reason = windows1252
        return
      }
    }
  }
  return { text: decode(), unreadable: () => reason }
}

const windows1252 =
  "The file is not UTF-8. It is probably Windows-1252, the default of Excel's “CSV”. Save it as “CSV UTF-8”."

/** Detects other formats of spreadsheet programs by their first bytes. Returns the error message. */
function otherFormat(bytes: Buffer): string | null {
  const starts = (signs: string) => bytes.subarray(0, signs.length).equals(Buffer.from(signs, 'latin1'))
  if (starts('PK\x03\x04') || starts('\xd0\xcf\x11\xe0'))
    return 'This is an Excel workbook. Save it as “CSV UTF-8”.'
  if (starts('\xff\xfe') || starts('\xfe\xff')) return 'The file is UTF-16. Save it as “CSV UTF-8”.'
  return null
}

const newline = 0x0a
/** In bytes, more than any valid row. A longer line ends the file and is passed on as it is. */
const maxLineLength = 1_000_000

/** Splits chunks at newlines, which are never part of a multi-byte character in UTF-8. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restLength = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1
    if (end > 0) {
      yield Buffer.concat([...rest, chunk.subarray(0, end)])
      rest = []
      restLength = 0
    }
    rest.push(chunk.subarray(end))
    restLength += chunk.length - end
    if (restLength > maxLineLength) break
  }
  if (restLength > 0) yield Buffer.concat(rest)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes the lines before the first invalid one. Returns their text and length in bytes. */
function decodeLines(lines: Buffer): { text: string; bytes: number } {
  try {
    return { text: decoder.decode(lines), bytes: lines.length }
  } catch {
    let bytes = 0
    let text = ''
    for (;;) {
      const end = lines.indexOf(newline, bytes) + 1 || lines.length
      try {
        text += decoder.decode(lines.subarray(bytes, end))
        bytes = end
      } catch {
        return { text, bytes }
      }
    }
  }
}
