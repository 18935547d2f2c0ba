import type { ReactNode } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import type { ReplacedProduct } from '../../../contract/fitments.ts'
import { describePartNumber, type PartNumber } from '../../../contract/number-texts.ts'
import { productPath } from '../../../contract/product.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { SectionHead } from '../../ui/page-head.tsx'

type Numbers = Pick<Product, 'partNumbers' | 'replacedBy' | 'replaces'>

/** The numbers of other makers for a product, and the products before and after it. */
export function PartNumbers({
  product: { partNumbers = [], replacedBy, replaces = [] },
}: {
  product: Numbers
}) {
  const ofKind = (kind: PartNumber['kind']) =>
    partNumbers.filter((number) => number.kind === kind).map(describePartNumber)
  const replaced = [
    ...ofKind('supersedes'),
    ...replaces.map((product) => <ReplacedLink key={product._id} product={product} />),
  ]
  return (
    <section aria-labelledby="part-numbers" className="flex flex-col gap-4 pt-14 md:pt-20">
      <SectionHead id="part-numbers" title="Part numbers" />
      <ReplacementLink replacedBy={replacedBy} />
      <div className="max-w-wide">
        <DescriptionList
          items={[
            { name: 'Original (OEM)', value: toList(ofKind('oem')) },
            { name: 'Equivalent to', value: toList(ofKind('interchange')) },
            { name: 'Replaces', value: toList(replaced) },
          ]}
        />
      </div>
    </section>
  )
}

const toList = (entries: ReactNode[]): ReactNode =>
  entries.length === 0 ? undefined : (
    <ul>
      {entries.map((entry, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list does not change
        <li key={index}>{entry}</li>
      ))}
    </ul>
  )

/** Link to the product that replaces this one. Renders nothing if there is none. */
function ReplacementLink({ replacedBy }: Pick<Numbers, 'replacedBy'>) {
  if (!replacedBy) return null
  const { sku, name } = replacedBy
  return (
    <p className="rounded-card border border-line bg-surface p-4 wrap-anywhere">
      Replaced by{' '}
      <a href={productPath(replacedBy)} className="font-semibold text-signal underline">
        {sku ? `${sku}, ${name}` : name}
      </a>
    </p>
  )
}

function ReplacedLink({ product }: { product: ReplacedProduct }) {
  const text = [product.sku, product.name].filter(Boolean).join(', ')
  if (product.deleted) return <>{text} (no longer sold)</>
  return (
    <a href={productPath(product)} className="text-signal underline">
      {text}
    </a>
  )
}
