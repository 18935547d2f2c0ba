import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer, anAdmin, decideAtSandbox, payTwice } from '../../../tests/factories.ts'
import { freePort } from '../../../tests/free-port.ts'
import { listen, stop } from '../../../tests/listen.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'
import { checkRefunds, retryRefunds } from './jobs.ts'
import { requestRefund, settleIntent } from './service.ts'
import { openStripeGateway, ProviderUnavailable } from './stripe.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))

const listRefunds = async (query = {}) => (await shop.call('listRefunds', { as: admin, query })).body
const listKinds = async (orderId: string) => {
  const events = shop.db.selectFrom('order_events').select('kind').where('order_id', '=', orderId)
  return (await events.orderBy('id').execute()).map(({ kind }) => kind)
}
const due = () =>
  shop.db
    .updateTable('refunds')
    .set({ next_attempt_at: new Date(0) })
    .where('status', '<>', 'succeeded')
    .execute()
const untilRefund = async (refund: object) => {
  await expect.poll(() => listRefunds()).toMatchObject([refund])
}

describe('GET /v1/refunds', () => {
  test('lists amount, order, payment, reason and time of a refund', async () => {
    const { orderId, intentId } = await payTwice(shop, rider)
    await untilRefund({
      orderId,
      intentId,
      customerEmail: rider.email,
      amount: 40,
      reason: 'order already paid',
      status: 'succeeded',
      refundId: expect.stringMatching(/^re_/),
      failures: 0,
      createdAt: expect.stringMatching(/^\d{4}-/),
    })
    expect(await listKinds(orderId)).toEqual(['placed', 'refund_due', 'refunded'])
    const { body } = await shop.call('getOrder', { as: rider, query: { id: orderId } })
    expect(body).toMatchObject({
      refunds: [{ amount: 40, status: 'succeeded', reason: 'order already paid' }],
    })
    expect(await listRefunds({ status: 'failed' })).toEqual([])
  })

  test('a refund is made once, however often its payment is settled', async () => {
    const { orderId, intentId } = await payTwice(shop, rider)
    await Promise.all(Array.from({ length: 6 }, () => settleIntent(shop.payments, intentId)))
    await untilRefund({ status: 'succeeded' })
    expect((await listKinds(orderId)).filter((kind) => kind === 'refunded')).toHaveLength(1)
  })
})

describe('a refund that is not final at first', () => {
  test('is pending until the webhook of its success', async () => {
    const { orderId } = await payTwice(shop, rider, 'pm_card_pendingRefund')
    await untilRefund({ status: 'pending' })
    expect(await listKinds(orderId)).toEqual(['placed', 'refund_due'])
    const [refund] = await listRefunds()
    await decideAtSandbox(shop, `refunds/${refund?.refundId}`)
    await untilRefund({ status: 'succeeded', failures: 0 })
    expect(await listKinds(orderId)).toEqual(['placed', 'refund_due', 'refunded'])
  })

  test('is checked by the job if its webhook is lost', async () => {
    await payTwice(shop, rider, 'pm_card_pendingRefund')
    await untilRefund({ status: 'pending' })
    const [refund] = await listRefunds()
    await whileWebhooksAreLost(shop, () => decideAtSandbox(shop, `refunds/${refund?.refundId}`))
    // The webhook of the created refund may still be handled, and postpone the next attempt.
    const tried = async () => {
      await due()
      await retryRefunds(shop.payments)
      return listRefunds()
    }
    await expect.poll(tried).toMatchObject([{ status: 'succeeded' }])
  })

  test('is found to have failed by the daily check if its webhook is lost', async () => {
    // All webhooks: one of the created refund, handled late, would find the failure.
    const { orderId } = await whileWebhooksAreLost(shop, async () => {
      const paid = await payTwice(shop, rider, 'pm_card_refundFail')
      await settleIntent(shop.payments, paid.intentId)
      const [refund] = await listRefunds()
      await decideAtSandbox(shop, `refunds/${refund?.refundId}`)
      return paid
    })
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
    const checkAfter = async (checked: number, succeeded = 0) => {
      const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
      const times = { checked_at: ago(checked), updated_at: ago(succeeded) }
      await shop.db.updateTable('refunds').set(times).execute()
      await checkRefunds(shop.payments)
      return (await listRefunds())[0]?.status
    }
    expect(await checkAfter(0.9)).toBe('succeeded')
    expect(await checkAfter(40, 31)).toBe('succeeded')
    expect(await checkAfter(1.1, 29)).toBe('failed')
    expect(await listKinds(orderId)).toContain('refund_failed')
  })

  /** Makes a refund that has succeeded and is to be checked. A webhook that is handled late would check it. */
  const makeUnchecked = async () => {
    await whileWebhooksAreLost(shop, async () => {
      const { intentId } = await payTwice(shop, rider)
      await settleIntent(shop.payments, intentId)
    })
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
    await shop.db
      .updateTable('refunds')
      .set({ checked_at: new Date(0) })
      .execute()
  }

  test('is asked for once a day after its success', async () => {
    await makeUnchecked()
    const asked: string[] = []
    const { gateway } = shop.payments
    const retrieveRefund = (id: string) => {
      asked.push(id)
      return gateway.retrieveRefund(id)
    }
    for (const _run of [1, 2])
      await checkRefunds({ ...shop.payments, gateway: { ...gateway, retrieveRefund } })
    expect(asked).toHaveLength(1)
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
  })

  test('is asked for by the next run if the provider is unavailable, and is not logged as failed', async () => {
    await makeUnchecked()
    const asked: string[] = []
    const retrieveRefund = async (id: string) => {
      asked.push(id)
      throw new ProviderUnavailable(new Error('timeout'))
    }
    const logged: string[] = []
    const log = Object.create(shop.payments.log, {
      error: { value: (_details: object, message: string) => logged.push(message) },
    })
    const gateway = { ...shop.payments.gateway, retrieveRefund }
    for (const _run of [1, 2]) await checkRefunds({ ...shop.payments, gateway, log })
    expect(asked).toHaveLength(2)
    expect(new Set(logged)).toEqual(new Set(['could not check a refund, retrying']))
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded', failures: 0 }])
  })

  test('is shown as failed and made again if it fails after its success', async () => {
    const { orderId } = await payTwice(shop, rider, 'pm_card_refundFail')
    await untilRefund({ status: 'succeeded' })
    const [first] = await listRefunds()
    await decideAtSandbox(shop, `refunds/${first?.refundId}`)
    await untilRefund({
      status: 'failed',
      failures: 1,
      failure: 'expired_or_canceled_card',
      nextAttemptAt: expect.any(String),
    })
    expect(await listRefunds({ status: 'failed' })).toHaveLength(1)
    await due()
    await retryRefunds(shop.payments)
    const [second] = await listRefunds()
    expect(second).toMatchObject({ status: 'succeeded', failures: 1 })
    expect(second?.refundId).not.toBe(first?.refundId)
    expect(await listKinds(orderId)).toEqual([
      'placed',
      'refund_due',
      'refunded',
      'refund_failed',
      'refunded',
    ])
  })
})

