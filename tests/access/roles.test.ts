import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StaffRole, staffRoles } from '../../contract/permissions.ts'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { requireCustomerByEmail } from '../../server/modules/customers/service.ts'
import { aCustomer, aStaffMember, signedIn, type TestCustomer } from '../factories.ts'
import { openTestShop, type TestShop } from '../shop.ts'
import { setUpTwoStep } from '../two-step.ts'
import { callsByPermission, rolesByPermission, staffCalls, toHopelessInput } from './staff-calls.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

describe('the roles of staff', () => {
  const names = Object.keys(routes) as RouteName[]

  test('each call for staff needs the permission of the list, and no other call needs one', () => {
    const needed = names.flatMap((name) => {
      const { permission }: Route = routes[name]
      return [permission ?? []].flat().map((each) => `${each}: ${name}`)
    })
    const listed = Object.entries(callsByPermission).flatMap(([permission, calls]) =>
      calls.map((name) => `${permission}: ${name}`),
    )
    expect(needed.toSorted()).toEqual(listed.toSorted())
  })

  const mayCall = (name: RouteName, role: StaffRole) =>
    Object.entries(callsByPermission).some(
      ([permission, calls]) => calls.includes(name) && rolesByPermission[permission]?.includes(role),
    )

  let staff: [StaffRole, TestCustomer][]
  beforeAll(async () => {
    staff = await Promise.all(
      staffRoles.map(
        async (role): Promise<[StaffRole, TestCustomer]> => [role, await aStaffMember(shop, role)],
      ),
    )
  })

  async function expectRefusedAsListed(name: RouteName): Promise<void> {
    const refusals = await Promise.all(
      staff.map(async ([role, as]) => {
        const { status, body } = await shop.call(name, { as, ...toHopelessInput(name) })
        return [role, status === 403 && body.code === 'NOT_ALLOWED']
      }),
    )
    expect(refusals).toEqual(staff.map(([role]) => [role, !mayCall(name, role)]))
  }

  test.each(staffCalls)('%s is refused as in the list', expectRefusedAsListed)

  describe('with two-step login', () => {
    /** Another sign-in of each person, who has two-step login. */
    let signIns: TestCustomer[]
    beforeAll(async () => {
      for (const [, as] of staff) await setUpTwoStep(shop, as)
      const again = async ({ email }: TestCustomer) =>
        signedIn(shop, await requireCustomerByEmail(shop.db, email))
      signIns = await Promise.all(staff.map(([, each]) => again(each)))
    })

    test.each(staffCalls)(
      '%s is refused to all before the second step, and as in the list after it',
      async (name) => {
        const replies = await Promise.all(
          signIns.map((as) => shop.call(name, { as, ...toHopelessInput(name) })),
        )
        expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
          signIns.map(() => [403, 'TWO_STEP_REQUIRED']),
        )
        await expectRefusedAsListed(name)
      },
    )
  })

  test('staff get the same status as customers from the other calls', async () => {
    const others = names.filter(
      (name) => !('permission' in routes[name]) && !['signOut', 'startTwoStep'].includes(name),
    )
    for (const name of others) {
      const [customer, ...replies] = await Promise.all(
        [await aCustomer(shop), ...staff.map(([, each]) => each)].map((as) =>
          shop.call(name, { as, ...toHopelessInput(name) }),
        ),
      )
      expect(replies.map(({ status }) => [name, status])).toEqual(replies.map(() => [name, customer?.status]))
    }
  })
})
