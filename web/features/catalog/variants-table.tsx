/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role,
   jsx-a11y/control-has-associated-label -- `display` values other than table values remove the implicit roles, so they are explicit */
import { memo } from 'react'
import { nameChoice } from '../../../contract/item-names.ts'
import { ProductImage } from '../../product-image.tsx'
import { buttonClass, controlClass } from '../../ui/button.tsx'
import { Icon, Swatch } from '../../ui/icons.tsx'
import type { RowErrors, TextName, VariantRow } from './variant-rows.ts'

const fields: { name: Exclude<TextName, 'image'>; head: string; hint?: string; width: string }[] = [
  { name: 'size', head: 'Size', width: 'xl:w-12' },
  { name: 'colour', head: 'Colour', width: 'xl:w-18' },
  { name: 'swatch', head: 'Swatch', hint: '#1d3f8f', width: 'xl:w-18' },
  { name: 'sku', head: 'Part number', width: 'xl:w-22' },
  { name: 'gtin', head: 'GTIN', width: 'xl:w-28' },
  { name: 'price', head: 'Price', width: 'xl:w-16' },
  { name: 'weight', head: 'Weight (g)', width: 'xl:w-14' },
  { name: 'shelf', head: 'Shelf', width: 'xl:w-16' },
  { name: 'lowStock', head: 'Low stock', width: 'xl:w-12' },
]

const inputModes: Partial<Record<TextName, 'decimal' | 'numeric'>> = {
  price: 'decimal',
  weight: 'numeric',
  lowStock: 'numeric',
}

/** Changes that a row can make. They are stable, so that typing renders only one row again. */
export interface RowActions {
  change: (key: string, values: Partial<VariantRow>) => void
  select: (key: string, isSelected: boolean) => void
  move: (key: string, by: -1 | 1) => void
  remove: (key: string) => void
  openPicture: (key: string) => void
}

interface VariantsTableProps {
  rows: VariantRow[]
  /** Keys of rows. */
  selection: ReadonlySet<string>
  errors: RowErrors
  /** Stock by the id of a variant. */
  stock: Map<string, number>
  /** Price of the product, which variants without a price have. */
  price: string
  actions: RowActions
}

/** The variants of a product with an input for each value. On smaller screens each one is a card. */
export function VariantsTable({ rows, selection, errors, stock, price, actions }: VariantsTableProps) {
  return (
    <table role="table" className="w-full border-collapse text-left max-xl:block">
      <caption className="sr-only">Sizes and colours</caption>
      <thead role="rowgroup" className="max-xl:sr-only">
        <tr role="row" className="border-b-2 border-ink">
          {['Select', ...fields.map(({ head }) => head), 'Picture', 'Stock', 'Action'].map((head) => (
            <th key={head} role="columnheader" scope="col" className="label px-1 py-3 align-bottom text-sm">
              <span className={head === 'Select' || head === 'Action' ? 'sr-only' : ''}>{head}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-xl:grid max-xl:grid-cols-1 max-xl:gap-4 max-xl:md:grid-cols-2">
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            isSelected={selection.has(row.key)}
            errors={errors[row.key]}
            stock={row.id === undefined ? undefined : stock.get(row.id)}
            price={price}
            actions={actions}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  row: VariantRow
  number: number
  isSelected: boolean
  errors: RowErrors[string] | undefined
  /** Undefined if the variant is not saved yet. */
  stock: number | undefined
  price: string
  actions: RowActions
}

const cellClass = 'min-w-0 px-1 py-2 align-top max-xl:p-0'
const headClass = 'mb-1 block text-sm font-semibold xl:hidden'

const Row = memo(function Row({ row, number, isSelected, errors = {}, stock, price, actions }: RowProps) {
  const name = nameChoice(row) || `Row ${number}`
  return (
    <tr
      role="row"
      className="border-b border-line max-xl:grid max-xl:grid-cols-2 max-xl:content-start max-xl:gap-3
        max-xl:rounded-card max-xl:border max-xl:bg-surface max-xl:p-4"
    >
      <td role="cell" className={`${cellClass} max-xl:col-span-2`}>
        <label className="flex min-h-11 items-center gap-3 xl:min-h-10">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={(event) => actions.select(row.key, event.target.checked)}
            className="size-5 shrink-0 accent-signal"
          />
          <span className="font-semibold wrap-anywhere xl:sr-only">
            <span className="sr-only">Select </span>
            {name}
          </span>
        </label>
      </td>
      {fields.map(({ name: field, head, hint, width }) => {
        const error = errors[field]
        const errorId = `${row.key}-${field}-error`
        return (
          <td key={field} role="cell" className={cellClass}>
            <span aria-hidden="true" className={headClass}>
              {head}
            </span>
            <span className="flex items-center gap-1">
              <input
                aria-label={`${head}, row ${number}`}
                value={row[field]}
                placeholder={field === 'price' ? price : hint}
                inputMode={inputModes[field]}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? errorId : undefined}
                onChange={(event) => actions.change(row.key, { [field]: event.target.value })}
                className={`${controlClass} h-11 min-w-0 text-sm xl:h-10 xl:px-1.5 ${width}`}
              />
              {field === 'swatch' && /^#[0-9a-f]{6}$/i.test(row.swatch) && <Swatch colour={row.swatch} />}
            </span>
            {error && (
              <span id={errorId} className="mt-1 block text-sm font-semibold text-bad">
                {error}
              </span>
            )}
          </td>
        )
      })}
      <td role="cell" className={cellClass}>
        <span aria-hidden="true" className={headClass}>
          Picture
        </span>
        <button
          type="button"
          aria-label={`${row.image ? 'Change the' : 'Add a'} picture of ${name}`}
          onClick={() => actions.openPicture(row.key)}
          className={`${buttonClass('quiet', 'small')} min-h-11 xl:min-h-10`}
        >
          {row.image ? <ProductImage src={row.image} sizes="2rem" alt="" className="size-8" /> : 'Add'}
        </button>
        {errors.image && <span className="mt-1 block text-sm font-semibold text-bad">{errors.image}</span>}
      </td>
      <td role="cell" className={`${cellClass} tabular-nums`}>
        <span aria-hidden="true" className={headClass}>
          Stock
        </span>
        <span className="inline-block py-2">{stock ?? '–'}</span>
      </td>
      <td role="cell" className={`${cellClass} max-xl:col-span-2`}>
        <div className="flex gap-1">
          <IconButton
            id={`up-${row.key}`}
            label={`Move up ${name}`}
            path="M10 16V4M5 9l5-5 5 5"
            onClick={() => actions.move(row.key, -1)}
          />
          <IconButton
            id={`down-${row.key}`}
            label={`Move down ${name}`}
            path="M10 4v12M5 11l5 5 5-5"
            onClick={() => actions.move(row.key, 1)}
          />
          <IconButton
            id={`remove-${row.key}`}
            label={`Remove ${name}`}
            path="M5 5l10 10M15 5L5 15"
            onClick={() => actions.remove(row.key)}
          />
        </div>
      </td>
    </tr>
  )
})

interface IconButtonProps {
  id: string
  label: string
  path: string
  onClick: () => void
}

const IconButton = ({ id, label, path, onClick }: IconButtonProps) => (
  <button
    type="button"
    id={id}
    aria-label={label}
    title={label}
    onClick={onClick}
    className="flex size-11 shrink-0 items-center justify-center rounded-control border border-edge bg-surface
      hover:border-ink hover:bg-shade xl:size-8 xl:mt-1"
  >
    <Icon path={path} className="size-4" />
  </button>
)
