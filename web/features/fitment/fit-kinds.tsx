import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FitKind, fitKinds } from '../../../contract/fit-answer.ts'
import type { FitKindCounts } from '../../../contract/fitments.ts'
import { call, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { selectClass } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { showToast } from '../../ui/toasts.tsx'

type KindCounts = FitKindCounts['kinds'][number]

const queryKey = ['fit-kinds']

const labels: Record<FitKind, string> = {
  vehicle: 'Particular bikes',
  universal: 'Universal',
  gear: 'Gear',
}

const count = (number: number) => number.toLocaleString('en-US')

const columns: Column<KindCounts>[] = [
  { head: 'Kind of part', names: true, cell: ({ kind }) => kind },
  ...fitKinds.map((fitKind) => ({
    head: labels[fitKind],
    numeric: true,
    cell: (counts: KindCounts) => count(counts[fitKind]),
  })),
  { head: 'Fit kind', actions: true, cell: (counts) => <FitKindForm counts={counts} /> },
]

/** Sets the fit kind of all products with the same kind of part. */
export function FitKinds() {
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('listFitKinds', { signal }),
    staleTime: 0,
  })
  return (
    <section aria-labelledby="fit-kinds">
      <h2 id="fit-kinds" className="mb-3 font-display text-2xl font-bold">
        Fit by kind of part
      </h2>
      <p className="mb-4 max-w-text text-quiet">
        Most parts are made for particular bikes. For a universal part the shop asks the rider to check the
        specification. For gear, such as helmets and tools, it shows nothing about the fit. Products with
        fitments stay as they are.
      </p>
      {list.data ? (
        list.data.kinds.length > 0 ? (
          <DataTable
            caption="Fit by kind of part"
            columns={columns}
            rows={list.data.kinds}
            rowKey={({ kind }) => kind}
          />
        ) : (
          <p>No product has a kind of part yet.</p>
        )
      ) : list.isError ? (
        <QueryError title="The kinds of parts could not be loaded" query={list} />
      ) : (
        <SectionSpinner />
      )}
    </section>
  )
}

function FitKindForm({ counts: { kind, ...counts } }: { counts: KindCounts }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<FitKind | null>(null)
  const [usual = 'vehicle'] = fitKinds.toSorted((one, other) => counts[other] - counts[one])
  const fitKind = chosen ?? usual
  const save = useMutation({
    mutationFn: () => call('setFitKind', { body: { kind, fitKind } }),
    onSuccess: ({ changed, skipped }) => {
      const products = changed === 1 ? '1 product' : `${count(changed)} products`
      const others = skipped > 0 ? ` Not changed, because they have fitments: ${count(skipped)}.` : ''
      showToast('success', `${kind}: ${products} changed.${others}`)
    },
    onError: (error) => showToast('error', `${kind}: not all products were changed. ${readMessage(error)}`),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <select
        aria-label={`Fit kind of ${kind}`}
        value={fitKind}
        onChange={({ target }) => setChosen(fitKinds.find((each) => each === target.value) ?? null)}
        className={`${selectClass} h-11 max-w-48 md:h-9`}
      >
        {fitKinds.map((each) => (
          <option key={each} value={each}>
            {labels[each]}
          </option>
        ))}
      </select>
      <BusyButton
        variant="quiet"
        size="small"
        aria-label={`Change the fit kind of ${kind}`}
        disabled={chosen === null}
        busy={save.isPending}
        onClick={() => save.mutate()}
      >
        Change
      </BusyButton>
    </div>
  )
}
