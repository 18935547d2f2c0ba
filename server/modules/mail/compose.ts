import { brandColors, shopName } from '../../../contract/shop.ts'
import { escapeHtml } from '../../platform/http/html.ts'

/** Content of an email. Paragraphs may have line breaks. The first link is the button; the others are lines of text. */
export interface EmailContent {
  subject: string
  body: (string | EmailLink | EmailFacts | EmailTable)[]
}

interface EmailLink {
  label: string
  url: string
}

/** Short values with their names, such as the number of an order. */
export interface EmailFacts {
  facts: { name: string; value: string }[]
}

/** Rows with a name, a detail below it, and a value on the right. */
export interface EmailTable {
  rows: { name: string; detail: string; value: string }[]
  /** Amounts below the rows; the last one is the total. */
  sums: { name: string; value: string }[]
}

/** The shop as the footer of every email shows it. */
export interface EmailSender {
  /** Public origin of the shop. */
  origin: string
  seller: { name: string; address: string[] }
  /** Null: the footer has only a link to the contact page. */
  contactEmail: string | null
}

/** One email to one recipient. */
export type Message = ReturnType<typeof compose>

/**
 * Renders an email as plain text and as HTML. Escapes all texts.
 *
 * @param id the same for every attempt, so that recipients can drop duplicates
 */
export function compose(content: EmailContent, sender: EmailSender, { id, to }: { id: string; to: string }) {
  return { id, to, subject: content.subject, text: toText(content, sender), html: toHtml(content, sender) }
}

const toContactUrl = ({ origin }: EmailSender): string => `${origin}/contact-us`

function toText({ body }: EmailContent, sender: EmailSender): string {
  const { seller, contactEmail } = sender
  // Mail programs recognize `-- ` as the beginning of the signature.
  const footer = ['-- ', seller.name, ...seller.address, contactEmail ?? '', toContactUrl(sender)]
  return `${body.map(toTextPart).join('\n\n')}\n\n${footer.filter(Boolean).join('\n')}\n`
}

function toTextPart(part: EmailContent['body'][number]): string {
  if (typeof part === 'string') return part
  if ('url' in part) return `${part.label}:\n${part.url}`
  if ('facts' in part) return toPairs(part.facts)
  const rows = part.rows.map(({ name, detail, value }) => [name, detail, value].filter(Boolean).join('\n'))
  return [...rows, toPairs(part.sums)].filter(Boolean).join('\n\n')
}

const toPairs = (pairs: { name: string; value: string }[]): string =>
  pairs.map(({ name, value }) => `${name}: ${value}`).join('\n')

/** For mail programs with a dark mode. The others use the inline styles, because many drop style sheets. */
const darkStyles = `@media (prefers-color-scheme: dark) {
  .page { background: #15171b !important }
  .card { background: #1f2228 !important; border-color: #3a3e46 !important }
  .text { color: #f1efe9 !important }
  .quiet { color: #b4b9c2 !important }
  .line { border-color: #3a3e46 !important }
  .link { color: #ff8a4a !important }
}`

const { ink, paper, surface, quiet, line, signal } = brandColors
const outside = 'max-width:600px;margin:0 auto'

function toHtml({ subject, body }: EmailContent, sender: EmailSender): string {
  const button = body.find((part) => typeof part !== 'string' && 'url' in part)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${darkStyles}
</style>
</head>
<body class="page" style="margin:0;padding:16px 8px;background:${paper};font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div role="banner" style="${outside};background:${ink};border-radius:8px 8px 0 0;padding:16px 20px;color:#ffffff;font-size:20px;font-weight:700;letter-spacing:.02em">${escapeHtml(shopName)}</div>
<div role="main" class="card text" style="${outside};box-sizing:border-box;background:${surface};border:1px solid ${line};border-top:0;border-radius:0 0 8px 8px;padding:24px 20px;color:${ink};overflow-wrap:anywhere">
<h1 class="text" style="margin:0 0 16px;font-size:24px;line-height:1.25;color:${ink}">${escapeHtml(subject)}</h1>
${body.map((part) => (part === button ? toButton(part) : toHtmlPart(part))).join('\n')}
</div>
${toFooter(sender)}
</body>
</html>
`
}

function toFooter(sender: EmailSender): string {
  const { seller, contactEmail } = sender
  const address = [seller.name, ...seller.address].map(escapeHtml).join('<br>')
  const email = contactEmail && toLink({ label: contactEmail, url: `mailto:${contactEmail}` })
  const links = [email, toLink({ label: 'Contact us', url: toContactUrl(sender) })]
    .filter(Boolean)
    .join(' · ')
  return `<div role="contentinfo" class="quiet" style="${outside};padding:16px 20px 0;color:${quiet};font-size:14px;overflow-wrap:anywhere">
<p style="margin:0 0 8px">${address}</p>
<p style="margin:0">${links}</p>
</div>`
}

const toButton = ({ label, url }: EmailLink): string =>
  `<p style="margin:24px 0"><a style="display:inline-block;background:${signal};color:#ffffff;font-weight:700;text-decoration:none;padding:12px 24px;border-radius:4px" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`

const toLink = ({ label, url }: EmailLink): string =>
  `<a class="link" style="color:${signal}" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`

function toHtmlPart(part: EmailContent['body'][number]): string {
  if (typeof part === 'string')
    return `<p style="margin:0 0 16px">${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
  if ('url' in part) return `<p style="margin:0 0 16px">${toLink(part)}</p>`
  if ('facts' in part) {
    const facts = part.facts.map(
      ({ name, value }) =>
        `<span class="quiet" style="color:${quiet}">${escapeHtml(name)}</span> ${bold(value)}`,
    )
    return `<p style="margin:0 0 16px">${facts.join('<br>')}</p>`
  }
  const rows = part.rows.map(({ name, detail, value }) =>
    toRow(
      `${escapeHtml(name)}${detail && `<br><span class="quiet" style="color:${quiet};font-size:14px">${escapeHtml(detail)}</span>`}`,
      escapeHtml(value),
    ),
  )
  const sums = part.sums.map(({ name, value }, index) => {
    const isTotal = index === part.sums.length - 1
    return toRow(isTotal ? bold(name) : escapeHtml(name), isTotal ? bold(value) : escapeHtml(value))
  })
  return `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 16px">
${[...rows, ...sums].join('\n')}
</table>`
}

const bold = (text: string): string => `<strong>${escapeHtml(text)}</strong>`

function toRow(left: string, right: string): string {
  const cell = `padding:8px 0;border-bottom:1px solid ${line};vertical-align:top`
  return `<tr><td class="line" style="${cell}">${left}</td><td class="line" style="${cell};padding-left:16px;text-align:right;white-space:nowrap">${right}</td></tr>`
}
