import { productFileColumns } from '../../../contract/product-file.ts'
import { ExportButton } from './export-button.tsx'

/** Explains the file format and offers an export to start from. */
export function ImportGuide() {
  return (
    <section className="max-w-3xl" aria-labelledby="guide">
      <h2 id="guide" className="mb-3 font-display text-2xl font-bold">
        What the file looks like
      </h2>
      <ul className="list-disc space-y-2 pl-5">
        <li>
          Its first row names the columns, in any order: <Names names={productFileColumns} />.
        </li>
        <li>
          A product is found by its <Names names={['id']} />, else by its part number,{' '}
          <Names names={['sku']} />. What is not found is added.
        </li>
        <li>Columns that the file lacks stay as they are. A blank cell clears what may be blank.</li>
        <li>
          A blank <Names names={['quantity']} /> leaves the stock alone; a filled one is a count. Beside{' '}
          <Names names={['quantity_exported']} /> the difference of the two is added instead, so that what was
          sold since the export stays sold.
        </li>
        <li>All of the file is imported, or nothing.</li>
      </ul>
      <p className="mt-6 mb-3">Begin with the products as they are:</p>
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
