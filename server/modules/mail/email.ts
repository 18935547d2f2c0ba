import { brandColors } from '../../../contract/shop.ts'
import { escapeHtml } from '../../platform/html.ts'

/** A link on a line of its own. */
export interface EmailLink {
  label: string
  url: string
}

/** What a letter says, from top to bottom. Nothing in it comes from whoever asked for it. */
export interface EmailContent {
  subject: string
  body: (string | EmailLink)[]
}

/** One letter to one person, as mail carries it. */
export interface Message {
  /** The same at each attempt, so that a repeat can be told from another letter. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** Puts a letter down as plain text and as HTML. */
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
