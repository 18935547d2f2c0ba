import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Checkout } from './checkout.ts'
import { NewRefund } from './payments.ts'
import { NewReturn, NewWithdrawal } from './returns.ts'
import { NewShipment } from './shipments.ts'

const notALine = 'Enter the number of a line, from 1 to 50'
const numbers = Array.from({ length: 52 }, (_, index) => ({ line: index, amount: 1 }))

test.each<[string, string, z.ZodMiniType, object]>([
  [`${notALine}, or 0 for the shipping`, 'lines.0.line', NewRefund, { lines: [{ line: 51, amount: 1 }] }],
  ['At most 1,000,000', 'lines.0.pieces', NewRefund, { lines: [{ line: 1, amount: 1, pieces: 1_000_001 }] }],
  ['At least 0', 'lines.0.restock', NewRefund, { lines: [{ line: 1, amount: 1, restock: -1 }] }],
  ['At most 51 lines', 'lines', NewRefund, { lines: numbers }],
  [notALine, 'lines.0', NewShipment, { lines: [51] }],
  ['At most 50 lines', 'lines', NewShipment, { lines: Array(51).fill(1) }],
  [notALine, 'lines.0.line', NewReturn, { lines: [{ line: 0, pieces: 1, reason: 'damaged' }] }],
  ['Choose at least one item', 'lines', NewWithdrawal, { lines: [] }],
  ['At most $10,000,000', 'total', Checkout, { total: 10_000_001 }],
  ['Enter dollars with at most two decimals, such as 12.50', 'total', Checkout, { total: 1.005 }],
])('a wrong value has the message %j in %s', (message, field, schema, value) => {
  const issues = schema.safeParse(value).error?.issues.filter(({ path }) => path.join('.') === field)
  expect(issues).toMatchObject([{ message }])
})
