import { errors } from '../contract/errors.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { escapeHtml } from './platform/html.ts'

/** A page that a person reads about every call, from the same document that machines read. */
export function apiDocsPage({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<header><h1>${escapeHtml(info.title)} API</h1>
<p>${escapeHtml(info.description)} The same for machines: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Calls"><ul>
${operations.map(({ path, verb, operation }) => `<li><a href="#${operation.operationId}">${title(verb, path)}</a></li>`).join('\n')}
<li><a href="#errors">Refusals</a></li>
</ul></nav>
<main>
${operations.map(({ path, verb, operation }) => section(path, verb, operation)).join('\n')}
<section id="errors">
<h2>Refusals</h2>
<table><tbody>${Object.entries(errors).map(refusal).join('\n')}</tbody></table>
</section>
</main>
</body>
</html>
`
}

function section(path: string, verb: string, operation: Operation): string {
  const body = operation.requestBody?.content['application/json']?.schema
  const reply = operation.responses['200']?.content?.['application/json']?.schema
  return `<section id="${operation.operationId}">
<h2>${title(verb, path)}</h2>
<p>${escapeHtml(operation.summary)}</p>
<p class="access">${escapeHtml(operation.description)}</p>
${operation.parameters.length > 0 ? `<h3>Parameters</h3>\n${parameterTable(operation)}` : ''}
${body ? `<h3>Body</h3>\n${code(body)}` : ''}
<h3>Answer</h3>
${code(reply)}
</section>`
}

const refusal = ([code, { status, message }]: [string, { status: number; message: string }]) =>
  `<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${escapeHtml(message)}</td></tr>`

const title = (verb: string, path: string) =>
  `<span class="verb">${verb.toUpperCase()}</span> <code>/api${escapeHtml(path)}</code>`

function parameterTable({ parameters }: Operation): string {
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${place}${required ? ', required' : ''}</td><td>${escapeHtml(shape(schema))}</td></tr>`,
  )
  return `<table><tbody>${rows.join('\n')}</tbody></table>`
}

const code = (schema: unknown) => `<pre tabindex="0"><code>${escapeHtml(shape(schema))}</code></pre>`

/** A JSON schema as a person writes it down: `{ name: string, price?: integer }`. */
function shape(schema: unknown, indent = ''): string {
  const {
    type,
    properties,
    required = [],
    items,
    enum: choices,
    const: constant,
    anyOf,
    format,
  } = schema as {
    type?: string
    properties?: Record<string, unknown>
    required?: string[]
    items?: unknown
    enum?: unknown[]
    const?: unknown
    anyOf?: unknown[]
    format?: string
  }
  if (anyOf) return anyOf.map((each) => shape(each, indent)).join(' | ')
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (constant !== undefined) return JSON.stringify(constant)
  if (items) return `list of ${shape(items, indent)}`
  if (!properties) return format ? `${type} (${format})` : (type ?? 'anything')
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${shape(field, `${indent}  `)}`,
  )
  return `{\n${fields.join('\n')}\n${indent}}`
}

export const apiDocsCss = `
:root { color: #15171b; background: #f7f6f3; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1rem 4rem; }
h1 { font-size: 2.4rem; line-height: 1.1; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: .9rem; margin: 1rem 0 .25rem; }
p { max-width: 68ch; margin: 0 0 .5rem; }
a { color: #b93a0a; }
nav ul { columns: 20rem; padding: 0; margin: 1.5rem 0 2rem; list-style: none; }
nav li { break-inside: avoid; overflow-wrap: anywhere; }
nav a { display: block; padding: .25rem 0; color: inherit; }
section { background: #fff; border: 1px solid #dedbd3; border-radius: 8px; padding: 1.25rem; margin: 0 0 1rem; }
.verb { color: #b93a0a; font-size: .85em; font-weight: 700; }
.access { color: #5b616b; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border-top: 1px solid #dedbd3; padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
th, th + td { white-space: nowrap; width: 1%; }
td:last-child { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  tr { border-top: 1px solid #dedbd3; display: block; padding: .4rem 0; }
  th, td { border: 0; display: block; padding: 0; white-space: normal; width: auto; overflow-wrap: anywhere; }
}
pre { background: #f7f6f3; border-radius: 4px; margin: 0; overflow-x: auto; padding: .75rem; font-size: .85rem; }
`
