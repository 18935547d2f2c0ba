import type { Kysely } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { Calls } from '../../../http/calls.ts'
import * as twoStep from './service.ts'

interface TwoStepDeps extends Pick<twoStep.CodeDeps, 'keys' | 'rateLimiter'> {
  readShopName: (db: Kysely<Database>) => Promise<string>
}

export function registerTwoStep(calls: Calls, { readShopName, ...deps }: TwoStepDeps): void {
  calls.handle('getTwoStep', ({ caller, db }) => twoStep.readState(db, caller))
  calls.handle('startTwoStep', async ({ caller, db }) =>
    twoStep.startSetup(db, deps.keys, caller, await readShopName(db)),
  )
  calls.handle('confirmTwoStep', async ({ body, caller, db }) => ({
    recoveryCodes: await twoStep.confirmSetup({ ...deps, db }, caller, body.code),
  }))
  calls.handle('passTwoStep', async ({ body, caller, db }) => {
    await twoStep.passSecondStep({ ...deps, db }, caller, body.code)
    return changed(true)
  })
  calls.handle('removeTwoStep', async ({ body, caller, db }) => {
    await twoStep.removeOwn({ ...deps, db }, caller, body.code)
    return changed(true)
  })
  calls.handle('resetTwoStep', async ({ params, caller, db }) =>
    changed(await twoStep.resetTwoStep(db, params.email, caller)),
  )
  calls.handle('setTwoStepPolicy', ({ body, caller, db }) => twoStep.setPolicy(db, body, caller))
}

const changed = (isChanged: boolean) => ({
  acknowledged: true as const,
  modifiedCount: isChanged ? 1 : 0,
})
