import { readFileSync } from 'node:fs'

const shared = readFileSync(new URL('sandbox-page.css', import.meta.url), 'utf8')

/** The style of a sandbox's page: what the pages of all sandboxes have, and what its own file adds. */
export const readSandboxStyle = (file: URL): string => shared + readFileSync(file, 'utf8')
