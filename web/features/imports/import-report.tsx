import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  changesProducts,
  isOfOtherShop,
  type ProductImport,
  runsInBatches,
} from '../../../contract/imports.ts'
import { call, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { navigate, scrollToTop } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Progress } from '../../ui/progress.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toasts.tsx'
import {
  formatCount,
  hasPreview,
  ImportChanges,
  ImportErrors,
  LeftOut,
  Skipped,
  Unknown,
  Warnings,
} from './import-lists.tsx'
import { ImportSteps } from './import-steps.tsx'
import { ImportNotes, OtherShopSummary, otherShopItems } from './other-shop.tsx'
import { PictureDownloads } from './picture-downloads.tsx'
import { PictureHosts } from './picture-hosts.tsx'
import { ScheduledRun, ScheduleForm } from './schedule.tsx'
import { toRun } from './to-run.ts'
import { WrongRows } from './wrong-rows.tsx'

const pollIntervalMs = 500

/** The file, or the undone one. */
export const importTitle = ({ source, fileName }: Pick<ProductImport, 'source' | 'fileName'>): string =>
  source === 'undo' ? `Undo of ${fileName}` : fileName

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('getImport', { params: { id }, signal }),
    staleTime: 0,
  })

/** Whether the server is still processing the import. */
const isInProgress = ({ state }: ProductImport): boolean =>
  state === 'reading' || state === 'checking' || state === 'importing'

/** Progress or result of an import, with its errors and changes. Polled while it is in progress. */
export function ImportReport({ id }: { id: string }) {
  const client = useQueryClient()
  const [hosts, setHosts] = useState<string[]>([])
  const found = useQuery({
    ...importQuery(id),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? pollIntervalMs : false),
    refetchIntervalInBackground: true,
  })
  const productImport = found.data
  // An import that failed may have changed some products.
  const isFinished = productImport?.state === 'done' || productImport?.state === 'failed'
  useEffect(() => {
    // Other pages may have loaded their data before the import ended. The report itself is up to date.
    if (isFinished) void client.invalidateQueries({ refetchType: 'none' })
  }, [client, isFinished])
  if (!productImport) {
    return found.isError ? (
      <QueryError title="This import could not be loaded" query={found} />
    ) : (
      <FullSpinner />
    )
  }
  return (
    <div className="flex max-w-wide flex-col items-start gap-6">
      <div>
        {productImport.source === 'file' && (
          <ImportSteps current={productImport.state === 'done' ? 'Done' : 'Check'} />
        )}
        <p className="font-semibold wrap-anywhere">{importTitle(productImport)}</p>
      </div>
      {isInProgress(productImport) ? (
        <InProgress productImport={productImport} />
      ) : (
        <>
          <Outcome productImport={productImport} />
          <OtherShopSummary productImport={productImport} />
          <WrongRows productImport={productImport} />
          {isDelivery(productImport) && productImport.wrongRows > 0 && (
            <p>
              Goods In lists only the other rows. Download the wrong rows first: they are deleted when you
              book the delivery.
            </p>
          )}
          <Warnings productImport={productImport} />
          <PictureHosts productImport={productImport} chosen={hosts} onChange={setHosts} />
          <ScheduledRun productImport={productImport} />
          <div className="flex flex-wrap items-center gap-3">
            {hasPreview(productImport) && <RunButton productImport={productImport} hosts={hosts} />}
            {isDelivery(productImport) && (
              <LinkButton href={`/dashboard/goods-in?note=${id}`} variant="quiet">
                Tick off in Goods In
              </LinkButton>
            )}
            {productImport.undoable && <UndoButton id={id} />}
            {productImport.source === 'selection' && (
              <LinkButton href="/dashboard/manage-products" variant="quiet">
                Manage Products
              </LinkButton>
            )}
            {productImport.source === 'scan' && (
              <LinkButton href="/dashboard/goods-in" variant="quiet">
                Goods In
              </LinkButton>
            )}
            {productImport.source === 'file' && (
              <LinkButton href={`?kind=${productImport.kind}`} variant="quiet">
                Import another file
              </LinkButton>
            )}
          </div>
          {canSchedule(productImport) && <ScheduleForm productImport={productImport} hosts={hosts} />}
          <PictureDownloads productImport={productImport} />
          <OtherImport productImport={productImport} />
        </>
      )}
      <Skipped productImport={productImport} />
      <LeftOut productImport={productImport} />
      <ImportErrors productImport={productImport} />
      <ImportNotes productImport={productImport} />
      <ImportChanges productImport={productImport} />
      <Unknown productImport={productImport} />
    </div>
  )
}

