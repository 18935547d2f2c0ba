import { expect, test } from 'vitest'
import type { Shipment } from '../../../contract/shipments.ts'
import { rebaseFields } from '../../draft.ts'
import { loadTracking } from './ship-dialog.tsx'

const shipment: Shipment = { id: 's1', trackingNumbers: [], shippedAt: '2026-11-26T10:00:00.000Z', lines: [] }

test('a typed carrier gets the numbers that another admin has saved in the meantime', () => {
  const base = loadTracking(shipment)
  const next = loadTracking({ ...shipment, trackingNumbers: ['1Z1', '1Z2'] })
  expect(next.version).not.toBe(base.version)
  expect(JSON.parse(next.version)).toEqual({ trackingNumbers: ['1Z1', '1Z2'] })
  const draft = { ...base.value, carrier: 'UPS' }
  expect(rebaseFields(draft, base.value, next.value)).toEqual({ carrier: 'UPS', numbers: '1Z1\n1Z2' })
})
