import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryPages, validateXML } from 'xmllint-wasm'

const folder = join(import.meta.dirname, 'schemas')
const file = (name: string) => ({ fileName: name, contents: readFileSync(join(folder, name), 'utf8') })

/** What is wrong with a document by one of `tests/schemas/*.xsd`; nothing where it is well-formed and valid. */
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

/** The texts of all elements of a name, as a reader of the document understands them. */
export function textsIn(document: string, name: string): string[] {
  const element = new RegExp(`<${name}>([^<]*)</${name}>`, 'g')
  return [...document.matchAll(element)].map(([, text = '']) => unescapeXml(text))
}

function unescapeXml(text: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => signs[name] ?? whole)
}
