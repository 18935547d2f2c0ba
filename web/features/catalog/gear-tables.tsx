import { useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { type Certificate, describeClass } from '../../../contract/certificates.ts'
import type { Manufacturer, SizeChart, Unit } from '../../../contract/gear.ts'
import { useHydrated } from '../../router/router.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { formatRange } from './size-chart.ts'
import { SizeFinder } from './size-finder.tsx'

const headClass = 'wrap-anywhere border-b-2 border-ink py-2 pr-3 text-left text-sm font-semibold'
const cellClass = 'border-b border-line py-2 pr-3 text-left'

const unitNames: Record<Unit, string> = { cm: 'cm', in: 'Inches' }

interface SectionProps {
  product: Product
  /** The unit that the rider has chosen before. */
  initialUnit?: Unit | undefined
}

/** The sizes of a maker in both units. Without scripts the table starts with the unit of the maker. */
export const SizeChartSection = ({ product, initialUnit }: SectionProps) =>
  product.sizeChart && (
    <SizeChartTable
      chart={product.sizeChart}
      initialUnit={initialUnit}
      offered={product.variants?.flatMap(({ size }) => size ?? []) ?? []}
    />
  )

interface SizeChartProps {
  chart: SizeChart
  /** The sizes that can be chosen. */
  offered: string[]
  initialUnit: Unit | undefined
}

function SizeChartTable({ chart, initialUnit, offered }: SizeChartProps) {
  const [chosenUnit, setUnit] = useState<Unit>()
  // The HTML of the server has the unit of the maker, which must be rendered first.
  const knownUnit = useHydrated() ? initialUnit : undefined
  const unit = chosenUnit ?? knownUnit ?? chart.unit
  const choose = (chosen: Unit) => {
    setUnit(chosen)
    storeUnit(chosen)
  }
  return (
    <section aria-labelledby="size-chart" className="group/chart">
      <h2 id="size-chart" className="font-display text-xl font-bold wrap-anywhere">
        Size chart for {chart.brand} {chart.kind.toLowerCase()}
      </h2>
      <fieldset className="flex items-center gap-4">
        <legend className="sr-only">Unit</legend>
        {(['cm', 'in'] as const).map((each) => (
          <label key={each} className="flex min-h-11 items-center gap-2">
            <input
              type="radio"
              name="unit"
              value={each}
              checked={unit === each}
              onChange={() => choose(each)}
              className="size-5 accent-signal"
            />
            {unitNames[each]}
          </label>
        ))}
      </fieldset>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes a wide table scrollable with the keyboard */}
      <div role="region" aria-label="Table of sizes" tabIndex={0} className="overflow-x-auto">
        <table className="w-full table-fixed border-collapse tabular-nums">
          <thead>
            <tr>
              {['Size', ...chart.columns].map((column) => (
                <th key={column} scope="col" className={`${headClass} w-22 align-bottom`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chart.rows.map(({ size, values }) => (
              <tr key={size}>
                <th scope="row" className={`${cellClass} wrap-anywhere`}>
                  {size}
                </th>
                {chart.columns.map((column, index) => (
                  <td key={column} className={`${cellClass} whitespace-nowrap`}>
                    {(['cm', 'in'] as const).map((each) => (
                      <span key={each} className={shownIf[each]}>
                        {formatRange(values[index] ?? null, chart.unit, each)}
                      </span>
                    ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 text-sm text-quiet wrap-anywhere">Source: {chart.source}</p>
      <details>
        <summary className="min-h-11 py-2 font-semibold text-signal">Find your size</summary>
        <noscript>
          <p>You need JavaScript for this. The table has all sizes.</p>
        </noscript>
        <SizeFinder chart={chart} unit={unit} offered={offered} />
      </details>
    </section>
  )
}

/** The checked unit decides, so that the switch works before and without scripts. */
const shownIf: Record<Unit, string> = {
  cm: 'group-has-[[value=in]:checked]/chart:hidden',
  in: 'group-has-[[value=cm]:checked]/chart:hidden',
}

function storeUnit(unit: Unit): void {
  try {
    localStorage.setItem('unit', unit)
  } catch {
    // The choice lasts for this page.
  }
}

/** The certificates of a product, and its maker. */
export const SafetySection = ({ product: { certificates, manufacturer } }: SectionProps) => (
  <div className="flex flex-col gap-6">
    {certificates && <CertificateTable certificates={certificates} />}
    {manufacturer && <ManufacturerList manufacturer={manufacturer} />}
  </div>
)

/** The safety certificates of gear. Columns without values are left out. */
function CertificateTable({ certificates }: { certificates: Certificate[] }) {
  const columns = [
    { head: 'Standard', cell: ({ standard }: Certificate) => standard },
    { head: 'Class', cell: (each: Certificate) => capitalize(describeClass(each)) },
    { head: 'Zone', cell: ({ zone }: Certificate) => capitalize(zone ?? '') },
    { head: 'Number', cell: ({ number }: Certificate) => number },
    {
      head: 'Document',
      cell: ({ documentUrl, standard }: Certificate) =>
        documentUrl && (
          <a href={documentUrl} rel="noopener noreferrer" className="font-semibold text-signal underline">
            Open<span className="sr-only"> the document for {standard}</span>
          </a>
        ),
    },
  ].filter(({ cell }) => certificates.some((certificate) => cell(certificate)))
  return (
    <section aria-labelledby="certificates">
      <h2 id="certificates" className="mb-1 font-display text-xl font-bold">
        Safety certificates
      </h2>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {columns.map(({ head }) => (
              <th key={head} scope="col" className={headClass}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {certificates.map((certificate) => (
            <tr key={`${certificate.standard} ${certificate.zone}`}>
              {columns.map(({ head, cell }) => (
                <td key={head} className={`${cellClass} align-top wrap-anywhere`}>
                  {cell(certificate) || '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The manufacturer with the responsible person in the EU: the GPSR requires both on the page of a product. */
function ManufacturerList({ manufacturer }: { manufacturer: Manufacturer }) {
  const { eu, safetyText, ...maker } = manufacturer
  const toText = (each: typeof eu) => [each?.name, each?.address, each?.contact].filter(Boolean).join('\n')
  return (
    <DescriptionList
      items={[
        { name: 'Manufacturer', value: toText(maker) },
        { name: 'EU responsible person', value: toText(eu) },
        { name: 'Safety information', value: safetyText },
      ]}
    />
  )
}
