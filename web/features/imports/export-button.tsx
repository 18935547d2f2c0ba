import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SyntheticEvent } from 'react'
import type { ProductExportQuery } from '../../../contract/product-changes.ts'
import type { RouteName } from '../../../contract/routes.ts'
import { callForFile, readMessage } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { selectClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

export type ExportRoute = Extract<
  RouteName,
  'exportProducts' | 'exportFitments' | 'exportBikes' | 'exportPartNumbers'
>

const exports: Record<ExportRoute, string> = {
  exportProducts: 'products',
  exportFitments: 'fitments',
  exportBikes: 'bikes',
  exportPartNumbers: 'part-numbers',
}

type ExportQuery = ProductExportQuery & { format?: 'ebay' }

interface ExportButtonProps {
  route?: ExportRoute
  query?: ExportQuery
  /** Omits the byte order mark, by which spreadsheet programs detect UTF-8. */
  plain?: boolean
  children: ReactNode
}

/** Downloads all products, fitments, bikes or part numbers as a CSV file. */
export function ExportButton({
  route = 'exportProducts',
  query = {},
  plain = false,
  children,
}: ExportButtonProps) {
  const download = useDownload(route)
  return (
    <BusyButton
      variant="quiet"
      busy={download.isPending}
      onClick={() => download.mutate(plain ? query : { ...query, bom: 'true' })}
    >
      {children}
    </BusyButton>
  )
}

interface ExportFormProps {
  busy: boolean
  onExport: (decimals: 'point' | 'comma') => void
}

/** Exports in one of two formats: for programs, or for a spreadsheet with decimal commas. */
export function ExportForm({ busy, onExport }: ExportFormProps) {
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    onExport(new FormData(event.currentTarget).get('decimals') === 'comma' ? 'comma' : 'point')
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <select name="decimals" aria-label="Format of the export" className={`${selectClass} h-11 w-auto!`}>
        <option value="point">CSV (, and .)</option>
        <option value="comma">For Excel (; and ,)</option>
      </select>
      <BusyButton type="submit" variant="quiet" busy={busy}>
        Export
      </BusyButton>
    </form>
  )
}

/** Exports the products that match the filters. */
export function ExportProducts({ query }: { query: ProductExportQuery }) {
  const download = useDownload('exportProducts')
  return (
    <ExportForm
      busy={download.isPending}
      onExport={(decimals) => download.mutate({ ...query, decimals, bom: 'true' })}
    />
  )
}

/** Downloads a file of the shop. */
const useDownload = (route: ExportRoute) =>
  useMutation({
    mutationFn: (query: ExportQuery) => callForFile(route, { query }),
    onSuccess: (file) => saveFile(file, `${exports[route]}.csv`),
    onError: (error) =>
      showToast('error', `The ${exports[route]} could not be exported. ${readMessage(error)}`),
  })

/** Safari starts a download after the click, and needs the URL until then (https://webkit.org/b/211234). */
const downloadTimeoutMs = 40_000

/** The call needs the access token, which a plain link would not send. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), downloadTimeoutMs)
}
