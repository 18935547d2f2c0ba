import { defaultEmailTexts, type EmailTextKind, fillPlaceholders } from '../../../contract/email-texts.ts'
import type { FitTone } from '../../../contract/fit-answer.ts'
import type { EmailsGroup } from '../../../contract/settings.ts'
import { brandColors } from '../../../contract/shop.ts'
import { escapeHtml } from '../../platform/http/html.ts'

/**
 * Content of an email: its fixed parts, and the slots of the texts that an admin can edit. Paragraphs may have line breaks. The
 * first link is the button; the others are lines of text.
 */
export interface EmailContent {
  /** Names subject and texts. */
  kind: EmailTextKind
  /** The values of the placeholders, except `shopName`. */
  values: Readonly<Record<string, string>>
  body: (EmailPart | EmailSlot)[]
}

type EmailPart = string | EmailLink | EmailFacts | EmailTable

/** The place of a text. */
export interface EmailSlot {
  slot: 'before' | 'after'
}

/** An email with the texts of the shop. */
interface FilledEmail {
  subject: string
  body: EmailPart[]
}

interface EmailLink {
  label: string
  url: string
}

/** Short values with their names, such as the number of an order. */
export interface EmailFacts {
  facts: { name: string; value: string }[]
}

/** Rows with a picture, a name, details below it, and a value on the right. */
export interface EmailTable {
  rows: {
    name: string
    /** URL below the origin of the shop, in a format that mail programs can show. */
    picture: string | null
    details: EmailDetail[]
    value: string
  }[]
  /** Amounts below the rows; the last one is the total. */
  sums: { name: string; value: string }[]
}

/** A text below the name of a row, perhaps as a label in a status colour. */
export interface EmailDetail {
  text: string
  tone?: FitTone
}

/** The shop as every email shows it. */
export interface EmailSender {
  /** Public origin of the shop. */
  origin: string
  shopName: string
  /** The picture in place of the name, as a URL below the origin; null: the name. */
  logo: string | null
  /** Colours of links and buttons as `#rrggbb`; null: the usual ones. */
  accent: string | null
  accentOnDark: string | null
  /** The display name of the sender; null: the one of MAIL_FROM. */
  fromName: string | null
  replyTo: string | null
  seller: { name: string; address: string[] }
  /** Null: the footer has only a link to the contact page. */
  contactEmail: string | null
  /** The texts that an admin has changed. */
  texts: EmailsGroup
}

/** One email to one recipient. */
export type Message = ReturnType<typeof compose>

/**
 * Renders an email as plain text and as HTML. Escapes all texts.
 *
 * @param id the same for every attempt, so that recipients can drop duplicates
 */
export function compose(content: EmailContent, sender: EmailSender, { id, to }: { id: string; to: string }) {
  const { fromName, replyTo } = sender
  const filled = fillIn(content, sender)
  const { subject } = filled
  return { id, to, fromName, replyTo, subject, text: toText(filled, sender), html: toHtml(filled, sender) }
}

/** Inserts the texts. A placeholder without a value is left out, so that no text can prevent an email. */
function fillIn({ kind, values, body }: EmailContent, { texts, shopName }: EmailSender): FilledEmail {
  const usual = defaultEmailTexts[kind]
  const { subject = '', before = usual.before, after = usual.after } = texts[kind] ?? {}
  const fill = (text: string) => fillPlaceholders(text, { ...values, shopName })
  const slots = { before, after }
  return {
    subject: toHeader(fill(subject)) || toHeader(fill(usual.subject)),
    body: body.flatMap((part) =>
      typeof part === 'object' && 'slot' in part ? toParagraphs(fill(slots[part.slot])) : [part],
    ),
  }
}

