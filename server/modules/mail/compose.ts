import { brandColors, shopName } from '../../../contract/shop.ts'
import { escapeHtml } from '../../platform/http/html.ts'

/** Content of an email: paragraphs with optional line breaks, links on lines of their own, and tables. */
export interface EmailContent {
  subject: string
  body: (string | EmailLink | EmailTable)[]
}

interface EmailLink {
  label: string
  url: string
}

/** Rows with a name, a detail below it, and a value on the right. */
export interface EmailTable {
  rows: { name: string; detail: string; value: string }[]
  /** Last row, if there is one. */
  total?: { name: string; value: string }
}

/** One email to one recipient. */
export type Message = ReturnType<typeof compose>

/**
 * Renders an email as plain text and as HTML. Escapes all texts.
 *
 * @param id the same for every attempt, so that recipients can drop duplicates
 */
export function compose({ subject, body }: EmailContent, { id, to }: { id: string; to: string }) {
  return { id, to, subject, text: `${body.map(toText).join('\n\n')}\n`, html: toHtml({ subject, body }) }
}

function toText(part: EmailContent['body'][number]): string {
  if (typeof part === 'string') return part
  if ('url' in part) return `${part.label}:\n${part.url}`
  const rows = part.rows.map(({ name, detail, value }) => `${name}${detail && `\n${detail}`}: ${value}`)
  return [...rows, ...(part.total ? [`${part.total.name}: ${part.total.value}`] : [])].join('\n\n')
}

function toHtml({ subject, body }: EmailContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:24px 16px;color:${brandColors.ink};font:16px/1.5 system-ui,sans-serif">
<div role="main" style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0;color:${brandColors.quiet}">${escapeHtml(shopName)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${body.map(toHtmlPart).join('\n')}
</div>
</body>
</html>
`
}

function toHtmlPart(part: EmailContent['body'][number]): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
  if ('url' in part)
    return `<p><a style="color:${brandColors.signal}" href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`
  const rows = part.rows.map(({ name, detail, value }) =>
    toRow(
      `${escapeHtml(name)}<br><span style="color:${brandColors.quiet};font-size:14px">${escapeHtml(detail)}</span>`,
      escapeHtml(value),
    ),
  )
  const total = part.total && toRow(bold(part.total.name), bold(part.total.value))
  return `<table role="presentation" style="width:100%;border-collapse:collapse">
${[...rows, ...(total ? [total] : [])].join('\n')}
</table>`
}

const bold = (text: string): string => `<strong>${escapeHtml(text)}</strong>`

/** Inline styles, because mail programs drop style sheets. */
function toRow(left: string, right: string): string {
  const cell = `padding:8px 0;border-bottom:1px solid ${brandColors.line};vertical-align:top`
  return `<tr><td style="${cell}">${left}</td><td style="${cell};padding-left:16px;text-align:right;white-space:nowrap">${right}</td></tr>`
}
