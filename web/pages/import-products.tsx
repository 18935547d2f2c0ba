import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  changesProducts,
  type ImportKind,
  type ImportMode,
  importKindNames,
  importKinds,
  importModeNames,
  importModes,
  isOfOtherShop,
  mayImport,
  type ProductImport,
} from '../../contract/imports.ts'
import { maxProductFileBytes } from '../../contract/product-files.ts'
import type { FilePreview } from '../../contract/supplier-files.ts'
import { ColumnMapping, type SavedColumns } from '../features/imports/column-mapping.tsx'
import { ImportGuide } from '../features/imports/import-guide.tsx'
import { ImportReport, importQuery } from '../features/imports/import-report.tsx'
import { ImportSteps } from '../features/imports/import-steps.tsx'
import { OtherShopFields, type OtherShopOptions, toOtherShopQuery } from '../features/imports/other-shop.tsx'
import { needsMapping, previewFile, suppliersQuery } from '../features/imports/suppliers.ts'
import { usePermissions } from '../features/staff/permissions.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FileUpload, type Prepared } from '../upload.tsx'

export const meta = () => ({ title: 'Import Products' })

/** Import of a file. Its kind and the id of the import are in the URL, so that the user can leave the page and return. */
export default function ImportProducts() {
  const parameters = new URLSearchParams(useLocation().search)
  const id = parameters.get('import')
  const { data: opened } = useQuery({ ...importQuery(id ?? ''), enabled: id !== null })
  const kind = importKinds.find((each) => each === parameters.get('kind')) ?? 'products'
  const mode = importModes.find((each) => each === parameters.get('mode')) ?? 'all'
  return (
    <>
      <PageHead
        title={
          (opened && sourceTitles[opened.source]) ||
          (parameters.has('change') ? 'Change Products' : titles[opened?.kind ?? kind])
        }
      >
        <div className="flex flex-wrap gap-x-5">
          <a href="/dashboard/imports" className="font-semibold text-signal underline">
            Imports
          </a>
          <a href="/dashboard/manage-products" className="font-semibold text-signal underline">
            Manage Products
          </a>
        </div>
      </PageHead>
      {id ? <ImportReport key={id} id={id} /> : <NewImport kind={kind} mode={mode} />}
    </>
  )
}

const kindNames = Object.entries(importKindNames) as [ImportKind, string][]

/** A chosen file whose columns an admin assigns. `proceed` gets null if the admin chooses another file. */
interface OpenFile {
  file: File
  preview: FilePreview
  /** The typed supplier; empty without one. */
  supplier: string
  proceed: (saved: SavedColumns | null) => void
}

interface NewImportProps {
  kind: ImportKind
  mode: ImportMode
}

/** Uploads a file, after its columns are known. */
function NewImport({ kind, mode }: NewImportProps) {
  const [open, setOpen] = useState<OpenFile | null>(null)
  const permissions = usePermissions()
  return (
    <>
      <ImportSteps current={open ? 'Columns' : 'File'} />
      {open && (
        <ColumnMapping
          file={open.file}
          preview={open.preview}
          kind={kind}
          mode={mode}
          supplier={open.supplier}
          onDone={open.proceed}
        />
      )}
      <div className={open ? 'hidden' : 'flex flex-col gap-10'}>
        <div className="flex max-w-wide flex-col gap-6">
          <SelectField
            label="The file contains"
            value={kind}
            onChange={({ target }) => navigate(`?kind=${target.value}`, { replace: true, keepScroll: true })}
          >
            {kindNames
              .filter(([each]) => mayImport(permissions, each))
              .map(([each, text]) => (
                <option key={each} value={each}>
                  {text}
                </option>
              ))}
          </SelectField>
          <FileFields key={kind} kind={kind} mode={mode} onOpen={setOpen} />
        </div>
        <ImportGuide kind={kind} />
      </div>
    </>
  )
}

interface FileFieldsProps extends NewImportProps {
  /** Shows the columns of a file, or null for the fields. */
  onOpen: (file: OpenFile | null) => void
}

