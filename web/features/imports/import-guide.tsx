import type { ReactNode } from 'react'
import {
  acesCodeFileColumns,
  bikeFileColumns,
  fitmentFileColumns,
  type ImportKind,
  partNumberFileColumns,
  productFileColumns,
  productsPerBatch,
  redirectFileColumns,
  runsInBatches,
} from '../../../contract/imports.ts'
import { partNumberKinds } from '../../../contract/number-texts.ts'
import { ExportButton, type ExportRoute } from './export-button.tsx'

/** Explains the file format and offers an export to start from. */
export function ImportGuide({ kind }: { kind: ImportKind }) {
  const { columns, rules, exportRoute } = guides[kind]
  return (
    <section className="max-w-wide" aria-labelledby="guide">
      <h2 id="guide" className="mb-3 font-display text-2xl font-bold">
        File format
      </h2>
      <ul className="list-disc space-y-2 pl-5">
        {columns && (
          <li>
            The first row has the column names, in any order: <Names names={columns} />. The files of a
            supplier can have other names, which you assign once.
          </li>
        )}
        {columns && (
          <li>
            Cells are separated by commas, semicolons or tabs. With semicolons or tabs a price can be 12,50. A
            cell <Names names={['="0815"']} /> is the text 0815. The export for Excel has part numbers and
            GTINs in this form, because Excel drops zeros.
          </li>
        )}
        {rules}
        <li>
          {runsInBatches(kind)
            ? `Rows with errors can be left out. A product with a wrong row is left out with all its rows. Products change in batches of up to ${productsPerBatch}. Orders continue, and for a minute some products have new values and others old ones.`
            : 'A file with errors is not imported. The whole file is imported, or nothing.'}
        </li>
      </ul>
      {exportRoute && (
        <>
          <p className="mt-6 mb-3">Start from an export:</p>
          <div className="flex flex-wrap gap-2">
            <ExportButton route={exportRoute}>Export for a spreadsheet</ExportButton>
            <ExportButton route={exportRoute} query={{ decimals: 'comma' }}>
              For Excel (; and ,)
            </ExportButton>
            <ExportButton route={exportRoute} plain>
              Export plain CSV
            </ExportButton>
            {kind === 'fitments' && (
              <ExportButton route="exportFitments" query={{ format: 'ebay' }} plain>
                Export for eBay
              </ExportButton>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** Rules of all files of other shops. */
const MovingRules = ({ path }: { path: string }) => (
  <>
    <li>
      A product is found by its part number, or else by its old address with size and colour. So a file can be
      imported again, and a product that was deleted here is added again.
    </li>
    <li>
      The old address <Names names={[path]} /> leads to the product. Add other old addresses with a{' '}
      <a href="?kind=redirects" className="font-semibold text-signal underline">
        file of redirects
      </a>
      .
    </li>
    <li>
      Descriptions become plain text. Up to 12 pictures of a product are imported. Tick their host in the
      report to copy them into this shop, because they disappear with the old shop.
    </li>
  </>
)

const Names = ({ names }: { names: readonly string[] }) =>
  names.map((name, place) => (
    <span key={name}>
      {place > 0 && ', '}
      <code className="rounded-control bg-shade px-1 text-sm">{name}</code>
    </span>
  ))

interface Guide {
  /** The columns of a CSV file. */
  columns?: readonly string[]
  rules: ReactNode
  exportRoute?: ExportRoute
}

const guides: Record<ImportKind, Guide> = {
  products: {
    columns: productFileColumns,
    rules: (
      <>
        <li>
          Rows are matched by <Names names={['id']} />, then by <Names names={['sku']} /> (part number). A
          file without both is matched by <Names names={['gtin']} />. Rows without a match add a product.
        </li>
        <li>Missing columns stay unchanged. A blank cell clears an optional value.</li>
        <li>
          Rows with the same <Names names={['group']} /> are the sizes and colours of one product. Each has
          its own part number, stock, price and picture. Name, description and brand must be the same in all
          of them.
        </li>
        <li>
          <Names names={['options']} /> is <Names names={['variants']} /> for rows with a group,{' '}
          <Names names={['standard']} /> for the usual sizes and colours with one stock, or{' '}
          <Names names={['none']} />. A new product without it is <Names names={['standard']} />: customers
          are asked for a size and a colour. <Names names={['weight']} /> is in grams.{' '}
          <Names names={['hidden']} /> is yes or blank.
        </li>
        <li>
          Attributes have columns such as <Names names={['attribute:Length']} />. The kind of the product
          defines them on the{' '}
          <a href="/dashboard/attributes" className="font-semibold text-signal underline">
            Attributes
          </a>{' '}
          page.
        </li>
        <li>
          A blank <Names names={['quantity']} /> keeps the stock, a number sets it. With{' '}
          <Names names={['quantity_exported']} />, the difference is added, so later sales still count.
        </li>
        <li>
          <Names names={['image']} /> is the first picture, <Names names={['pictures']} /> are the others,
          separated by semicolons. A picture keeps its text and colour while its URL is listed.
        </li>
      </>
    ),
    exportRoute: 'exportProducts',
  },
  fitments: {
    columns: fitmentFileColumns,
    rules: (
      <>
        <li>
          <Names names={['part_number']} /> is the part number of a product or variant.{' '}
          <Names names={['make', 'model']} /> are names on the Bikes page.
        </li>
        <li>
          A product's rows replace its fitments from the same <Names names={['source']} />. Other sources and
          products stay unchanged. To remove all fitments from a source, add one row without make and model.
        </li>
        <li>
          A blank <Names names={['year_to']} /> means one year, a blank <Names names={['version']} /> every
          version, a blank <Names names={['source']} /> the source “shop”.
        </li>
      </>
    ),
    exportRoute: 'exportFitments',
  },
  bikes: {
    columns: bikeFileColumns,
    rules: (
      <>
        <li>
          Bikes that the shop does not have are added, and products that fit them are listed under them. Bikes
          that are not in the file stay unchanged.
        </li>
        <li>
          A blank <Names names={['year_to']} /> means one year. Each year also gets a bike without a version.
        </li>
        <li>
          <Names names={['aliases']} /> are other names of the model in the search box, separated by
          semicolons: “r6; yzfr6”.
        </li>
      </>
    ),
    exportRoute: 'exportBikes',
  },
  'part-numbers': {
    columns: partNumberFileColumns,
    rules: (
      <>
        <li>
          <Names names={['part_number']} /> is the part number of a product or variant.{' '}
          <Names names={['number']} /> is another maker's number for it, or an old number.
        </li>
        <li>
          <Names names={['kind']} /> is <Names names={partNumberKinds} />: a number from the vehicle maker,
          from another parts maker, or an old number. The first two need a <Names names={['maker']} />.
        </li>
        <li>
          A product's rows replace its numbers. Other products stay unchanged. To remove all numbers of a
          product, add one row with only its part number.
        </li>
      </>
    ),
    exportRoute: 'exportPartNumbers',
  },
  'shopify-products': {
    rules: (
      <>
        <li>
          In Shopify, open Products, choose Export, “All products” and “CSV for Excel, Numbers, or other
          spreadsheet programs”. Files with the earlier column names are read too.
        </li>
        <MovingRules path="/products/…" />
      </>
    ),
  },
  'woocommerce-products': {
    rules: (
      <>
        <li>
          Set the language of your WordPress profile to English (United States). Then open Products, choose
          Export, and export all columns.
        </li>
        <MovingRules path="/product/…" />
      </>
    ),
  },
  redirects: {
    columns: redirectFileColumns,
    rules: (
      <>
        <li>
          Old addresses and new ones are paths, such as <Names names={['/collections/brakes']} /> and{' '}
          <Names names={['/products?kind=Brake pads']} />.
        </li>
        <li>A page of the shop is never redirected. An old address that is known gets the new target.</li>
      </>
    ),
  },
  aces: {
    rules: (
      <>
        <li>
          ACES 4.0 to 4.2. Import the{' '}
          <a href="?kind=aces-codes" className="font-semibold text-signal underline">
            ACES codes
          </a>{' '}
          of your bikes first, because the shop has none of its own.
        </li>
        <li>
          Each <Names names={['App']} /> needs a <Names names={['BaseVehicle']} /> and a{' '}
          <Names names={['Part']} />. It can have <Names names={['SubModel', 'Position', 'Qty', 'Note']} />.
          Other elements that limit the fit are errors, because the part would seem to fit more bikes without
          them.
        </li>
        <li>
          If the <Names names={['Part']} /> or the header has a <Names names={['BrandAAIAID']} />, only
          products of this brand match. Applications for brands without an ACES code in the shop are left out
          and listed.
        </li>
        <li>
          A file with the <Names names={['SubmissionType']} /> FULL replaces all fitments with the same
          company and document title, even for products that are not in the file. UPDATE adds and deletes
          applications. TEST is only checked.
        </li>
        <li>
          <Names names={['Footer', 'RecordCount']} /> must be the number of applications.
        </li>
      </>
    ),
  },
  'shopify-orders': {
    rules: (
      <>
        <li>
          The order file that the admin of Shopify exports as CSV. Rows with the same{' '}
          <Names names={['Name']} /> are one order.
        </li>
        <li>
          They are an archive to read, and change no stock, payment or report. You find them by the search and
          on the page of a customer. Customers see their own in My Orders once their email is confirmed.
        </li>
        <li>An order that the archive has already is replaced.</li>
      </>
    ),
  },
  'aces-codes': {
    columns: acesCodeFileColumns,
    rules: (
      <>
        <li>
          A <Names names={['base_vehicle']} /> has make, model and year; make and model are names on the Bikes
          page. A <Names names={['submodel']} /> has the version as <Names names={['value']} />, a{' '}
          <Names names={['position']} /> the position. A <Names names={['brand']} /> has the four letters of
          its <Names names={['BrandAAIAID']} /> as <Names names={['id']} /> and the name of your brand as{' '}
          <Names names={['value']} />.
        </li>
        <li>
          Codes are added or changed. Codes that are not in the file stay unchanged. Make sure that your
          license allows you to use the codes.
        </li>
      </>
    ),
  },
}
