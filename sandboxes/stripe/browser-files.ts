import { readFile } from 'node:fs/promises'
import { readSandboxStyle } from '../sandbox-page.ts'

/** Everything that the browser loads from the sandbox. */
export const BROWSER_FILES = [
  'stripe.js',
  'card.html',
  'card.js',
  'card-fields.js',
  'card.css',
  'test-cards.json',
  'challenge.html',
  'challenge.js',
  'challenge.css',
] as const

export interface BrowserFile {
  type: string
  body: Buffer
}

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** @param name one of BROWSER_FILES */
export async function readBrowserFile(name: (typeof BROWSER_FILES)[number]): Promise<BrowserFile> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (!type) throw new Error(`No content type for ${name}`)
  const url = new URL(`./browser/${name}`, import.meta.url)
  return { type, body: name === 'challenge.css' ? Buffer.from(readSandboxStyle(url)) : await readFile(url) }
}
