import type { ReactNode } from 'react'
import type { ProductImport } from '../../../contract/imports.ts'
import { readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ImportChanges, ImportErrors } from './import-tables.tsx'
import { isInProgress, useRunImport } from './queries.ts'

const count = (number: number) => number.toLocaleString('en-US')

export interface ImportReportProps {
  productImport: ProductImport
  /** Further action beside the Import button. */
  another: ReactNode
}

/** Progress or result of an import, with its errors and changes. */
export function ImportReport({ productImport, another }: ImportReportProps) {
  return (
    <div className="flex max-w-wide flex-col items-start gap-6">
      <p className="font-semibold wrap-anywhere">{productImport.fileName}</p>
      {isInProgress(productImport) ? (
        <InProgress productImport={productImport} />
      ) : (
        <Outcome productImport={productImport} />
      )}
      {!isInProgress(productImport) && (
        <div className="flex flex-wrap items-center gap-3">
          {productImport.state === 'checked' && productImport.errorCount === 0 && (
            <RunButton productImport={productImport} />
          )}
          {another}
        </div>
      )}
      <ImportErrors productImport={productImport} />
      <ImportChanges productImport={productImport} />
    </div>
  )
}

function InProgress({ productImport: { state, rows, done } }: { productImport: ProductImport }) {
  const labels = {
    reading: `Reading: ${count(rows)} rows so far`,
    checking: `Checking ${count(rows)} rows`,
    importing: `Importing ${count(rows)} rows`,
  }
  const label = labels[state as keyof typeof labels]
  const known = state === 'importing' && rows > 0
  return (
    <div className="w-full max-w-3xl">
      <Progress label={label} done={known ? done / rows : null} />
      <p className="mt-2 text-sm text-quiet">
        You can close this page. The import continues. Reopen this URL to see the result.
      </p>
    </div>
  )
}

function Outcome({ productImport }: { productImport: ProductImport }) {
  const { state, failure, added, changed, unchanged, errorCount } = productImport
  if (state === 'failed') return <Alert>{failure}</Alert>
  const isDone = state === 'done'
  return (
    <div className="w-full max-w-3xl">
      <p role="status" className={`mb-3 text-lg font-semibold ${errorCount > 0 ? 'text-bad' : 'text-good'}`}>
        {isDone ? 'Imported.' : verdict(productImport)}
      </p>
      <DescriptionList
        items={
          errorCount > 0
            ? [{ name: 'Errors', value: count(errorCount) }]
            : [
                { name: 'Added', value: count(added) },
                { name: 'Changed', value: count(changed) },
                { name: 'Unchanged', value: count(unchanged) },
              ]
        }
      />
    </div>
  )
}

function verdict({ errorCount, added, changed }: ProductImport): string {
  if (errorCount > 0) return 'Fix the errors before you import this file.'
  if (added + changed === 0) return 'This file has no changes.'
  return 'No errors found. The import will make these changes:'
}

function RunButton({ productImport }: { productImport: ProductImport }) {
  const run = useRunImport(productImport.id)
  if (productImport.added + productImport.changed === 0) return null
  return (
    <>
      {run.isError && <Alert>{readMessage(run.error)}</Alert>}
      <Button size="large" busy={run.isPending} onClick={() => run.mutate()}>
        Import
      </Button>
    </>
  )
}
