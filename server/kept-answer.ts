import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageCache, PageSource, PageState } from './page-cache.ts'
import { sendFound, sendPage } from './page-reply.ts'

/** In the words of RFC 9211. */
const cacheStatus: Record<PageState, string> = {
  hit: 'shop; hit',
  miss: 'shop; fwd=miss',
  stale: 'shop; hit; detail=stale',
}

/** Answers from memory where that is as it must be, else anew; says which in `Cache-Status`. */
export async function sendKept(
  cache: PageCache,
  address: string,
  source: PageSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const kept = cache.find(address)
  if (kept) return sendFound(request, reply.header('cache-status', cacheStatus.hit), kept)
  const { page, state } = await cache.answer(address, source)
  return sendPage(request, reply.header('cache-status', cacheStatus[state]), page)
}
