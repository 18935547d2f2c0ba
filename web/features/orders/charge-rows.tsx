import { formatDollars, toCents, toDollars } from '../../../contract/money.ts'
import type { Charge } from '../../../contract/quote.ts'

/** Formats the amounts of one sum: with cents if one of them has some. A negative one has a true minus. */
export function formatAmounts(amounts: number[]): string[] {
  const showsCents = !amounts.every(Number.isInteger)
  return amounts.map((dollars) => `${dollars < 0 ? '−' : ''}${formatDollars(Math.abs(dollars), showsCents)}`)
}

interface ChargeRowsProps {
  /** The sum of the lines in dollars. */
  subtotal: number
  charges: Charge[]
}

/** The subtotal and each charge of an order. Renders nothing without charges. */
export function ChargeRows({ subtotal, charges }: ChargeRowsProps) {
  if (charges.length === 0) return null
  const rows = [
    { label: 'Subtotal', amount: subtotal, isFree: false },
    ...charges.map(({ kind, label, amount, included }) => ({
      label: included ? `Includes ${label}` : label,
      amount,
      isFree: kind === 'shipping' && amount === 0,
    })),
  ]
  const amounts = formatAmounts(rows.map(({ amount }) => amount))
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 tabular-nums">
      {rows.map(({ label, isFree }, index) => (
        <div key={label} className="contents">
          <dt className="wrap-anywhere text-quiet">{label}</dt>
          <dd className="text-right">{isFree ? 'Free' : amounts[index]}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns the subtotal with the charges that are not included in it, in dollars. */
export const toTotal = (subtotal: number, charges: Charge[]): number =>
  toDollars(
    charges.reduce(
      (cents, { amount, included }) => cents + (included ? 0 : toCents(amount)),
      toCents(subtotal),
    ),
  )

/** Returns the sum of lines in dollars. */
export const toSubtotal = (lines: { total: number }[]): number =>
  toDollars(lines.reduce((cents, { total }) => cents + toCents(total), 0))
