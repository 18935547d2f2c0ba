import { useEffect, useRef, useState } from 'react'
import { maxProductFileBytes } from '../../../contract/product-file.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Progress } from '../../ui/progress.tsx'
import { upload } from '../../upload.ts'

/** Chooses a product file and uploads it. @param onUploaded called with the id of its import */
export function FileUpload({ onUploaded }: { onUploaded: (id: string) => void }) {
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState('')
  const isInProgress = useRef<AbortController>(null)
  useEffect(() => () => isInProgress.current?.abort(), [])

  async function start(file: File) {
    setError('')
    if (file.size > maxProductFileBytes) return setError('The file is larger than 100 MB.')
    const controller = new AbortController()
    isInProgress.current = controller
    setSent(0)
    try {
      const query = { fileName: file.name }
      const { id } = await upload('checkImport', file, {
        query,
        onProgress: setSent,
        signal: controller.signal,
      })
      onUploaded(id)
    } catch (failure) {
      if (!controller.signal.aborted) setError(readMessage(failure))
    } finally {
      setSent(null)
    }
  }

  return (
    <FileDrop
      label="Choose a file"
      hint="Or drop one here: CSV in UTF-8, up to 100 MB. Nothing is imported until you confirm."
      accept=".csv,text/csv"
      error={error}
      disabled={sent !== null}
      onFile={(file) => void start(file)}
      className="max-w-3xl bg-surface md:p-6"
    >
      {sent !== null && (
        <div className="mt-4 flex items-end gap-3">
          <Progress label="Uploading" done={sent} />
          <Button variant="quiet" size="small" onClick={() => isInProgress.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
    </FileDrop>
  )
}
