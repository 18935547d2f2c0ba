import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/http/paging.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import * as orders from '../orders/service.ts'
import { presentRefund } from '../payments/service.ts'
import * as returns from './service.ts'
import { withdraw } from './withdrawals.ts'

interface Services extends returns.ReturnServices {
  rateLimiter: RateLimiter<keyof typeof returns.returnLimits>
}

export function registerReturns(calls: Calls, services: Services): void {
  calls.handle('requestReturn', async (input) => {
    const deps = { ...services, db: input.db }
    const { order, reader } = await orders.requireOrderByKey(deps, input, input.params.id, null)
    const key = input.headers['idempotency-key'] ?? null
    return returns.presentReturn(await returns.requestReturn(deps, order, input.body, { key, by: reader }))
  })

  calls.handle('listReturns', async ({ query, db, reply }) =>
    sendPage(reply, await returns.listReturns(db, query)).map(returns.presentReturn),
  )

  calls.handle('decideReturn', async ({ params, body, caller, db }) =>
    returns.presentReturn(await returns.decideReturn({ ...services, db }, params.id, body, caller)),
  )

  calls.handle('withdraw', (input) =>
    withdraw({ ...services, db: input.db }, input, input.body, input.headers['idempotency-key'] ?? null),
  )

  // Of `payments`, but a refund can belong to a return.
  calls.handle('refundOrder', async ({ params, headers, body, caller, db }) =>
    presentRefund(
      await returns.refundOrder({ ...services, db }, params.id, body, {
        key: headers['idempotency-key'],
        refundedBy: caller,
      }),
    ),
  )
}
