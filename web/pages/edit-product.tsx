import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { EditedProduct, type NewProduct, type Product } from '../../contract/catalog.ts'
import type { ReportUnsaved, UnsavedPart } from '../draft.ts'
import { AttributesEditor } from '../features/catalog/attributes-editor.tsx'
import { CertificatesEditor } from '../features/catalog/certificates-editor.tsx'
import { FitmentsEditor } from '../features/catalog/fitments-editor.tsx'
import { HideButton } from '../features/catalog/hide-button.tsx'
import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { PartNumbersEditor } from '../features/catalog/part-numbers-editor.tsx'
import { PicturesEditor } from '../features/catalog/pictures-editor.tsx'
import { ProductForm } from '../features/catalog/product-form.tsx'
import { editableProductQuery, useEditProduct } from '../features/catalog/queries.ts'
import { VariantsEditor } from '../features/catalog/variants-editor.tsx'
import { IfAllowed } from '../features/staff/permissions.tsx'
import { QueryError } from '../query-error.tsx'
import { navigate } from '../router/navigation.ts'
import type { PageProps } from '../router/page.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { LeaveQuestion } from '../ui/leave-question.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Edit Product' })

export default function EditProduct({ params: { id } }: PageProps<null, 'id'>) {
  const [round, setRound] = useState(0)
  return (
    <LoadedProduct id={id} isAny>
      {(product) => (
        <>
          <PageHead title="Edit Product">
            <div className="flex flex-wrap items-center gap-3">
              <HideButton product={product} />
              <IfAllowed permission="shop">
                <LinkButton variant="quiet" href={`/dashboard/audit?subject=${id}`}>
                  History
                </LinkButton>
              </IfAllowed>
            </div>
          </PageHead>
          {/* Editors that are mounted again show the stored values. */}
          <Editors key={`${id} ${round}`} product={product} onDiscard={() => setRound(round + 1)} />
        </>
      )}
    </LoadedProduct>
  )
}

/** In the order in which all are saved. */
const partNames = [
  'product',
  'attributes',
  'options',
  'pictures',
  'numbers',
  'fitments',
  'certificates',
] as const
type PartName = (typeof partNames)[number]

function Editors({ product, onDiscard }: { product: Product; onDiscard: () => void }) {
  const { _id: id } = product
  const query = useQuery(editableProductQuery(id))
  const edit = useEditProduct(id)
  const [parts, setParts] = useState<{ [Name in PartName]?: UnsavedPart | null }>({})
  const [isSaving, setSaving] = useState(false)
  const [failed, setFailed] = useState<{ name: PartName } | null>(null)
  // Read by a save that began before the next render.
  const staysOpen = useRef(false)
  const elements = useRef<{ [Name in PartName]?: HTMLElement | null }>({})
  const [report] = useState(() => {
    const toReport = (name: PartName) => (part: UnsavedPart | null) =>
      setParts((all) => ({ ...all, [name]: part }))
    return Object.fromEntries(partNames.map((name) => [name, toReport(name)])) as Record<
      PartName,
      ReportUnsaved
    >
  })
  const unsaved = partNames.flatMap((name) => parts[name] ?? [])

  const save = async (values: NewProduct, etag: string) => {
    await edit.mutateAsync({ etag, body: EditedProduct.parse(values) })
    showToast('success', 'Product Saved')
    // The page stays open while it has other changes to save.
    const others = partNames.some((name) => name !== 'product' && parts[name])
    if (!others && !staysOpen.current) navigate(`/dashboard/update-product/${id}`)
  }
  const saveAll = async () => {
    setSaving(true)
    staysOpen.current = true
    for (const name of partNames) {
      const part = parts[name]
      if (!part) continue
      const isSaved = await part.save()
      // The query cache notifies the editors of the response, or of the error, in a task of its own.
      await new Promise((resolve) => setTimeout(resolve))
      if (isSaved) continue
      setFailed({ name })
      break
    }
    staysOpen.current = false
    setSaving(false)
    // The bar with the button disappears.
    focusMainIfLost()
  }
  const discard = () => {
    onDiscard()
    focusMainIfLost()
  }

  // After the render in which the editor shows the error.
  useEffect(() => {
    if (failed) focusError(elements.current[failed.name])
  }, [failed])

  if (!query.data) {
    if (!query.isError) return <FullSpinner />
    return <QueryError title="The product could not be loaded" query={query} />
  }
  const place = (name: PartName) => ({
    ref: (element: HTMLElement | null) => {
      elements.current[name] = element
    },
  })
  return (
    <>
      <div {...place('product')}>
        <ProductForm
          loaded={query.data}
          hasOwnVariants={product.options === 'variants'}
          submitLabel="Save"
          save={save}
          report={report.product}
        />
      </div>
      <div {...place('pictures')}>
        <PicturesEditor product={product} loaded={query.data} report={report.pictures} />
      </div>
      <div {...place('attributes')}>
        <AttributesEditor id={id} loaded={query.data} report={report.attributes} />
      </div>
      <div {...place('options')}>
        <VariantsEditor product={product} report={report.options} />
      </div>
      <div {...place('certificates')}>
        <CertificatesEditor id={id} loaded={query.data} report={report.certificates} />
      </div>
      <div {...place('fitments')}>
        <FitmentsEditor product={product} report={report.fitments} />
      </div>
      <div {...place('numbers')}>
        <PartNumbersEditor product={product} report={report.numbers} />
      </div>
      {(unsaved.length > 0 || isSaving) && (
        <section
          id="unsaved"
          aria-label="Unsaved changes"
          className="sticky bottom-0 z-10 page-bar mt-12 flex flex-wrap items-center gap-3 border-t border-line bg-surface
            py-3 low:static"
        >
          <p role="status" className="grow basis-full wrap-anywhere md:basis-40">
            Unsaved: {unsaved.map(({ text }) => text).join(', ')}
          </p>
          <Button variant="quiet" disabled={isSaving} onClick={discard}>
            Discard
          </Button>
          {/* Each editor that is saved has a sentence about long work. */}
          <Button busy={isSaving} onClick={() => void saveAll()}>
            Save all
          </Button>
        </section>
      )}
      <LeaveQuestion isUnsaved={unsaved.length > 0} />
    </>
  )
}

/** Focuses the first invalid input of a part, or its error message. */
function focusError(part: HTMLElement | null | undefined): void {
  const invalid = part?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const alert = part?.querySelector<HTMLElement>('[role="alert"]')
  if (!invalid) alert?.setAttribute('tabindex', '-1')
  const target = invalid ?? alert
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'center' })
}
