import { brandColors } from '../../../contract/shop.ts'
import { escapeHtml } from '../../platform/html.ts'

/** A link on a line of its own. */
export interface EmailLink {
  label: string
  url: string
}

/** Content of an email, from top to bottom. It must not contain user input. */
export interface EmailContent {
  subject: string
  body: (string | EmailLink)[]
}

/** One email to one recipient. */
export interface Message {
  /** The same for every attempt, so that recipients can drop duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** Renders an email as plain text and as HTML. */
export function compose(content: EmailContent, { id, to }: { id: string; to: string }): Message {
  return { id, to, subject: content.subject, text: toText(content), html: toHtml(content) }
}

const toText = ({ body }: EmailContent): string =>
  `${body.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`)).join('\n\n')}\n`

function toHtml({ subject, body }: EmailContent): string {
  const parts = body.map((part) =>
    typeof part === 'string'
      ? `<p>${escapeHtml(part)}</p>`
      : `<p><a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:24px;color:${brandColors.ink};font:16px/1.5 system-ui,sans-serif">
${parts.join('\n')}
</body>
</html>
`
}