/** The file of one kind of import, with its options. */
function FileFields({ kind, mode, onOpen }: FileFieldsProps) {
  const [supplier, setSupplier] = useState('')
  const [otherShop, setOtherShop] = useState<OtherShopOptions>({ stock: '0', productPath: '/product' })
  const isOther = isOfOtherShop(kind)
  // Another kind has other columns.
  useEffect(() => () => onOpen(null), [onOpen])

  /** Returns how the file is uploaded, why it is refused, or null if the admin chooses another one. */
  async function prepare(file: File): Promise<Prepared> {
    const query = {
      fileName: file.name,
      kind,
      ...(isOther && toOtherShopQuery(kind, otherShop)),
    }
    if (kind === 'aces' || kind === 'shopify-orders') return { query }
    let from = { supplier: supplier.trim(), mode }
    const preview = await previewFile(file, { kind, ...from })
    if (needsMapping(preview)) {
      const saved = await new Promise<SavedColumns | null>((proceed) =>
        onOpen({ file, preview, supplier: from.supplier, proceed }),
      )
      onOpen(null)
      if (saved === null) return null
      // The fields keep both for another attempt, if the upload fails.
      setSupplier(saved.supplier)
      if (saved.mode !== mode) chooseMode(kind, saved.mode)
      from = saved
    } else if (preview.problems[0]) return { error: preview.problems[0] }
    return {
      query: {
        ...query,
        ...(changesProducts(kind) && { mode: from.mode }),
        ...(from.supplier && { supplier: from.supplier }),
      },
    }
  }
  return (
    <>
      {kind !== 'aces' && kind !== 'shopify-orders' && !isOther && (
        <SupplierField kind={kind} value={supplier} onChange={setSupplier} />
      )}
      {changesProducts(kind) && (
        <SelectField
          label="What to do with it"
          value={mode}
          hint={isOther ? otherShopHints[mode] : modeHints[mode]}
          onChange={({ target }) => chooseMode(kind, target.value)}
        >
          {importModes
            .filter((each) => !isOther || each !== 'deliveries')
            .map((each) => (
              <option key={each} value={each}>
                {importModeNames[each]}
              </option>
            ))}
        </SelectField>
      )}
      {isOther && <OtherShopFields kind={kind} mode={mode} value={otherShop} onChange={setOtherShop} />}
      <FileUpload
        route="checkImport"
        label="Choose a file"
        hint={`Or drop one here: ${kind === 'aces' ? 'XML' : 'CSV'}, up to 100 MB. Nothing is imported until you confirm.`}
        accept={kind === 'aces' ? '.xml,text/xml,application/xml' : '.csv,text/csv'}
        refuse={({ size }) => (size > maxProductFileBytes ? 'The file is larger than 100 MB.' : '')}
        prepare={prepare}
        onUploaded={(uploaded) => navigate(`?${new URLSearchParams({ kind, import: uploaded.id })}`)}
        className="bg-surface md:p-6"
      />
    </>
  )
}

const chooseMode = (kind: ImportKind, mode: string) =>
  navigate(`?kind=${kind}&mode=${mode}`, { replace: true, keepScroll: true })

interface SupplierFieldProps {
  kind: ImportKind
  value: string
  onChange: (supplier: string) => void
}

/** The supplier of the file. One with stored columns also sets what is done with the file. */
function SupplierField({ kind, value, onChange }: SupplierFieldProps) {
  const { data: suppliers = [] } = useQuery(suppliersQuery)
  const known = suppliers.filter(({ files }) => files.some((file) => file.kind === kind))
  const change = (name: string) => {
    onChange(name)
    const stored = known.find((each) => each.name === name)?.files.find((file) => file.kind === kind)
    if (stored && kind === 'products') chooseMode(kind, stored.mode)
  }
  return (
    <>
      <TextField
        label="Supplier (optional)"
        hint="For files with the supplier's own column names."
        list="suppliers"
        maxLength={120}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
      <datalist id="suppliers">
        {known.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  )
}

const modeHints: Record<ImportMode, string> = {
  all: 'A part number that the shop does not have adds a product.',
  existing:
    'For the price list of a wholesaler. Part numbers that the shop does not have are left out and listed.',
  counts: 'The stock becomes the quantity in the file. Other columns are ignored.',
  deliveries: 'For a delivery note. Other columns are ignored.',
}

const otherShopHints: Partial<Record<ImportMode, string>> = {
  all: 'Products that the shop already has are changed, but their stock stays.',
  existing: 'Products that the shop does not have are left out and listed. The stock stays.',
  counts: 'For the day of the move. The stock becomes the quantity in the file. Other columns are ignored.',
}

/** Titles of imports that do not come from a file. */
const sourceTitles: Record<ProductImport['source'], string> = {
  file: '',
  selection: 'Change Products',
  scan: 'Booking',
  undo: 'Undo',
}

const titles: Record<ImportKind, string> = {
  products: 'Import Products',
  fitments: 'Import Fitments',
  bikes: 'Import Bikes',
  'part-numbers': 'Import Part Numbers',
  aces: 'Import ACES Fitments',
  'aces-codes': 'Import ACES Codes',
  'shopify-products': 'Import from Shopify',
  'woocommerce-products': 'Import from WooCommerce',
  redirects: 'Import Redirects',
  'shopify-orders': 'Import Past Orders',
}
