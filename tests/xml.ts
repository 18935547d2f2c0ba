import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryPages, validateXML } from 'xmllint-wasm'

const folder = join(import.meta.dirname, 'schemas')
const file = (name: string) => ({ fileName: name, contents: readFileSync(join(folder, name), 'utf8') })

/** Validates a document against one of `tests/schemas/*.xsd`. Returns the errors. */
export async function listFaults(document: string, schema: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'document.xml', contents: document }],
    schema: [file(schema)],
    preload: readdirSync(folder)
      .filter((name) => name !== schema)
      .map(file),
    maxMemoryPages: memoryPages.GiB,
  })
  return errors.map(({ message }) => message)
}

/** Returns the unescaped texts of all elements with this name. */
export function textsIn(document: string, name: string): string[] {
  const element = new RegExp(`<${name}>([^<]*)</${name}>`, 'g')
  return [...document.matchAll(element)].map(([, text = '']) => unescapeXml(text))
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