/** A header must be one line. */
const toHeader = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const toParagraphs = (text: string): string[] =>
  text
    .split(/\r?\n(?:[\t ]*\r?\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)

const toContactUrl = ({ origin }: EmailSender): string => `${origin}/contact-us`

function toText({ body }: FilledEmail, sender: EmailSender): string {
  const { seller, contactEmail } = sender
  // Mail programs recognize `-- ` as the beginning of the signature.
  const footer = ['-- ', seller.name, ...seller.address, contactEmail ?? '', toContactUrl(sender)]
  return `${body.map(toTextPart).join('\n\n')}\n\n${footer.filter(Boolean).join('\n')}\n`
}

function toTextPart(part: EmailPart): string {
  if (typeof part === 'string') return part
  if ('url' in part) return `${part.label}:\n${part.url}`
  if ('facts' in part) return toPairs(part.facts)
  const rows = part.rows.map(({ name, details, value }) =>
    [name, details.map(({ text }) => text).join(' · '), value].filter(Boolean).join('\n'),
  )
  return [...rows, toPairs(part.sums)].filter(Boolean).join('\n\n')
}

const toPairs = (pairs: { name: string; value: string }[]): string =>
  pairs.map(({ name, value }) => `${name}: ${value}`).join('\n')

/** For mail programs with a dark mode. The others use the inline styles, because many drop style sheets. */
const toDarkStyles = ({ accentOnDark }: EmailSender) => `@media (prefers-color-scheme: dark) {
  .page { background: ${ink} !important }
  .card { background: ${brandColors['ink-raised']} !important; border-color: ${brandColors['ink-line']} !important }
  .text { color: ${paper} !important }
  .quiet { color: ${brandColors['ink-quiet']} !important }
  .line { border-color: ${brandColors['ink-line']} !important }
  .link { color: ${accentOnDark ?? brandColors['signal-bright']} !important }
}`

const { ink, paper, surface, quiet, line, signal } = brandColors

/** Text and background of a label. It keeps them in a dark mode, like a button. */
const toneStyles: Record<FitTone, string> = {
  good: `color:${brandColors.good};background:${brandColors['good-wash']}`,
  wait: `color:${brandColors.wait};background:${brandColors['wait-wash']}`,
  bad: `color:${brandColors.bad};background:${brandColors['bad-wash']}`,
  quiet: `color:${quiet};background:${brandColors.shade}`,
}

/** Set on each cell, because some mail programs inherit no font into a table. */
const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"

/**
 * The blocks are cells of a table, because Outlook for Windows supports padding only there. It ignores `max-width`, and a `width`
 * in the style would override the attribute.
 */
function toHtml({ subject, body }: FilledEmail, sender: EmailSender): string {
  const accent = sender.accent ?? signal
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
${toDarkStyles(sender)}
</style>
</head>
<body class="page" style="margin:0;padding:16px 8px;background:${paper};overflow-wrap:anywhere">
<table role="presentation" align="center" width="600" cellspacing="0" style="table-layout:fixed;max-width:100%">
<tr>${toBanner(sender)}</tr>
<tr><td role="main" class="card text" style="${font};background:${surface};border:1px solid ${line};border-top:0;border-radius:0 0 8px 8px;padding:24px 20px;color:${ink}">
<h1 class="text" style="margin:0 0 16px;font-size:24px;line-height:1.25;color:${ink}">${escapeHtml(subject)}</h1>
${body.map((part) => (part === button ? toButton(part, accent) : toHtmlPart(part, accent))).join('\n')}
</td></tr>
<tr>${toFooter(sender)}</tr>
</table>
</body>
</html>
`
}

/** The file of a logo has a white ground. */
function toBanner({ shopName, logo }: EmailSender): string {
  const name = escapeHtml(shopName)
  const style = `${font};border-radius:8px 8px 0 0;padding:16px 20px`
  if (logo === null)
    return `<td role="banner" style="${style};background:${ink};color:#ffffff;font-size:20px;font-weight:700;letter-spacing:.02em">${name}</td>`
  return `<td role="banner" style="${style};background:#ffffff;border:1px solid ${line};border-bottom:0"><img src="${escapeHtml(logo)}" alt="${name}" height="36" style="display:block;width:auto;height:36px;max-width:100%;color:${ink};font-size:20px;font-weight:700"></td>`
}

function toFooter(sender: EmailSender): string {
  const { seller, contactEmail } = sender
  const accent = sender.accent ?? signal
  const address = [seller.name, ...seller.address].map(escapeHtml).join('<br>')
  const email = contactEmail && toLink({ label: contactEmail, url: `mailto:${contactEmail}` }, accent)
  const links = [email, toLink({ label: 'Contact us', url: toContactUrl(sender) }, accent)]
    .filter(Boolean)
    .join(' · ')
  return `<td role="contentinfo" class="quiet" style="${font};padding:16px 20px 0;color:${quiet};font-size:14px">
<p style="margin:0 0 8px">${address}</p>
<p style="margin:0">${links}</p>
</td>`
}

/** Outlook for Windows uses the padding of the cell, others the padding of the link, so that all of the button is clickable. */
function toButton({ label, url }: EmailLink, accent: string): string {
  const padding = '12px 24px'
  const link = `<a style="display:block;color:#ffffff;font-weight:700;text-decoration:none;padding:${padding};mso-padding-alt:0" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
  return `<table role="presentation" cellspacing="0" style="margin:24px 0"><tr><td bgcolor="${accent}" style="${font};background:${accent};border-radius:4px;padding:0;mso-padding-alt:${padding}">${link}</td></tr></table>`
}

const toLink = ({ label, url }: EmailLink, accent: string): string =>
  `<a class="link" style="color:${accent}" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`

function toHtmlPart(part: EmailPart, accent: string): string {
  if (typeof part === 'string')
    return `<p style="margin:0 0 16px">${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
  if ('url' in part) return `<p style="margin:0 0 16px">${toLink(part, accent)}</p>`
  if ('facts' in part) {
    const facts = part.facts.map(
      ({ name, value }) =>
        `<span class="quiet" style="color:${quiet}">${escapeHtml(name)}</span> ${bold(value)}`,
    )
    return `<p style="margin:0 0 16px">${facts.join('<br>')}</p>`
  }
  const hasPictures = part.rows.some(({ picture }) => picture !== null)
  const rows = part.rows.map(({ name, picture, details, value }) =>
    toRow(
      `${escapeHtml(name)}${details.map(toDetail).join('')}`,
      escapeHtml(value),
      hasPictures ? toPicture(picture) : '',
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

/** The name is beside the picture, so it has no alternative text. */
function toPicture(url: string | null): string {
  const style = `display:block;width:48px;height:auto;border-radius:4px;background:${surface}`
  const image = url && `<img src="${escapeHtml(url)}" alt="" width="48" style="${style}">`
  return `<td class="line" style="${cellStyle};width:48px;padding-right:10px">${image ?? ''}</td>`
}

const toDetail = ({ text, tone }: EmailDetail): string =>
  tone
    ? `<br><span style="${toneStyles[tone]};display:inline-block;padding:1px 6px;border-radius:4px;font-size:14px">${escapeHtml(text)}</span>`
    : `<br><span class="quiet" style="color:${quiet};font-size:14px">${escapeHtml(text)}</span>`

const bold = (text: string): string => `<strong>${escapeHtml(text)}</strong>`

const cellStyle = `padding:8px 0;border-bottom:1px solid ${line};vertical-align:top`

/** @param picture a cell in front of the others; without it, the left one takes its place */
function toRow(left: string, right: string, picture = ''): string {
  const span = picture === '' ? ' colspan="2"' : ''
  return `<tr>${picture}<td class="line"${span} style="${cellStyle}">${left}</td><td class="line" style="${cellStyle};padding-left:12px;text-align:right;white-space:nowrap">${right}</td></tr>`
}
