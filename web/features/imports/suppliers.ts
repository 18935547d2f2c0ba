import { queryOptions } from '@tanstack/react-query'
import type { ImportKind, ImportMode } from '../../../contract/imports.ts'
import { maxPreviewBytes } from '../../../contract/product-files.ts'
import type { FileEncoding, FilePreview } from '../../../contract/supplier-files.ts'
import { call } from '../../api.ts'
import { upload } from '../../upload.tsx'

/** The suppliers with stored columns. */
export const suppliersQuery = queryOptions({
  queryKey: ['suppliers'],
  queryFn: ({ signal }) => call('listSuppliers', { signal }),
})

interface PreviewOptions {
  kind: ImportKind
  mode: ImportMode
  /** Empty: without stored columns. */
  supplier: string
  encoding?: FileEncoding
}

/** Reads the start of a file on the server, which stores nothing. Throws ApiError. */
export const previewFile = (
  file: File,
  { kind, mode, supplier, encoding }: PreviewOptions,
): Promise<FilePreview> =>
  upload('previewImport', new Blob([file.slice(0, maxPreviewBytes)], { type: 'text/csv' }), {
    query: { kind, mode, ...(supplier && { supplier }), ...(encoding && { encoding }) },
  })

/** Whether an admin has to look at the columns: some are new, or guessed. */
export const needsMapping = ({ columns }: FilePreview): boolean =>
  columns.some(({ from }) => from === undefined || from === 'guess')
