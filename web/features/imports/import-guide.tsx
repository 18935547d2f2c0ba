import { productFileColumns } from '../../../contract/product-file.ts'
import { ExportButton } from './export-button.tsx'

/** Explains the file format and offers an export to start from. */
export function ImportGuide() {
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