test('a failure of a refund that two processes have read is counted once', async () => {
  await payTwice(shop, rider, 'pm_card_refundFail')
  await untilRefund({ status: 'succeeded' })
  const read = await shop.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  await whileWebhooksAreLost(shop, () => decideAtSandbox(shop, `refunds/${read.provider_refund_id}`))
  await Promise.all([requestRefund(shop.payments, read), requestRefund(shop.payments, read)])
  expect(await listRefunds()).toMatchObject([{ status: 'failed', failures: 1 }])
})

describe('a provider that does not make a refund', () => {
  /** Dependencies whose refunds go to a provider at this port. */
  function refundingAt(port: number) {
    const api = { host: '127.0.0.1', port, protocol: 'http' } as const
    const { refund } = openStripeGateway({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', api })
    return { ...shop.payments, gateway: { ...shop.payments.gateway, refund } }
  }

  test('is unavailable: the refund stays due, waits longer each time, and is made in the end', async () => {
    const { orderId, intentId } = await whileWebhooksAreLost(shop, () => payTwice(shop, rider))
    const away = refundingAt(await freePort())
    await expect(settleIntent(away, intentId)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE' })
    expect(await listRefunds()).toMatchObject([
      { status: 'due', failures: 1, failure: expect.stringContaining('connection') },
    ])
    await retryRefunds(shop.payments)
    expect(await listRefunds()).toMatchObject([{ status: 'due', failures: 1 }])
    await due()
    await retryRefunds(away)
    const [refund] = await listRefunds()
    expect(Date.parse(refund?.nextAttemptAt ?? '') - Date.parse(refund?.updatedAt ?? '')).toBe(120_000)
    await due()
    await Promise.all([retryRefunds(shop.payments), retryRefunds(shop.payments)])
    expect(await listRefunds()).toMatchObject([{ intentId, status: 'succeeded', failures: 2 }])
    expect(await listKinds(orderId)).not.toContain('refund_failed')
  })

  test('rejects it: the failure is in the history and in the list immediately', async () => {
    const { orderId, intentId } = await whileWebhooksAreLost(shop, () => payTwice(shop, rider))
    const error = { type: 'invalid_request_error', message: 'The balance does not suffice' }
    const provider = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    onTestFinished(() => stop(provider))
    const refusing = refundingAt(await listen(provider))
    await settleIntent(refusing, intentId)
    await settleIntent(refusing, intentId)
    expect(await listRefunds()).toMatchObject([
      { status: 'failed', failures: 1, failure: 'The balance does not suffice' },
    ])
    expect(await listKinds(orderId)).toEqual(['placed', 'refund_due', 'refund_failed'])
  })
})
