import { useMutation } from '@tanstack/react-query'
import { isOfOtherShop, type ProductImport } from '../../../contract/imports.ts'
import { callForFile, readMessage } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { saveFile } from './export-button.tsx'
import { formatCount } from './import-lists.tsx'

/** The rows that an import leaves out, as a file to fix. */
export function WrongRows({ productImport }: { productImport: ProductImport }) {
  const { id, kind, state, wrongRows, skipsErrors } = productImport
  const download = useMutation({
    mutationFn: () => callForFile('exportWrongRows', { params: { id } }),
    onSuccess: (file) => saveFile(file, 'left-out.csv'),
    onError: (error) => showToast('error', `The rows could not be downloaded. ${readMessage(error)}`),
  })
  const isDone = state === 'done'
  if (wrongRows === 0 || (state !== 'checked' && !isDone) || (isDone && !skipsErrors)) return null
  const rows = `${formatCount(wrongRows)} ${wrongRows === 1 ? 'row' : 'rows'}`
  return (
    <div className="flex w-full flex-col items-start gap-3 rounded-card border border-line bg-surface p-4">
      <p>
        {isDone
          ? `${rows} ${wrongRows === 1 ? 'was' : 'were'} left out.`
          : `${rows} cannot be imported. A product with a wrong row is left out with all its rows.`}{' '}
        {isOfOtherShop(kind)
          ? 'The file has them with the reason of each. Fix the products in your old shop, and import a new export.'
          : 'The file has them with the reason of each. Fix them there, and import it.'}
      </p>
      <BusyButton variant="quiet" busy={download.isPending} onClick={() => download.mutate()}>
        Download {rows}
      </BusyButton>
    </div>
  )
}
