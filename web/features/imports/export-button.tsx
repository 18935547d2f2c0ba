import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callForFile, readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

interface ExportButtonProps {
  /** Omits the byte order mark, by which spreadsheet programs detect UTF-8. */
  plain?: boolean
  children: ReactNode
}

/** Downloads all products as a CSV file. */
export function ExportButton({ plain = false, children }: ExportButtonProps) {
  const download = useMutation({
    mutationFn: () => callForFile('exportProducts', { query: plain ? {} : { bom: 'true' } }),
    onSuccess: (file) => save(file, 'products.csv'),
    onError: (error) => showToast('error', `The products could not be exported. ${readMessage(error)}`),
  })
  return (
    <Button variant="quiet" busy={download.isPending} onClick={() => download.mutate()}>
      {children}
    </Button>
  )
}

/** The call needs the access token, which a plain link would not send. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
