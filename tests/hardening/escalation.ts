import { getPermissions, mayGiveRole, type StaffRole, staffRoles } from '../../contract/permissions.ts'
import * as customers from '../../server/modules/customers/service.ts'
import { changeRole, toStaffRole } from '../../server/modules/customers/staff/repository.ts'
import type { Caller } from '../call.ts'
import { aCustomer, aStaffMember, signedIn, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

const sizes: Record<Size, { rounds: number }> = { small: { rounds: 1 }, full: { rounds: 10 } }
const ways = ['specified call', 'staff', 'invitation', 'invitation of a demoted inviter'] as const
type Way = (typeof ways)[number]

/**
 * Every role tries to give every role in four ways, all at the same time at two processes: only the allowed attempts
 * succeed. Then owners remove each other concurrently: one remains.
 */
export const escalation: Check = {
  name: 'escalation',
  isChosenOnly: true,
  async run(size, print) {
    const { rounds } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const violations = new Set<string>()
    await aStaffMember(shop, 'owner')
    let [attempts, granted] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      print(`round ${round + 1} of ${rounds}`)
      const plan = staffRoles.flatMap((giver) =>
        staffRoles.flatMap((role) => ways.map((way) => ({ giver, role, way }))),
      )
      await Promise.all(
        plan.map(async ({ giver, role, way }, index) => {
          const process = shop.processes[index % shop.processes.length] ?? shop.processes[0]
          const given = await attempt(shop, process, { giver, role, way })
          attempts += 1
          if (given) granted += 1
          if (given !== isAllowed(giver, role, way)) {
            violations.add(`${giver} ${given ? 'gave' : 'could not give'} the role ${role} by: ${way}`)
          }
        }),
      )
      for (const violation of await removeEachOther(shop)) violations.add(violation)
    }
    return {
      figures: [
        { what: 'attempts to give a role, processes', measured: `${attempts}, 2` },
        { what: 'roles given', measured: `${granted}` },
      ],
      violations: [...violations],
    }
  },
}

/** The specified call knows one role. */
function isAllowed(giver: StaffRole, role: StaffRole, way: Way): boolean {
  if (way === 'invitation of a demoted inviter') return false
  const given = way === 'specified call' ? 'admin' : role
  return mayGiveRole(getPermissions(giver), given)
}

interface Attempt {
  giver: StaffRole
  role: StaffRole
  way: Way
}

/** Returns whether a new customer has a role afterwards. */
async function attempt(shop: ShopUnderTest, caller: Caller, { giver, role, way }: Attempt): Promise<boolean> {
  const as = await aStaffMember(shop, giver)
  const target = await aCustomer(shop)
  const params = { email: target.email }
  if (way === 'specified call') await caller.call('makeAdmin', { as, params, body: { role: 'admin' } })
  else if (way === 'staff') await caller.call('changeRole', { as, params, body: { role } })
  else {
    const { body } = await caller.call('addInvitation', { as, body: { ...params, role } })
    if (way !== 'invitation') await changeRole(shop.db, as.id, 'packer', { granted_by: 'command' })
    const token = body.link?.split('#')[1] ?? 'none'
    await caller.call('acceptInvitation', { as: target, body: { token } })
  }
  const { role: stored, is_owner } = await customers.requireCustomerByEmail(shop.db, target.email)
  return toStaffRole({ role: stored, is_owner }) !== null
}

/** Six owners remove each other, each by another way, at the same time. Then no other owner is left than one that remains. */
async function removeEachOther(shop: ShopUnderTest): Promise<string[]> {
  const found = await shop.db.selectFrom('customers').selectAll().where('is_owner', '=', true).execute()
  for (const { id } of found.slice(6)) await changeRole(shop.db, id, null, { granted_by: 'command' })
  const owners: TestCustomer[] = await Promise.all(found.slice(0, 6).map((each) => signedIn(shop, each)))
  await Promise.all(
    owners.flatMap((as, index) =>
      owners
        .filter((other) => other !== as)
        .map(({ email }, place) => {
          const caller = shop.processes[(index + place) % shop.processes.length] ?? shop.processes[0]
          return place % 2 === 0
            ? caller.call('changeRole', { as, params: { email }, body: { role: null } })
            : caller.call('removeAdmin', { as, params: { email } })
        }),
    ),
  )
  const left = await shop.db.selectFrom('customers').select('id').where('is_owner', '=', true).execute()
  return left.length === 1 ? [] : [`${left.length} of ${owners.length} owners remained`]
}
