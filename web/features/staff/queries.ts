import { queryOptions } from '@tanstack/react-query'
import type { StaffRole } from '../../../contract/permissions.ts'
import { call } from '../../api.ts'
import { useListChange } from '../../list-change.ts'

const staff = ['staff'] as const

export const staffQuery = queryOptions({
  queryKey: staff,
  queryFn: ({ signal }) => call('listStaff', { signal }),
})

export const useChangeRole = (email: string) =>
  useListChange(staff, (role: StaffRole | null) => call('changeRole', { params: { email }, body: { role } }))

export const useResetTwoStep = () =>
  useListChange(staff, (email: string) => call('resetTwoStep', { params: { email } }))

export const useInvite = () =>
  useListChange(staff, (body: { email: string; role: StaffRole }) => call('addInvitation', { body }))

export const useResendInvitation = () =>
  useListChange(staff, (id: string) => call('resendInvitation', { params: { id } }))

export const useRevokeInvitation = () =>
  useListChange(staff, (id: string) => call('revokeInvitation', { params: { id } }))
