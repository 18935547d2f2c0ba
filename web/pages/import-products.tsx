import { maxProductFileBytes, productFileColumns } from '../../contract/imports.ts'
import { ExportButton } from '../features/imports/export-button.tsx'
import { ImportReport } from '../features/imports/import-report.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FileUpload } from '../upload.tsx'

export const meta = () => ({ title: 'Import Products' })

/** Product import. The id is in the URL, so that the user can leave the page and return. */
export default function ImportProducts() {
  const id = new URLSearchParams(useLocation().search).get('import')
  return (
    <>
      <PageHead title="Import Products">
        <a href="/dashboard/manage-products" className="font-semibold text-signal underline">
          Manage Products
        </a>
      </PageHead>
      {id ? (
        <ImportReport key={id} id={id} />
      ) : (
        <div className="flex flex-col gap-10">
          <FileUpload
            route="checkImport"
            label="Choose a file"
            hint="Or drop one here: CSV in UTF-8, up to 100 MB. Nothing is imported until you confirm."
            accept=".csv,text/csv"
            refuse={({ size }) => (size > maxProductFileBytes ? 'The file is larger than 100 MB.' : '')}
            toQuery={({ name }) => ({ fileName: name })}
            onUploaded={(uploaded) => navigate(`?${new URLSearchParams({ import: uploaded.id })}`)}
            className="max-w-3xl bg-surface md:p-6"
          />
          <ImportGuide />
        </div>
      )}
    </>
  )
}

/** Explains the file format and offers an export to start from. */
function ImportGuide() {
  return (
    <section className="max-w-3xl" aria-labelledby="guide">
      <h2 id="guide" className="mb-3 font-display text-2xl font-bold">
        File format
      </h2>
      <ul className="list-disc space-y-2 pl-5">
        <li>
          The first row has the column names, in any order: <Names names={productFileColumns} />.
        </li>
        <li>
          Rows are matched by <Names names={['id']} />, then by <Names names={['sku']} /> (part number). Rows
          without a match add a product.
        </li>
        <li>Missing columns stay unchanged. A blank cell clears an optional value.</li>
        <li>
          A blank <Names names={['quantity']} /> keeps the stock, a number sets it. With{' '}
          <Names names={['quantity_exported']} />, the difference is added, so later sales still count.
        </li>
        <li>The whole file is imported, or nothing.</li>
      </ul>
      <p className="mt-6 mb-3">Start from an export:</p>
      <div className="flex flex-wrap gap-2">
        <ExportButton>Export for a spreadsheet</ExportButton>
        <ExportButton plain>Export plain CSV</ExportButton>
      </div>
    </section>
  )
}

const Names = ({ names }: { names: readonly string[] }) =>
  names.map((name, place) => (
    <span key={name}>
      {place > 0 && ', '}
      <code className="rounded-control bg-shade px-1 text-sm">{name}</code>
    </span>
  ))
