import type { Calls } from '../../../http/calls.ts'
import * as invitations from '../invitations/service.ts'
import * as staff from './service.ts'

/** Registers the calls of staff and their invitations. */
export function registerStaff(calls: Calls, services: invitations.InvitationServices): void {
  calls.handle('listStaff', async ({ db }) => ({
    staff: await staff.listStaff(db),
    invitations: await invitations.listInvitations(db),
  }))

  calls.handle('changeRole', async ({ params, body, caller, db }) => ({
    acknowledged: true,
    modifiedCount: (await staff.changeRole(db, params.email, body.role, caller)) ? 1 : 0,
  }))

  calls.handle('addInvitation', ({ body, caller, db }) =>
    invitations.invite({ ...services, db }, body, caller),
  )

  calls.handle('resendInvitation', ({ params, caller, db }) =>
    invitations.resendInvitation({ ...services, db }, params.id, caller),
  )

  calls.handle('revokeInvitation', async ({ params, caller, db }) => {
    await invitations.revokeInvitation({ ...services, db }, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })

  calls.handle('readInvitation', ({ body, db, request }) =>
    invitations.readInvitation({ ...services, db }, body.token, request.ip),
  )

  calls.handle('acceptInvitation', async ({ body, caller, db }) => ({
    role: await invitations.acceptInvitation({ ...services, db }, body.token, caller),
  }))
}
