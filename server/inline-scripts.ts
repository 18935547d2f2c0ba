import { createHash } from 'node:crypto'

export interface AllowedScripts {
  /** The document without the marks. */
  html: string
  /** One `sha256-…` for each different script that carried the mark. */
  hashes: string[]
}

/**
 * The nonce marks the inline scripts that the framework wrote itself. They are allowed by their hashes and the mark
 * is taken off, so that the document is the same for everybody and a script that was smuggled in stays forbidden.
 */
export function allowMarkedScripts(marked: string, nonce: string): AllowedScripts {
  const mark = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  for (const [, attributes = '', content = ''] of marked.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (content === '' || !attributes.includes(mark)) continue
    hashes.add(`sha256-${createHash('sha256').update(content).digest('base64')}`)
  }
  return { html: marked.replaceAll(mark, ''), hashes: [...hashes] }
}
