import { useState } from 'react'
import * as z from 'zod/mini'
import { toRows } from '../../../contract/attribute-values.ts'
import { type Product, StockChange } from '../../../contract/catalog.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { formatDollars } from '../../../contract/money.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import { productPath } from '../../../contract/product.ts'
import { detailColumns } from '../../../contract/product-columns.ts'
import { toOptionalWholeNumber } from '../../../contract/typed-numbers.ts'
import { ChangeFailure } from '../../change-failure.tsx'
import { ProductImage } from '../../product-image.tsx'
import { useSettings } from '../../router/router.tsx'
import { reviewsLabel } from '../../texts.ts'
import { intoView } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { Icon } from '../../ui/icons.tsx'
import { useRestock } from './queries.ts'

// The supplier is shown above the name.
const details = detailColumns.filter(({ name }) => name !== 'supplier')

/** A product as an admin sees it, with the form that restocks it. */
export function ProductDetail({ product, heading }: { product: Product; heading: 'h1' | 'h3' }) {
  const Heading = heading
  const { production } = useSettings()
  return (
    <div className="grid w-full gap-6 md:grid-cols-[2fr_3fr] md:gap-8">
      <div className="self-start rounded-card border border-line bg-surface p-3">
        <ProductImage src={product.image} sizes="(width < 48rem) 90vw, 22rem" alt={product.name} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 wrap-anywhere">
        <div>
          {product.supplier && <p className="label mb-2 text-sm text-quiet">{product.supplier}</p>}
          <Heading className={`font-display text-2xl font-bold ${heading === 'h1' ? 'md:text-3xl' : ''}`}>
            {product.name}
          </Heading>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-quiet">
          <span className="flex items-center gap-2">
            {!production && <Stars />} {reviewsLabel(production)}
          </span>
          <SocialIcons product={product} />
        </div>
        <p className="font-display text-3xl font-bold text-signal tabular-nums">
          {formatDollars(product.price)}
        </p>
        <DescriptionList
          items={[
            { name: 'In stock', value: formatPieces(product.quantity) },
            { name: 'Minimum order', value: formatPieces(product.minimum) },
            { name: 'Origin', value: product.category },
            ...details.map(({ name, label }) => ({ name: label, value: product[name] })),
            ...toRows(product.attributes),
          ]}
        />
        <p className="max-w-text whitespace-pre-line">{product.description}</p>
        <RestockForm product={product} />
      </div>
    </div>
  )
}

const Restock = z.object({ quantity: StockChange.shape.quantity })

/** Adds pieces to the stock; a negative number removes them. */
function RestockForm({ product }: { product: Product }) {
  const restock = useRestock(product)
  const variants = product.options === 'variants' ? (product.variants ?? []) : []
  const [chosenId, setChosenId] = useState('')
  const variant = variants.find(({ id }) => id === chosenId) ?? variants[0]
  const { field, failure, isSubmitting, result, formProps } = useCheckedForm({
    schema: Restock,
    resetOnSuccess: true,
    send: ({ quantity: delta }) => restock.mutateAsync({ delta, variant }),
  })
  return (
    <form {...formProps}>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 font-display text-xl font-bold">Restock Item</legend>
        {variants.length > 0 && (
          <SelectField
            label="Variant"
            value={variant?.id}
            onChange={(event) => setChosenId(event.target.value)}
          >
            {variants.map((each) => (
              <option key={each.id} value={each.id}>
                {nameChoice(each)}: {formatPieces(each.quantity)}
              </option>
            ))}
          </SelectField>
        )}
        <div className="grid grid-cols-[1fr_auto] items-start gap-3">
          <TextField
            label="Quantity"
            // No `inputMode`: the numeric keypad has no minus key.
            type="number"
            placeholder="Quantity"
            required
            {...field('quantity', { setValueAs: toOptionalWholeNumber })}
          />
          <BusyButton
            type="submit"
            variant="ink"
            busy={isSubmitting}
            // The product of a list has no variants until it is loaded.
            disabled={product.options === 'variants' && !variant}
            className="mt-6 h-12"
          >
            Restock
          </BusyButton>
        </div>
        {failure !== undefined && <ChangeFailure error={failure} check="Check the stock" />}
        <p role="status" className="text-sm font-semibold text-good empty:hidden">
          {result && <span ref={intoView}>{restocked(result)}</span>}
        </p>
      </fieldset>
    </form>
  )
}

function restocked({ delta, stock }: { delta: number; stock: number }): string {
  const done = delta > 0 ? `${delta} added` : delta < 0 ? `${-delta} removed` : 'Nothing changed'
  return `${done}: ${formatPieces(stock)} in stock.`
}

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

/** Shares a product's page, with its name, on the networks that riders use. */
function SocialIcons({ product }: { product: Product }) {
  const url = window.location.origin + productPath(product)
  const text = product.name
  const links = [
    [
      'Facebook',
      `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}`,
      'M11 17.5V7q0-3 3.5-3M7 10.5h7',
    ],
    ['X', `https://x.com/intent/post?${query({ url, text })}`, 'M4.5 4l11 12M15.5 4l-11 12'],
    [
      'WhatsApp',
      `https://wa.me/?${query({ text: `${text} ${url}` })}`,
      'M3 17l1.2-4a7 7 0 1 1 2.8 2.8ZM8 7q0 5 5 5.5',
    ],
  ] as const
  return (
    <ul className="flex gap-2">
      {links.map(([name, href, icon]) => (
        <li key={name}>
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Share on ${name}`}
            title={`Share on ${name}`}
            className="flex size-9 items-center justify-center rounded-control border border-edge text-ink hover:border-ink hover:bg-shade"
          >
            <Icon path={icon} />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Always five stars, because the label next to them is fixed. */
export function Stars() {
  return (
    <span className="flex gap-0.5 text-wait" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((star) => (
        <svg key={star} viewBox="0 0 20 20" className="size-4" fill="currentColor">
          <path d="M10 1.8 12.4 7l5.7.7-4.2 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L1.9 7.7 7.6 7Z" />
        </svg>
      ))}
    </span>
  )
}
