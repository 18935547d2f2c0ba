import type { FastifyReply } from 'fastify'
import type { Calls } from '../../http/calls.ts'
import { readIfMatch, sendTagged } from '../../platform/http/etag.ts'
import { sendPage } from '../../platform/http/paging.ts'
import * as content from './service.ts'

/** @param renderMarkdown the renderer of the pages */
export function registerContent(calls: Calls, renderMarkdown: content.RenderMarkdown): void {
  const send = (reply: FastifyReply, tagged: Awaited<ReturnType<typeof content.requireDocument>>) => {
    const document = sendTagged(reply, tagged)
    return { ...document, html: renderMarkdown(document.text.body) }
  }
  calls.handle('listDocuments', async ({ query, db, reply }) =>
    sendPage(reply, await content.listDocuments(db, query)),
  )
  calls.handle('addDocument', async ({ body, caller, db, reply }) =>
    send(reply, await content.addDocument(db, body, caller)),
  )
  calls.handle('getDocument', async ({ params, db, reply }) =>
    send(reply, await content.requireDocument(db, params.id)),
  )
  calls.handle('saveDocument', async ({ params, headers, body, caller, db, reply }) =>
    send(reply, await content.saveDocument(db, params.id, readIfMatch(headers), body, caller)),
  )
  calls.handle('archiveDocument', async ({ params, caller, db, reply }) =>
    send(reply, await content.archiveDocument(db, params.id, caller)),
  )
  calls.handle('discardDraft', async ({ params, headers, db, reply }) =>
    send(reply, await content.discardDraft(db, params.id, readIfMatch(headers))),
  )
  calls.handle('publishDocument', async ({ params, headers, body, caller, db, reply }) =>
    send(reply, await content.publishDocument(db, params.id, readIfMatch(headers), body.at, caller)),
  )
  calls.handle('unscheduleDocument', async ({ params, caller, db, reply }) =>
    send(reply, await content.unscheduleDocument(db, params.id, caller)),
  )
  calls.handle('getDocumentVersion', async ({ params, db }) => {
    const version = await content.requireVersion(db, params.id, params.number)
    return { ...version, html: renderMarkdown(version.body) }
  })
  calls.handle('renderMarkdown', async ({ body }) => ({ html: renderMarkdown(body.body) }))
  calls.handle('listRedirects', async ({ query, db, reply }) =>
    sendPage(reply, await content.listRedirects(db, query)),
  )
  calls.handle('saveRedirect', ({ body, caller, db }) => content.saveRedirect(db, body, caller))
  calls.handle('deleteRedirect', async ({ query, caller, db }) => {
    await content.deleteRedirect(db, query.path, caller)
    return { acknowledged: true, deletedCount: 1 }
  })
}
