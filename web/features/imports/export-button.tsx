import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ProductExportQuery } from '../../../contract/product-changes.ts'
import type { RouteName } from '../../../contract/routes.ts'
import { callForFile, readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
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

interface ExportButtonProps {
  route?: ExportRoute
  query?: ProductExportQuery & { format?: 'ebay' }
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
  const download = useMutation({
    mutationFn: () => callForFile(route, { query: plain ? query : { ...query, bom: 'true' } }),
    onSuccess: (file) => saveFile(file, `${exports[route]}.csv`),
    onError: (error) =>
      showToast('error', `The ${exports[route]} could not be exported. ${readMessage(error)}`),
  })
  return (
    <Button variant="quiet" busy={download.isPending} onClick={() => download.mutate()}>
      {children}
    </Button>
  )
}

/** The call needs the access token, which a plain link would not send. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
