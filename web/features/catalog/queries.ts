import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditedAttributeValues, EditedKindAttributes } from '../../../contract/attributes.ts'
import type { EditableProduct, EditedProduct, NewProduct, Product } from '../../../contract/catalog.ts'
import type { EditedCertificates, EditedManufacturer, EditedSizeChart } from '../../../contract/gear.ts'
import type { EditedPartNumbers } from '../../../contract/part-numbers.ts'
import type { ListedProduct, ProductChanges } from '../../../contract/product-changes.ts'
import { editableColumns } from '../../../contract/product-columns.ts'
import type { EditedPictures } from '../../../contract/product-pictures.ts'
import type { EditedVariants } from '../../../contract/variants.ts'
import { ApiError, call, callForVersion, type Versioned } from '../../api.ts'
import { pageQuery } from '../../page-query.ts'

/** Query key of all product data; a change to one product invalidates all of it. */
const products = ['products'] as const

const toProductQuery = (name: 'getProduct' | 'getAnyProduct') => (id: string) =>
  queryOptions({
    queryKey: [...products, name, id],
    queryFn: ({ signal }): Promise<ListedProduct> => call(name, { params: { id }, signal }),
  })

export const productQuery = toProductQuery('getProduct')
/** A product as an admin sees it: it may be hidden or deleted. */
export const anyProductQuery = toProductQuery('getAnyProduct')

/** The number of bikes that a product is listed for. */
export const fitmentCountQuery = (id: string) =>
  queryOptions({
    queryKey: [...products, 'fitments', id],
    async queryFn({ signal }) {
      const { total } = await call('listFitments', { params: { id }, query: { pageSize: 1 }, signal })
      return total
    },
  })

/** One page of all products that match the filters. */
export const allProductsQuery = pageQuery('listAllProducts', [...products, 'all'])

const facetsQuery = queryOptions({
  queryKey: [...products, 'facets'],
  queryFn: ({ signal }) => call('countProducts', { query: {}, signal }),
})

/** The kinds of the products in the shop. */
export const kindsQuery = queryOptions({
  ...facetsQuery,
  select: ({ facets }) => facets.kind.values.map(({ value }) => value),
})

/** The brands of the products in the shop. */
export const brandsQuery = queryOptions({
  ...facetsQuery,
  select: ({ facets }) => facets.brand.values.map(({ value }) => value),
})

export const useAddProduct = () =>
  useProductChange((product: NewProduct) => call('addProduct', { body: product }))

/** A product with its certificates, attributes and pictures as an admin edits it. */
export const editableProductQuery = (id: string) =>
  queryOptions({
    queryKey: [...products, 'editable', id],
    queryFn: ({ signal }) => callForVersion('getEditableProduct', { params: { id }, signal }),
    staleTime: 0,
  })

/** Returns the present product of a refused save, or null after any other error. */
export function readChangedProduct(error: unknown): Versioned<EditableProduct> | null {
  if (!(error instanceof ApiError) || error.code !== 'PRODUCT_CHANGED') return null
  const { product, etag } = error.details
  return { value: product as EditableProduct, etag: String(etag) }
}

/** Saves a part of a product. Remembers what is saved, or what another admin has saved, with its ETag. */
function useSavePart<Body, Saved>(
  id: string,
  send: (sent: { etag: string; body: Body }) => Promise<Versioned<Saved>>,
  toPart: (body: Body, saved: Saved) => Partial<EditableProduct>,
) {
  const client = useQueryClient()
  const { queryKey } = editableProductQuery(id)
  return useProductChange(async (sent: { etag: string; body: Body }) => {
    try {
      const { value, etag } = await send(sent)
      const part = toPart(sent.body, value)
      client.setQueryData(queryKey, (known) => known && { value: { ...known.value, ...part }, etag })
    } catch (error) {
      const present = readChangedProduct(error)
      if (present) client.setQueryData(queryKey, present)
      throw error
    }
  })
}

/** Adds a blank return note: a missing one stays stored, and forms leave out blank texts. */
export const toEditBody = (body: EditedProduct): EditedProduct => ({ ...body, returns: body.returns ?? '' })

export function useEditProduct(id: string) {
  const client = useQueryClient()
  return useSavePart(
    id,
    async ({ etag, body }: { etag: string; body: EditedProduct }) => {
      const saved = await callForVersion('editProduct', {
        params: { id },
        headers: { 'if-match': etag },
        body: toEditBody(body),
      })
      // Part number and GTIN belong to the first variant: the next save of the variants needs their new ETag.
      await client.invalidateQueries({ queryKey: variantsQuery(id).queryKey })
      return saved
    },
    // A blank field is cleared.
    (body) => Object.fromEntries(editableColumns.map(({ name }) => [name, body[name] || undefined])),
  )
}

export const useDeleteProduct = () =>
  useProductChange((id: string) => call('deleteProduct', { query: { id } }))

export const useRestoreProduct = () =>
  useProductChange((id: string) => call('restoreProduct', { params: { id } }))

