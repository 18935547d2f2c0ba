import type { FastifyBaseLogger } from 'fastify'
import { ShopError } from './shop-error.ts'

const batchSize = 100

/**
 * Claims items one after the other and handles them, until none is left. An item that fails is logged and waits until
 * it can be claimed again, so that it does not delay the others.
 */
export async function handleClaimed<Item extends object>(
  { log, failure, signal }: { log: FastifyBaseLogger; failure: string; signal: AbortSignal | undefined },
  claim: () => Promise<Item | undefined>,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  for (let count = 0; count < batchSize; count++) {
    if (signal?.aborted) return
    const item = await claim()
    if (!item) return
    try {
      await handle(item)
    } catch (error) {
      log.error({ err: error, item }, failure)
      // A service is unavailable: the other items would only wait for it too.
      if (error instanceof ShopError && error.statusCode === 503) return
    }
  }
}
