import { anAdmin, aStaffMember, type TestCustomer } from '../tests/factories.ts'
import { openShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { setUpTwoStep } from '../tests/two-step.ts'
import { load } from './load.ts'
import { alternate, atLeast, type Measure } from './measure.ts'

const rounds = 6
const seconds = 4

/** A short call for staff, so that the check of the caller is most of it. */
const path = '/api/v1/orders/counts'

/** Calls of staff: by a packer whose sign-in has passed the second step, against the owner, who has no two-step login. */
export const staff: Measure = {
  name: 'staff',
  async run(print) {
    const shop = await openShopUnderTest()
    const [{ origin, call }] = shop.processes
    const owner = await anAdmin(shop)
    const packer = await aStaffMember(shop, 'packer')
    await setUpTwoStep({ call }, packer)
    const measure = async ({ token }: TestCustomer) => {
      const headers = { authorization: `Bearer ${token}` }
      const request = () => ({ method: 'GET' as const, path, headers })
      return (await load({ origin, connections: 16, seconds, request })).perSecond
    }
    const what = 'counts of orders for a packer with two-step login, against the owner without'
    const rates = await alternate(
      () => measure(packer),
      () => measure(owner),
      'counts of orders',
      print,
      rounds,
    )
    return [atLeast(0.95, { what, unit: '/s', ...rates })]
  },
}
