import { afterEach, expect, test, vi } from 'vitest'
import type { Coupon } from '../../../contract/coupons.ts'
import { readDraft, toDraft } from './coupon-editor.tsx'

afterEach(() => vi.unstubAllEnvs())

const aCoupon: Coupon = {
  id: 'c1',
  code: 'AUTUMN-26',
  kind: 'percent',
  rate: 10,
  oncePerBuyer: false,
  used: 0,
  revision: '1',
}

test.each([
  ['has seconds', '2026-11-30T22:59:59.000Z'],
  ['is in the hour that a clock change repeats', '2026-10-25T01:30:00.000Z'],
])('an end that %s stays as it is when only the uses are edited', (_, endsAt) => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const startsAt = '2026-09-30T22:00:30.000Z'
  const coupon = { ...aCoupon, startsAt, endsAt }
  const draft = { ...toDraft(coupon), maxUses: '5' }
  expect(readDraft(draft, coupon).body).toMatchObject({ maxUses: 5, startsAt, endsAt })
  expect(readDraft({ ...draft, endsAt: '' }, coupon).body?.endsAt).toBeUndefined()
  expect(readDraft({ ...draft, endsAt: '2026-12-01T00:00' }, coupon).body).toMatchObject({
    startsAt,
    endsAt: '2026-11-30T23:00:00.000Z',
  })
})

test('maximum uses that could be thirty or thirty thousand are refused', () => {
  const draft = { ...toDraft(aCoupon), maxUses: '30.000' }
  expect(readDraft(draft, undefined).errors).toEqual({ maxUses: 'Enter a whole number' })
})
