import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { escapeHtml } from '../../server/platform/http/html.ts'
import { readSandboxStyle } from '../sandbox-page.ts'
import { findHtml, listMailbox, type MailboxItem } from './mailbox.ts'

const mailboxPath = '/sandbox/mailbox'

const stylesheet = readSandboxStyle(new URL('mailbox.css', import.meta.url))
/** The list has a style sheet and a `data:` icon, and an email inline styles and pictures of the shop. */
const listSources = "style-src 'self'; img-src data:"
const emailSources = "style-src 'unsafe-inline'; img-src 'self'"
const contentSecurityPolicy = (sources: string) =>
  `default-src 'none'; ${sources}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`

/** Any of these headers shows that the request came through a proxy or a tunnel. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Shows the emails that the shop would send. A reader can take over any account, so only direct requests are
 * served: none through a tunnel, and none for another host name (DNS rebinding).
 */
export function registerMailbox(
  app: FastifyInstance,
  { db, origin }: { db: Kysely<Database>; origin: string },
) {
  const { host } = new URL(origin)
  const isDirectRequest = ({ headers }: FastifyRequest) =>
    headers.host === host && proxyHeaders.every((name) => headers[name] === undefined)

  const sendHtml = (reply: FastifyReply, html: string, policy: string) =>
    reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      })
      .type('text/html; charset=utf-8')
      .send(html)

  app.get(mailboxPath, async (request, reply) => {
    if (!isDirectRequest(request)) return reply.callNotFound()
    return sendHtml(reply, renderMailbox(await listMailbox(db)), contentSecurityPolicy(listSources))
  })
  app.get<{ Params: { id: string } }>(`${mailboxPath}/:id(^\\d{1,15}$)`, async (request, reply) => {
    const html = isDirectRequest(request) && (await findHtml(db, Number(request.params.id)))
    if (!html) return reply.callNotFound()
    return sendHtml(reply, html, contentSecurityPolicy(emailSources))
  })
  app.get(`${mailboxPath}/style.css`, (_request, reply) => reply.type('text/css').send(stylesheet))
}

function renderMailbox(items: MailboxItem[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox: the shop's email</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${mailboxPath}/style.css">
</head>
<body>
<main>
<p class="label">Sandbox: no email is sent</p>
<h1>Mailbox</h1>
<p>This shop has no mail server. Outgoing email is listed here, newest first. Reload to update.</p>
${items.length === 0 ? '<p class="empty">Nothing has been sent yet.</p>' : items.map(renderItem).join('\n')}
</main>
</body>
</html>
`
}

function renderItem({ id, email, subject, body, receivedAt }: MailboxItem): string {
  const at = receivedAt.toISOString()
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="quiet">To ${escapeHtml(email)}, <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time></p>
<div class="text">${renderText(body)}</div>
<p class="version"><a href="${mailboxPath}/${id}" aria-label="HTML version of ${escapeHtml(subject)}">HTML version</a></p>
</article>`
}

/** Escapes the text, and turns its http(s) URLs into links. */
const renderText = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')
