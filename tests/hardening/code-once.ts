import { sql } from 'kysely'
import * as customers from '../../server/modules/customers/service.ts'
import { anAdmin, signedIn, type TestCustomer } from '../factories.ts'
import { appCode, setUpTwoStep, wrongCode } from '../two-step.ts'
import type { Check, Size } from './check.ts'
import { openShopUnderTest, type Process, type ShopUnderTest } from './shop-under-test.ts'

const sizes: Record<Size, { rounds: number; recoveryCodes: number }> = {
  small: { rounds: 10, recoveryCodes: 3 },
  full: { rounds: 50, recoveryCodes: 10 },
}
/** Sign-ins that send one code at the same time. */
const parallel = 20
/** As in decision 95. */
const maxAttempts = 5

/** Staff, and thieves who have read a code over their shoulder, send the same codes at the same time to two processes. */
export const codeOnce: Check = {
  name: 'code once',
  isChosenOnly: true,
  async run(size, print) {
    const { rounds, recoveryCodes } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const violations = new Set<string>()
    print(`${rounds} codes of the app, each sent ${parallel} times`)
    for (let round = 0; round < rounds; round++) {
      const admin = await anAdmin(shop)
      const { key } = await setUpTwoStep(shop.processes[0], admin)
      const passed = await sendInParallel(shop, admin, appCode(key, 1), violations)
      if (passed !== 1) violations.add(`a code of the app has opened ${passed} sign-ins`)
    }
    print(`${recoveryCodes} recovery codes, each sent ${parallel} times`)
    const owner = await anAdmin(shop)
    const { recoveryCodes: codes } = await setUpTwoStep(shop.processes[0], owner)
    for (const code of codes.slice(0, recoveryCodes)) {
      const passed = await sendInParallel(shop, owner, code, violations)
      if (passed !== 1) violations.add(`a recovery code has opened ${passed} sign-ins`)
    }
    const tried = await countGuesses(shop)
    if (tried !== maxAttempts) violations.add(`${tried} of ${parallel} wrong codes were tried`)
    return {
      figures: [
        { what: 'codes, each sent at the same time', measured: `${rounds}, ${parallel} times` },
        {
          what: 'recovery codes, each sent at the same time',
          measured: `${recoveryCodes}, ${parallel} times`,
        },
        {
          what: `wrong codes that were tried, of ${parallel}`,
          measured: `${tried}`,
          bound: `${maxAttempts}`,
        },
      ],
      violations: [...violations],
    }
  },
}

/** Signs in again and again, and sends one code from all sign-ins. Returns how many may list the users then. */
async function sendInParallel(
  shop: ShopUnderTest,
  { email }: TestCustomer,
  code: string,
  violations: Set<string>,
): Promise<number> {
  await sql`delete from identity.rate_limits`.execute(shop.db)
  const customer = await customers.requireCustomerByEmail(shop.db, email)
  const signIns = await Promise.all(Array.from({ length: parallel }, () => signedIn(shop, customer)))
  await Promise.all(
    signIns.map(async (as, index) => {
      const { status } = await toProcess(shop, index).call('passTwoStep', { as, body: { code } })
      if (![200, 422, 429].includes(status)) violations.add(`a code got the status ${status}`)
    }),
  )
  const opened = await Promise.all(
    signIns.map(async (as, index) => (await toProcess(shop, index + 1).call('listUsers', { as })).status),
  )
  return opened.filter((status) => status === 200).length
}

/** Sends wrong codes from many sign-ins. Returns how many were compared before the limit. */
async function countGuesses(shop: ShopUnderTest): Promise<number> {
  const admin = await anAdmin(shop)
  const { key } = await setUpTwoStep(shop.processes[0], admin)
  const customer = await customers.requireCustomerByEmail(shop.db, admin.email)
  const body = { code: wrongCode(key) }
  const statuses = await Promise.all(
    Array.from({ length: parallel }, async (_, index) => {
      const as = await signedIn(shop, customer)
      return (await toProcess(shop, index).call('passTwoStep', { as, body })).status
    }),
  )
  return statuses.filter((status) => status === 422).length
}

const toProcess = ({ processes }: ShopUnderTest, index: number): Process =>
  processes[index % processes.length] as Process
