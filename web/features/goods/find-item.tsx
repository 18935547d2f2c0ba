import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useRef, useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { nameChoice, nameItem } from '../../../contract/item-names.ts'
import { formatDollars } from '../../../contract/money.ts'
import { callForPage } from '../../api.ts'
import { ProductImage } from '../../product-image.tsx'
import { QueryError } from '../../query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { anyProductQuery, productQuery } from '../catalog/queries.ts'

/** A product without own sizes and colours, or one of its variants. */
export interface FoundItem {
  product: Product
  variantId: string
  /** With size and colour. */
  name: string
}

interface FindItemProps {
  title: string
  /** Below the title. */
  note?: string
  /** Whether a product is chosen without one of its sizes and colours. */
  isWhole?: boolean
  /** Searched at first. */
  text?: string
  /** Finds only what is sold, for staff who do not manage products. */
  isSold?: boolean
  onChosen: (item: FoundItem) => void
  onClose: () => void
}

const maxFound = 8

/** Dialog that finds an item by words or by a part number. */
export function FindItem(props: FindItemProps) {
  const { title, note, isWhole = false, text = '', isSold = false, onChosen, onClose } = props
  const input = useRef<HTMLInputElement>(null)
  const [q, setQ] = useState(text)
  const [opened, setOpened] = useState('')
  const found = useQuery({
    queryKey: ['products', isSold ? 'sold' : 'any', q],
    queryFn: ({ signal }) =>
      callForPage(isSold ? 'listProducts' : 'listAllProducts', { query: { q, pageSize: maxFound }, signal }),
    placeholderData: keepPreviousData,
    enabled: q !== '',
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setOpened('')
    setQ(input.current?.value.trim() ?? '')
  }
  const choose = (product: Product) => {
    if (product.options === 'variants' && !isWhole) setOpened(product._id)
    else onChosen({ product, variantId: product._id, name: product.name })
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      {note && <p className="mb-4">{note}</p>}
      <form onSubmit={submit} className="flex items-end gap-2">
        <TextField
          label="Name or part number"
          ref={input}
          defaultValue={text}
          required
          maxLength={200}
          autoComplete="off"
          className="grow"
        />
        <Button type="submit" variant="ink" className="min-h-12">
          Search
        </Button>
      </form>
      <div className="mt-4 min-h-24" aria-live="polite">
        {opened ? (
          <Sizes id={opened} isSold={isSold} onChosen={onChosen} onBack={() => setOpened('')} />
        ) : found.isError ? (
          <QueryError title="The products could not be loaded" query={found} />
        ) : found.data && !(found.isPlaceholderData && found.data.total === 0) ? (
          <>
            <ul
              // After the way back.
              ref={focusIfLost}
              aria-label="Products"
              tabIndex={-1}
              className="divide-y divide-line border-y border-line"
            >
              {found.data.rows.map((product) => (
                <li key={product._id}>
                  <Choice product={product} onChoose={() => choose(product)} />
                </li>
              ))}
            </ul>
            <p className="mt-3 text-sm text-quiet">
              {found.data.total === 0
                ? 'No product found.'
                : found.data.total > maxFound && `The first ${maxFound} of ${found.data.total} products.`}
            </p>
          </>
        ) : (
          q !== '' && <SectionSpinner />
        )}
      </div>
    </Dialog>
  )
}

const choiceClass = 'flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-2 py-3 text-left hover:bg-shade'

const Choice = ({ product, onChoose }: { product: Product; onChoose: () => void }) => (
  <button type="button" onClick={onChoose} className={choiceClass}>
    <span className="w-12 shrink-0">
      <ProductImage src={product.image} sizes="3rem" alt="" />
    </span>
    <span className="min-w-40 grow basis-0 wrap-anywhere">
      <span className="font-semibold">{product.name}</span>
      <span className="block text-sm text-quiet">
        {[product.brand, product.sku].filter(Boolean).join(' · ')}
      </span>
    </span>
    <span className="tabular-nums max-md:w-full max-md:pl-16 md:text-right">
      {product.from && 'From '}
      {formatDollars(product.price)}
      <span className="text-sm text-quiet max-md:ml-3 md:block">{product.quantity} in stock</span>
    </span>
  </button>
)

interface SizesProps {
  id: string
  isSold: boolean
  onChosen: (item: FoundItem) => void
  onBack: () => void
}

/** The sizes and colours of a product. */
function Sizes({ id, isSold, onChosen, onBack }: SizesProps) {
  const product = useQuery(isSold ? productQuery(id) : anyProductQuery(id))
  const { data } = product
  if (product.isError) return <QueryError title="The product could not be loaded" query={product} />
  if (!data) return <SectionSpinner />
  return (
    <>
      <p ref={focusIfLost} tabIndex={-1} className="mb-3 font-semibold wrap-anywhere">
        {data.name}
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {(data.variants ?? []).map((variant) => {
          const { id: variantId, sku, quantity, price } = variant
          const name = nameItem({ ...variant, name: data.name })
          return (
            <li key={variantId}>
              <button
                type="button"
                className={choiceClass}
                onClick={() => onChosen({ product: data, variantId, name })}
              >
                <span className="min-w-40 grow basis-0 wrap-anywhere">
                  <span className="font-semibold">{nameChoice(variant) || 'Without size and colour'}</span>
                  <span className="block text-sm text-quiet">{sku}</span>
                </span>
                <span className="text-right tabular-nums">
                  {formatDollars(price)}
                  <span className="block text-sm text-quiet">{quantity} in stock</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <Button variant="quiet" className="mt-4" onClick={onBack}>
        Back to the products
      </Button>
    </>
  )
}
