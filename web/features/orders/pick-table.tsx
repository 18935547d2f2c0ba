import type { PickedItem } from './pick-list.ts'

/** The items to fetch for several orders, by shelf. */
export function PickTable({ items }: { items: PickedItem[] }) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Pick list</caption>
      <thead>
        <tr className="border-b-2 border-ink">
          <th scope="col" className="py-2 pr-4">
            Shelf
          </th>
          <th scope="col" className="py-2 pr-4">
            Item
          </th>
          <th scope="col" className="py-2 text-right">
            Pieces
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ key, shelf, name, details, pieces, orders }) => (
          <tr key={key} className="break-inside-avoid border-b border-line align-top print:border-edge">
            <td className="py-2 pr-4 font-display text-lg font-bold wrap-break-word">{shelf || '–'}</td>
            <td className="py-2 pr-4 wrap-anywhere">
              <strong>{name}</strong>
              {details && <span className="block text-sm">{details}</span>}
              <span className="block text-sm text-quiet">
                {orders.map(({ number, pieces: count }) => `#${number} × ${count}`).join(', ')}
              </span>
            </td>
            <td className="py-2 text-right text-lg font-bold tabular-nums">{pieces}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