export const useHideProduct = (id: string) =>
  useProductChange((hidden: boolean) => call('hideProduct', { params: { id }, body: { hidden } }))

/** Checks a change of many products, as an import that must be run. */
export const useChangeProducts = () =>
  useProductChange((body: ProductChanges) => call('changeProducts', { body }))

/** The variants of a product as an admin edits them. */
export const variantsQuery = (id: string) =>
  queryOptions({
    queryKey: [...products, 'variants', id],
    queryFn: ({ signal }) => callForVersion('listVariants', { params: { id }, signal }),
  })

/** Saves the variants of a product, unless another admin has changed those with this ETag. */
export function useSaveVariants(id: string) {
  const client = useQueryClient()
  return useProductChange(async ({ etag, body }: { etag: string; body: EditedVariants }) => {
    const saved = await callForVersion('saveVariants', {
      params: { id },
      headers: { 'if-match': etag },
      body,
    })
    client.setQueryData(variantsQuery(id).queryKey, saved)
    // The variants decide about the part number of the product and name its pictures: the next save of a part needs its new ETag.
    await client.invalidateQueries({ queryKey: editableProductQuery(id).queryKey })
    return saved
  })
}

interface Restock {
  delta: number
  /** Without it, the only variant. */
  variant?: { id: string; quantity: number } | undefined
}

/** Adds `delta` pieces to the stock. The server applies it to the current stock. */
export function useRestock({ _id: id, quantity }: Pick<Product, '_id' | 'quantity'>) {
  const client = useQueryClient()
  return useProductChange(async ({ delta, variant }: Restock) => {
    const shown = variant?.quantity ?? quantity
    const body = { quantity: shown + delta, delta, ...(variant && { variantId: variant.id }) }
    const { quantity: stock } = await call('updateProduct', { params: { id }, body })
    client.setQueryData(anyProductQuery(id).queryKey, (known) => known && { ...known, quantity: stock })
    return { delta, stock }
  })
}

/** One page of the brands with their manufacturers. */
export const brandPageQuery = pageQuery('listBrands', [...products, 'brands'])

export const useSaveBrand = (name: string) =>
  useProductChange((body: EditedManufacturer) => call('saveBrand', { params: { name }, body }))

/** One page of the size charts. */
export const sizeChartPageQuery = pageQuery('listSizeCharts', [...products, 'size-charts'])

export const useSaveSizeChart = (id: string) =>
  useProductChange((body: EditedSizeChart) => call('saveSizeChart', { params: { id }, body }))

export const useDeleteSizeChart = () =>
  useProductChange((id: string) => call('deleteSizeChart', { params: { id } }))

export const useSaveCertificates = (id: string) =>
  useSavePart(
    id,
    ({ etag, body }: { etag: string; body: EditedCertificates }) =>
      callForVersion('saveCertificates', { params: { id }, headers: { 'if-match': etag }, body }),
    (_body, { certificates }) => ({ certificates }),
  )

export const useSavePictures = (id: string) =>
  useSavePart(
    id,
    ({ etag, body }: { etag: string; body: EditedPictures }) =>
      callForVersion('savePictures', { params: { id }, headers: { 'if-match': etag }, body }),
    (_body, { pictures }) => ({ pictures, image: pictures[0]?.image ?? '' }),
  )

/** The kinds of parts with attributes. */
export const attributesQuery = queryOptions({
  queryKey: [...products, 'attributes'],
  queryFn: ({ signal }) => call('listAttributes', { signal }),
})

/** Replaces the attributes of a kind of part. */
export const useSaveAttributes = () =>
  useProductChange(({ kind, body }: { kind: string; body: EditedKindAttributes }) =>
    call('saveAttributes', { params: { kind }, body }),
  )

/** Replaces the attribute values of a product. */
export const useSaveAttributeValues = (id: string) =>
  useSavePart(
    id,
    ({ etag, body }: { etag: string; body: EditedAttributeValues }) =>
      callForVersion('saveProductAttributes', { params: { id }, headers: { 'if-match': etag }, body }),
    (_body, { attributes }) => ({ attributes }),
  )

/** The part numbers of a product as an admin edits them. */
export const partNumbersQuery = (id: string) =>
  queryOptions({
    queryKey: ['part-numbers', id],
    queryFn: ({ signal }) => call('listPartNumbers', { params: { id }, signal }),
    staleTime: 0,
    // A reload would replace unsaved changes.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export function useSavePartNumbers(id: string) {
  const client = useQueryClient()
  const { queryKey } = partNumbersQuery(id)
  return useProductChange(async (body: EditedPartNumbers) => {
    const saved = await call('savePartNumbers', { params: { id }, body }).catch((error: unknown) => {
      void client.invalidateQueries({ queryKey })
      throw error
    })
    client.setQueryData(queryKey, saved)
  })
}

/** Invalidates all product data, after an error as well: a lost response may have been a success. */
function useProductChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: products }),
  })
}
