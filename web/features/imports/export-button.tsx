import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SyntheticEvent } from 'react'
import type { RouteName } from '../../../contract/routes.ts'
import { callForFile, type Query, readMessage } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { selectClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

const fileNames = {
  exportProducts: 'products',
  exportFitments: 'fitments',
  exportBikes: 'bikes',
  exportPartNumbers: 'part-numbers',
  exportOrderLines: 'order-lines',
  exportRefunds: 'refunds',
} as const satisfies Partial<Record<RouteName, string>>

export type ExportRoute = keyof typeof fileNames

interface ExportButtonProps<Route extends ExportRoute> {
  route: Route
  query?: Query<Route> & object
  /** Omits the byte order mark, by which spreadsheet programs detect UTF-8. */
  plain?: boolean
  children: ReactNode
}

/** Downloads the rows that match a query as a CSV file. */
export function ExportButton<Route extends ExportRoute>({
  route,
  query,
  plain = false,
  children,
}: ExportButtonProps<Route>) {
  const download = useDownload(route)
  return (
    <BusyButton
      variant="quiet"
      busy={download.isPending}
      onClick={() => download.mutate({ ...query, ...(!plain && { bom: 'true' }) })}
    >
      {children}
    </BusyButton>
  )
}

/** Downloads the rows that match a query in one of two formats: for programs, or for a spreadsheet with decimal commas. */
export function ExportForm<Route extends ExportRoute>({
  route,
  query,
}: {
  route: Route
  query: Query<Route> & object
}) {
  const download = useDownload(route)
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const decimals = new FormData(event.currentTarget).get('decimals')
    download.mutate({ ...query, decimals, bom: 'true' })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <select name="decimals" aria-label="Format of the export" className={`${selectClass} h-11 w-auto!`}>
        <option value="point">CSV (, and .)</option>
        <option value="comma">For Excel (; and ,)</option>
      </select>
      <BusyButton type="submit" variant="quiet" busy={download.isPending}>
        Export
      </BusyButton>
    </form>
  )
}

/** Downloads a file of the shop. */
const useDownload = (route: ExportRoute) =>
  useMutation({
    mutationFn: (query: object) => callForFile(route, { query }),
    onSuccess: (file) => saveFile(file, `${fileNames[route]}.csv`),
    onError: (error) =>
      showToast(
        'error',
        `The ${fileNames[route].replaceAll('-', ' ')} could not be exported. ${readMessage(error)}`,
      ),
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
