import { readFileSync } from 'node:fs'

const shared = readFileSync(new URL('sandbox-page.css', import.meta.url), 'utf8')

/** Returns the style of a sandbox's page: the shared style, then its own. */
export const readSandboxStyle = (file: URL): string => shared + readFileSync(file, 'utf8')
