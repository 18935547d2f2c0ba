import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useEffectEvent } from 'react'
import type { DeliveryNote } from '../../../contract/receipts.ts'
import { call } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { compareWithNote, type ScanList, type ScannedLine } from './scan-list.ts'

interface OpenNoteProps {
  /** The id of a checked delivery file. */
  id: string
  onRead: (note: DeliveryNote) => void
}

/** Reads a delivery note into the list. */
export function OpenNote({ id, onRead }: OpenNoteProps) {
  const note = useQuery({
    queryKey: ['imports', id, 'delivery-note'],
    queryFn: ({ signal }) => call('getDeliveryNote', { params: { id }, signal }),
    staleTime: 0,
  })
  const { data } = note
  const read = useEffectEvent(onRead)
  useEffect(() => {
    if (data) read(data)
  }, [data])
  return note.isError ? (
    <QueryError title="The delivery note could not be opened" query={note} />
  ) : (
    <SectionSpinner />
  )
}

interface NoteSummaryProps {
  list: ScanList
  onClose: () => void
}

/** How the list differs from its delivery note. */
export function NoteSummary({ list, onClose }: NoteSummaryProps) {
  if (!list.note) return null
  const { complete, missing, more, unlisted } = compareWithNote(list)
  const differences = [
    missing > 0 && `${missing} with missing pieces`,
    more > 0 && `${more} with more pieces`,
    unlisted > 0 && `${unlisted} not on the note`,
  ].filter(Boolean)
  return (
    <section
      aria-label="Delivery note"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface p-4"
    >
      <p className="min-w-40 grow basis-0 tabular-nums">
        <span className="block font-semibold wrap-anywhere">{list.note.fileName}</span>
        {complete} of {complete + missing + more} items complete
        {differences.length > 0 && (
          <strong className="block text-wait">Differences: {differences.join(', ')}</strong>
        )}
      </p>
      <Button variant="quiet" size="small" onClick={onClose}>
        Remove delivery note
      </Button>
    </section>
  )
}

interface AwaitedItemsProps {
  lines: ScannedLine[]
  onSelect: (variantId: string) => void
}

/** The items of a delivery note that are not scanned yet. Rendered again only when one of them is. */
export const AwaitedItems = memo(
  function AwaitedItems({ lines, onSelect }: AwaitedItemsProps) {
    if (lines.length === 0) return null
    return (
      <section aria-labelledby="awaited" className="mb-6">
        <h2 id="awaited" className="font-display text-2xl font-bold">
          Not scanned yet
        </h2>
        <ul className="mt-2 divide-y divide-line border-y border-line">
          {lines.map(({ variantId, name, sku, shelf, noted }) => (
            <li key={variantId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <span className="w-14 text-right font-display text-2xl font-bold text-quiet tabular-nums">
                {noted}
              </span>
              <span className="min-w-40 grow basis-0 wrap-anywhere">
                <span className="font-semibold">{name}</span>
                <span className="block text-sm text-quiet">
                  {[sku, shelf && `Shelf ${shelf}`].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Button
                variant="quiet"
                size="small"
                aria-label={`Enter pieces of ${name}`}
                onClick={() => onSelect(variantId)}
              >
                Enter pieces
              </Button>
            </li>
          ))}
        </ul>
      </section>
    )
  },
  (before, after) => before.lines === after.lines,
)
