import type {
  ImportKind,
  ImportMode,
  ImportNote,
  OtherShopChanges,
  ProductImport,
} from '../../../contract/imports.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatCount, hasPreview, ListSection } from './import-lists.tsx'

/** The fields of an import from another shop, as they are typed. */
export interface OtherShopOptions {
  stock: string
  productPath: string
}

export const toOtherShopQuery = (kind: ImportKind, { stock, productPath }: OtherShopOptions) => ({
  ...(stock.trim() !== '' && { stock: stock.trim() }),
  ...(kind === 'woocommerce-products' && productPath.trim() !== '' && { productPath: productPath.trim() }),
})

interface OtherShopFieldsProps {
  kind: ImportKind
  mode: ImportMode
  value: OtherShopOptions
  onChange: (value: OtherShopOptions) => void
}

export function OtherShopFields({ kind, mode, value, onChange }: OtherShopFieldsProps) {
  return (
    <>
      <p className="rounded-card border border-line bg-surface p-4 font-semibold">
        Prices are dollars: the numbers of the file become dollars, in any currency.
      </p>
      {mode === 'all' && (
        <TextField
          label="Stock of products without a tracked stock"
          hint="Only for new products."
          type="number"
          min={0}
          max={1_000_000}
          value={value.stock}
          onChange={({ target }) => onChange({ ...value, stock: target.value })}
        />
      )}
      {kind === 'woocommerce-products' && (
        <TextField
          label="Folder of product pages"
          hint="As in the addresses of your shop: /product for https://shop.example/product/brake-pads. The file does not have the addresses, so they are derived from the names."
          maxLength={200}
          value={value.productPath}
          onChange={({ target }) => onChange({ ...value, productPath: target.value })}
        />
      )}
    </>
  )
}

/** The numbers of products and old addresses in a report. */
export const otherShopItems = ({ productsAdded, productsChanged, oldAddresses }: OtherShopChanges) => [
  { name: 'Products to add', value: formatCount(productsAdded) },
  { name: 'Products to change', value: formatCount(productsChanged) },
  { name: 'Old addresses to redirect', value: formatCount(oldAddresses) },
]

/** New kinds of parts in a file of another shop. */
export function OtherShopSummary({ productImport }: { productImport: ProductImport }) {
  const { otherShop } = productImport
  if (!otherShop || !hasPreview(productImport)) return null
  const { newKinds } = otherShop
  return (
    <div className="flex w-full flex-col gap-4 empty:hidden">
      {newKinds.length > 0 && (
        <p>
          New kinds of parts: {newKinds.join(', ')}. After the import, set how they fit on{' '}
          <a href="/dashboard/bikes" className="font-semibold text-signal underline">
            Manage Bikes
          </a>
          .
        </p>
      )}
    </div>
  )
}

const noteColumns = (head: string): Column<ImportNote>[] => [
  { head, names: true, cell: ({ text }) => <span className="wrap-anywhere">{text}</span> },
  { head: 'Count', numeric: true, cell: ({ count }) => formatCount(count) },
  {
    head: 'First rows',
    cell: ({ rows, count }) => `${rows.join(', ')}${count > rows.length ? ', …' : ''}`,
  },
]
const [reasonColumns, remarkColumns] = [noteColumns('Reason'), noteColumns('Note')]

/** Products of the file that are not imported, and remarks on others. */
export function ImportNotes({ productImport: { state, notes } }: { productImport: ProductImport }) {
  if (state === 'failed') return null
  const groups = [
    {
      id: 'not-imported',
      title: 'Not imported',
      columns: reasonColumns,
      notes: notes.filter(({ leftOut }) => leftOut),
    },
    { id: 'notes', title: 'Notes', columns: remarkColumns, notes: notes.filter(({ leftOut }) => !leftOut) },
  ]
  return groups.map(
    (group) =>
      group.notes.length > 0 && (
        <ListSection key={group.id} id={group.id} title={group.title}>
          <DataTable
            caption={group.title}
            columns={group.columns}
            rows={group.notes}
            rowKey={({ text }) => text}
          />
        </ListSection>
      ),
  )
}
