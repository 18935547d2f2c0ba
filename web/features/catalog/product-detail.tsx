import type { Product } from '../../../contract/catalog.ts'
import { formatDollars } from '../../../contract/money.ts'
import { pictureSources } from '../../../contract/pictures.ts'
import { detailColumns } from '../../../contract/product-columns.ts'
import { reviewsLabel } from '../../texts.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Stars } from '../../ui/stars.tsx'
import { RestockForm } from './restock-form.tsx'
import { SocialIcons } from './social-icons.tsx'

// The supplier is shown above the name.
const details = detailColumns.filter(({ name }) => name !== 'supplier')

/** A product as an admin sees it, with the form that restocks it. */
export function ProductDetail({ product, heading }: { product: Product; heading: 'h1' | 'h3' }) {
  const Heading = heading
  return (
    <div className="grid w-full gap-6 md:grid-cols-[2fr_3fr] md:gap-8">
      <div className="self-start rounded-card border border-line bg-surface p-3">
        <Picture
          src={product.image}
          sources={pictureSources(product.image)}
          sizes="(width < 48rem) 90vw, 22rem"
          alt={product.name}
        />
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
            <Stars /> {reviewsLabel}
          </span>
          <SocialIcons product={product} />
        </div>
        <p className="font-display text-3xl font-bold text-signal tabular-nums">
          {formatDollars(product.price)}
        </p>
        <DescriptionList
          items={[
            { name: 'In stock', value: `${product.quantity} pcs` },
            { name: 'Minimum order', value: `${product.minimum} pcs` },
            { name: 'Origin', value: product.category },
            ...details.map(({ name, label }) => ({ name: label, value: product[name] })),
          ]}
        />
        <p className="max-w-text whitespace-pre-line">{product.description}</p>
        <RestockForm product={product} />
      </div>
    </div>
  )
}
