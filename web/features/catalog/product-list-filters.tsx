import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import type { ListFilters } from '../../../contract/product-changes.ts'
import type { useListParams } from '../../list-view.tsx'
import { navigate } from '../../router/navigation.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx'
import { useShownValues } from '../../ui/shown-values.ts'
import { brandsQuery, kindsQuery } from './queries.ts'

type Params = ReturnType<typeof useListParams>

/** The tabs of the list, by the value of the parameter `show`. */
const tabs = [
  { show: '', name: 'All' },
  { show: 'hidden', name: 'Hidden' },
  { show: 'deleted', name: 'Deleted' },
] as const
export type ProductTab = (typeof tabs)[number]['show']

/** The filters in the URL. */
export function readFilters(params: Params): { tab: ProductTab; filters: ListFilters } {
  const tab = tabs.find(({ show }) => show === params.filter('show'))?.show ?? ''
  const [brand, kind, stockAtMost] = [params.filter('brand'), params.filter('kind'), params.filter('stock')]
  const filters: ListFilters = {
    q: params.q || undefined,
    brand: brand ? [brand] : undefined,
    kind: kind ? [kind] : undefined,
    supplier: params.filter('supplier') || undefined,
    stockAtMost: /^\d{1,6}$/.test(stockAtMost) ? Number(stockAtMost) : undefined,
    low: params.filter('low') ? 'true' : undefined,
    noFitment: params.filter('noFitment') ? 'true' : undefined,
    noPicture: params.filter('noPicture') ? 'true' : undefined,
    hidden: tab === 'hidden' ? 'true' : undefined,
    deleted: tab === 'deleted' ? 'true' : undefined,
  }
  return { tab, filters }
}

export const ProductTabs = ({ params, tab }: { params: Params; tab: ProductTab }) => (
  <nav aria-label="Products" className="mb-4">
    <ul className="flex gap-2">
      {tabs.map(({ show, name }) => (
        <li key={name}>
          <LinkButton
            size="small"
            variant={show === tab ? 'ink' : 'quiet'}
            aria-current={show === tab ? 'page' : undefined}
            href={params.filterLink('show', show)}
          >
            {name}
          </LinkButton>
        </li>
      ))}
    </ul>
  </nav>
)

const stocks = [
  { value: '0', name: 'Out of stock' },
  { value: '2', name: 'At most 2 pcs' },
  { value: '5', name: 'At most 5 pcs' },
  { value: '10', name: 'At most 10 pcs' },
]

/** Filters for all products, on a phone behind a button. A choice is applied immediately. */
export function ProductListFilters({ params }: { params: Params }) {
  const { data: brands = [] } = useQuery(brandsQuery)
  const { data: kinds = [] } = useQuery(kindsQuery)
  const [isOpen, setOpen] = useState(false)
  const supplierForm = useShownValues({ supplier: params.filter('supplier') })
  const chosen = ['brand', 'kind', 'stock', 'supplier', 'low', 'noFitment', 'noPicture'].filter((name) =>
    params.filter(name),
  ).length
  const choose = (name: string, value: string) =>
    navigate(params.filterLink(name, value), { keepScroll: true })
  const select = (name: string) => ({
    value: params.filter(name),
    onChange: ({ target }: { target: HTMLSelectElement }) => choose(name, target.value),
  })
  const check = (name: string) => ({
    checked: params.filter(name) !== '',
    onChange: ({ target }: { target: HTMLInputElement }) => choose(name, target.checked ? 'true' : ''),
  })
  const chooseSupplier = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const supplier = new FormData(event.currentTarget).get('supplier')
    choose('supplier', typeof supplier === 'string' ? supplier.trim() : '')
  }
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="mb-4 md:hidden"
        aria-expanded={isOpen}
        aria-controls="product-filters"
        onClick={() => setOpen(!isOpen)}
      >
        Filters{chosen > 0 && ` (${chosen})`}
      </Button>
      <div
        id="product-filters"
        className={`mb-6 grid grid-cols-2 items-end gap-x-3 gap-y-2 lg:grid-cols-[1fr_1fr_10rem_1.3fr_auto] ${isOpen ? '' : 'max-md:hidden'}`}
      >
        <SelectField label="Brand" {...select('brand')}>
          <Choices values={brands} chosen={params.filter('brand')} />
        </SelectField>
        <SelectField label="Kind of part" {...select('kind')}>
          <Choices values={kinds} chosen={params.filter('kind')} />
        </SelectField>
        <SelectField label="Stock" {...select('stock')}>
          <option value="">Any</option>
          {stocks.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <form
          ref={supplierForm}
          onSubmit={chooseSupplier}
          className="col-span-2 flex items-end gap-2 lg:col-span-1"
        >
          <TextField
            label="Supplier"
            name="supplier"
            maxLength={120}
            defaultValue={params.filter('supplier')}
            className="grow"
          />
          <Button type="submit" variant="quiet">
            Filter
          </Button>
        </form>
        <div className="col-span-2 flex flex-wrap gap-x-5 lg:col-span-1 lg:flex-col">
          <CheckboxField label="Low stock" {...check('low')} />
          <CheckboxField label="Without fitments" {...check('noFitment')} />
          <CheckboxField label="Without a picture" {...check('noPicture')} />
        </div>
      </div>
    </>
  )
}

/** The names of the shop, and a chosen one that only products have that are not for sale. */
const Choices = ({ values, chosen }: { values: string[]; chosen: string }) => (
  <>
    <option value="">Any</option>
    {(chosen && !values.includes(chosen) ? [chosen, ...values] : values).map((value) => (
      <option key={value}>{value}</option>
    ))}
  </>
)
