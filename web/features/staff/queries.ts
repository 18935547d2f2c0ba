import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { StaffRole } from '../../../contract/permissions.ts'
import { call } from '../../api.ts'

const staff = ['staff'] as const

export const staffQuery = queryOptions({
  queryKey: staff,
  queryFn: ({ signal }) => call('listStaff', { signal }),
})

/** A change of the staff or its invitations, after which the list is loaded again. */
function useStaffChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: staff }),
  })
}

export const useChangeRole = (email: string) =>
  useStaffChange((role: StaffRole | null) => call('changeRole', { params: { email }, body: { role } }))

export const useResetTwoStep = () =>
  useStaffChange((email: string) => call('resetTwoStep', { params: { email } }))

export const useInvite = () =>
  useStaffChange((body: { email: string; role: StaffRole }) => call('addInvitation', { body }))

export const useResendInvitation = () =>
  useStaffChange((id: string) => call('resendInvitation', { params: { id } }))

export const useRevokeInvitation = () =>
  useStaffChange((id: string) => call('revokeInvitation', { params: { id } }))
