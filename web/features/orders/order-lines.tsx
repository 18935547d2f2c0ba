import { listFitTexts } from '../../../contract/fit-answer.ts'
import { formatDollars } from '../../../contract/money.ts'
import type { OrderLine } from '../../../contract/orders.ts'
import { productPath } from '../../../contract/product.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { OrderPicture } from './order-labels.tsx'

/** The page of an ordered product. It may have been renamed or removed since. */
export const orderedProductPath = ({ productId, name }: Pick<OrderLine, 'productId' | 'name'>): string =>
  productPath({ _id: productId, name })

/** The lines of an order with their prices, perhaps with links to their products. On a phone each line is a card. */
export function OrderLines({ lines, isLinked }: { lines: OrderLine[]; isLinked: boolean }) {
  return (
    <DataTable
      caption="Items"
      columns={[nameColumn(isLinked), ...columns]}
      // Lines have no id, and an order may have two of one variant.
      rows={lines.map((line, index) => ({ line, key: String(index) }))}
      rowKey={({ key }) => key}
    />
  )
}

const nameColumn = (isLinked: boolean): Column<{ line: OrderLine }> => ({
  head: 'Product',
  names: true,
  cell: ({ line }) => (
    <span className="flex items-center gap-3">
      <OrderPicture order={line} sizes="4rem" className="w-16! shrink-0 max-md:hidden" />
      <LineName line={line} href={isLinked ? orderedProductPath(line) : undefined} />
    </span>
  ),
})

const columns: Column<{ line: OrderLine }>[] = [
  { head: 'Unit Price', numeric: true, cell: ({ line }) => formatDollars(line.unitPrice) },
  {
    head: 'Quantity',
    numeric: true,
    cell: ({ line }) => (
      <>
        {line.quantity}
        <LineState line={line} />
      </>
    ),
  },
  { head: 'Total', numeric: true, cell: ({ line }) => formatDollars(line.total) },
]

interface LineNameProps {
  line: OrderLine
  href?: string | undefined
}

/** Name of an ordered product with its part number, size and colour, and the bike that it was ordered for. */
export function LineName({ line: { name, sku, size, colour, fit }, href }: LineNameProps) {
  return (
    <span className="min-w-0 font-semibold wrap-anywhere">
      {href ? (
        <a href={href} className="text-signal underline">
          {name}
        </a>
      ) : (
        name
      )}
      <span className="block text-sm font-normal text-quiet">
        {[sku, size, colour].filter(Boolean).join(', ')}
        {listFitTexts(fit).map(({ text, tone }) => (
          <span
            key={text}
            className={tone ? `my-0.5 block w-fit rounded-control px-2 py-0.5 tone-${tone}` : 'block'}
          >
            {text}
          </span>
        ))}
      </span>
    </span>
  )
}

/** The pieces that were cancelled or came back. An older process does not send them. */
export function LineState({ line: { cancelledPieces, returnedPieces } }: { line: OrderLine }) {
  const texts = [
    [cancelledPieces, 'cancelled'],
    [returnedPieces, 'returned'],
  ] as const
  return texts.map(
    ([pieces, text]) =>
      pieces > 0 && (
        <strong key={text} className="block text-sm font-semibold text-ink">
          {pieces} {text}
        </strong>
      ),
  )
}