function InProgress({ productImport: { source, state, rows, done } }: { productImport: ProductImport }) {
  const isSelection = source === 'selection'
  const counted = `${formatCount(rows)} ${isSelection ? 'product' : 'row'}${rows === 1 ? '' : 's'}`
  const labels = {
    reading: `Reading: ${counted} so far`,
    checking: rows > 0 ? `Checking ${counted}` : 'Checking',
    importing: `${isSelection ? 'Changing' : 'Importing'} ${counted}`,
  }
  const label = labels[state as keyof typeof labels]
  const known = state === 'importing' && rows > 0
  return (
    <div className="w-full">
      <Progress label={label} done={known ? done / rows : null} />
      <p className="mt-2 text-sm text-quiet">
        You can close this page. The import continues, even if the shop is restarted. See the result under{' '}
        <a href="/dashboard/imports" className="font-semibold text-signal underline">
          Imports
        </a>
        .
      </p>
    </div>
  )
}

function Outcome({ productImport }: { productImport: ProductImport }) {
  const { kind, source, state, failure, added, changed, removed, unchanged, yearsWithoutBike, errorCount } =
    productImport
  const { otherShop, leftOutCount } = productImport
  if (state === 'failed') return <Alert>{failure}</Alert>
  const isDone = state === 'done'
  const isRefused = errorCount > 0 && !isDone
  const effect = [
    ...(otherShop && !isDone ? otherShopItems(otherShop) : []),
    { name: otherShop ? 'Variants added' : 'Added', value: formatCount(added) },
    { name: otherShop ? 'Variants changed' : 'Changed', value: formatCount(changed) },
    ...(['fitments', 'part-numbers', 'aces'].includes(kind)
      ? [{ name: 'Removed', value: formatCount(removed) }]
      : []),
    { name: otherShop ? 'Variants unchanged' : 'Unchanged', value: formatCount(unchanged) },
    ...(otherShop && leftOutCount > 0 ? [{ name: 'Not imported', value: formatCount(leftOutCount) }] : []),
    ...(yearsWithoutBike > 0
      ? [{ name: 'Years without a bike in the shop', value: formatCount(yearsWithoutBike) }]
      : []),
  ]
  return (
    <div className="w-full">
      {source === 'file' && isOfOtherShop(kind) && <p className="mb-3 font-semibold">Prices are dollars.</p>}
      <p role="status" className={`mb-3 text-lg font-semibold ${isRefused ? 'text-bad' : 'text-good'}`}>
        {isDone ? doneTexts[source] : verdict(productImport)}
      </p>
      <DescriptionList
        items={[
          ...(isRefused ? [{ name: 'Errors', value: formatCount(errorCount) }] : []),
          ...(source === 'scan' || source === 'selection' || (source === 'undo' && changesProducts(kind))
            ? storedItems[source](productImport)
            : isDone || hasPreview(productImport)
              ? effect
              : []),
        ]}
      />
    </div>
  )
}

const doneTexts = { file: 'Imported.', scan: 'Booked.', selection: 'Changed.', undo: 'Undone.' }

const selectionItems = ({ added, changed, removed, unchanged, skippedCount }: ProductImport) =>
  [
    { name: 'Changed', number: changed },
    { name: 'Deleted', number: removed },
    { name: 'Restored', number: added },
    { name: 'Unchanged', number: unchanged },
    { name: 'Left out', number: skippedCount },
  ].flatMap(({ name, number }) => (number > 0 ? { name, value: formatCount(number) } : []))

const undoItems = ({ added, changed, removed, skippedCount }: ProductImport) => [
  { name: 'Products that change back', value: formatCount(changed) },
  ...(removed > 0 ? [{ name: 'Added products that are deleted', value: formatCount(removed) }] : []),
  ...(added > 0 ? [{ name: 'Deleted products that return', value: formatCount(added) }] : []),
  ...(skippedCount > 0 ? [{ name: 'Left out, or in part', value: formatCount(skippedCount) }] : []),
]

