import { useState } from 'react'
import { AuditFilter, useAuditParams } from '../features/audit/audit-filter.tsx'
import { AuditList } from '../features/audit/audit-list.tsx'
import { OrderDetailsById } from '../features/orders/order-details.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Audit' })

export default function Audit() {
  const params = useAuditParams()
  const [orderId, setOrderId] = useState<string | null>(null)
  return (
    <>
      <PageHead title="Audit" note="All changes with user, time and IP address. Entries can't be edited." />
      <AuditFilter params={params} />
      <AuditList params={params} onOpenOrder={setOrderId} />
      {orderId && <OrderDetailsById id={orderId} onClose={() => setOrderId(null)} />}
    </>
  )
}
