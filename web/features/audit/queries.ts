import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditQuery } from '../../../contract/audit.ts'
import { call } from '../../api.ts'

/** A page of changes, the newest first. */
export const auditPageQuery = (query: AuditQuery) =>
  queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call('listAudit', { query, signal }),
    placeholderData: keepPreviousData,
  })