/** A booking changes the stock of items. */
const scanItems = ({ changed, unchanged }: ProductImport) => [
  { name: 'Changed', value: formatCount(changed) },
  ...(unchanged > 0 ? [{ name: 'Unchanged', value: formatCount(unchanged) }] : []),
]

const storedItems = { scan: scanItems, selection: selectionItems, undo: undoItems }

/** A checked delivery file can be compared with what has arrived. */
const isDelivery = ({ source, mode, state, changed }: ProductImport): boolean =>
  source === 'file' && mode === 'deliveries' && state === 'checked' && changed > 0

const isEmpty = ({ added, changed, removed, otherShop }: ProductImport) =>
  added + changed + removed + (otherShop?.oldAddresses ?? 0) === 0

function verdict(productImport: ProductImport): string {
  const { errorCount, source, wrongRows } = productImport
  if (source === 'selection') {
    return isEmpty(productImport)
      ? 'Nothing would change.'
      : 'Nothing has changed yet. These changes will be made:'
  }
  if (errorCount > 0) {
    if (wrongRows === 0 || isEmpty(productImport)) return 'Fix the errors before you import this file.'
    return 'Fix the errors before you import this file, or leave out the wrong rows. The others will make these changes:'
  }
  if (source === 'undo') {
    return isEmpty(productImport)
      ? 'Nothing can be restored.'
      : 'Nothing has changed yet. Undoing the import will make these changes:'
  }
  if (isEmpty(productImport)) return 'This file has no changes.'
  return 'No errors found. The import will make these changes:'
}

const canSchedule = (productImport: ProductImport): boolean =>
  hasPreview(productImport) &&
  !isEmpty(productImport) &&
  !productImport.runAt &&
  productImport.source === 'file' &&
  runsInBatches(productImport.kind)

function RunButton({ productImport, hosts }: { productImport: ProductImport; hosts: string[] }) {
  const { id } = productImport
  const client = useQueryClient()
  const run = useMutation({
    mutationFn: () => call('runImport', toRun(productImport, hosts)),
    // The progress is above the lists.
    onSuccess: () => scrollToTop(),
    // After an error as well, because a lost response may have been a success.
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
  if (isEmpty(productImport)) return null
  return (
    <>
      {run.isError && <Alert>{readMessage(run.error)}</Alert>}
      <BusyButton
        size="large"
        busy={run.isPending}
        className="max-xs:whitespace-normal"
        onClick={() => run.mutate()}
      >
        {runLabel(productImport)}
      </BusyButton>
    </>
  )
}

function runLabel({ source, warnings, errorCount, runAt, otherShop }: ProductImport): string {
  if (source === 'undo') return 'Undo the import'
  if (source === 'selection') return warnings.length > 0 ? 'I have checked them: run' : 'Run'
  if (errorCount > 0 && otherShop) {
    const label = `import the ${formatCount(otherShop.products)} products without errors`
    return warnings.length > 0 ? `Checked: ${label}` : label.replace(/^i/, 'I')
  }
  const label = errorCount > 0 ? 'Import the other rows' : runAt ? 'Import now' : 'Import'
  if (warnings.length === 0) return label
  return errorCount > 0 ? 'Checked: import the other rows' : `I have checked them: ${label.toLowerCase()}`
}

/** Opens a preview of the undo, which is not run yet. */
export function UndoButton({ id, small = false }: { id: string; small?: boolean }) {
  const undo = useMutation({
    mutationFn: () => call('undoImport', { params: { id } }),
    onSuccess: (created) => navigate(`/dashboard/import-products?import=${created.id}`),
    onError: (error) => showToast('error', readMessage(error)),
  })
  return (
    <BusyButton
      variant="quiet"
      size={small ? 'small' : 'normal'}
      busy={undo.isPending}
      onClick={() => undo.mutate()}
    >
      Undo…
    </BusyButton>
  )
}

/** A link to the undo of this import, or from an undo to its import. */
function OtherImport({ productImport: { undoOf, undoneBy } }: { productImport: ProductImport }) {
  const other = undoneBy ?? undoOf
  if (!other) return null
  return (
    <p className="text-quiet">
      {undoneBy ? 'This import was undone by ' : 'This undoes '}
      <a href={`?import=${other}`} className="font-semibold text-signal underline">
        another import
      </a>
      .
    </p>
  )
}
