import { expect, test } from 'vitest'
import type { OrderDetails } from '../../contract/checkout.ts'
import { listWithdrawable } from './withdraw.tsx'

test('pieces in an undecided return can be withdrawn, unlike those in an approved one or in a withdrawal', () => {
  const line = { name: 'Brake pads', openPieces: 0, shippedPieces: 9, returnedPieces: 1 }
  const aReturn = (status: string, withdrawal: boolean, pieces: number) => ({
    status,
    withdrawal,
    lines: [{ line: 1, pieces, refundedPieces: 0 }],
  })
  const returns = [
    aReturn('requested', false, 3),
    aReturn('approved', false, 1),
    aReturn('requested', true, 2),
    aReturn('rejected', true, 1),
  ]
  const order = { lines: [line], returns } as OrderDetails
  expect(listWithdrawable(order)).toEqual([{ line: 1, name: 'Brake pads', pieces: 5 }])
})
