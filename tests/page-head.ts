import type { ShopProcess } from './shop-process.ts'

/** Loads a page like a search engine, with a forged host name. */
export async function load(path: string, at: ShopProcess): Promise<{ status: number; text: string }> {
  const response = await fetch(at.origin + path, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  return { status: response.status, text: await response.text() }
}

const listMatches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, value = '']) => value)

export const toTitle = (text: string) => listMatches(text, /<title>([^<]*)<\/title>/g)
export const readCanonical = (text: string) => listMatches(text, /<link rel="canonical" href="([^"]*)"/g)
export const readRobots = (text: string) => listMatches(text, /<meta name="robots" content="([^"]*)"/g)
export const readMeta = (text: string, key: string) =>
  listMatches(text, new RegExp(`<meta (?:name|property)="${key}" content="([^"]*)"`, 'g'))

/** Returns the visible text of a page, on one line. */
export const visible = (text: string): string =>
  text
    .replaceAll(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
