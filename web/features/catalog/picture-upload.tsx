import { useEffect, useRef, useState } from 'react'
import { maxPictureBytes, pictureTypes } from '../../../contract/pictures.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Progress } from '../../ui/progress.tsx'
import { upload } from '../../upload.ts'

export interface PictureUploadProps {
  /** Called with the URL of the uploaded picture. */
  onUploaded: (url: string) => void
  /** Called with true when an upload starts and with false when it ends. */
  onBusy: (busy: boolean) => void
}

/** Uploads a picture immediately after it is chosen or dropped. Phones offer the camera as well. */
export function PictureUpload({ onUploaded, onBusy }: PictureUploadProps) {
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState('')
  const isInProgress = useRef<AbortController>(null)
  // Abort the upload when the user leaves the page.
  useEffect(() => () => isInProgress.current?.abort(), [])

  async function start(file: File) {
    const rejection = refuseFile(file)
    setError(rejection)
    if (rejection) return
    const controller = new AbortController()
    isInProgress.current = controller
    setSent(0)
    onBusy(true)
    try {
      const { signal } = controller
      onUploaded((await upload('addPicture', file, { onProgress: setSent, signal })).image)
    } catch (failure) {
      if (!controller.signal.aborted) setError(readMessage(failure))
    } finally {
      setSent(null)
      onBusy(false)
    }
  }

  return (
    <FileDrop
      label="Choose an image"
      hint="Or drop one here: JPEG, PNG, WebP or AVIF, up to 12 MB"
      accept={pictureTypes.join(',')}
      error={error}
      disabled={sent !== null}
      onFile={(file) => void start(file)}
    >
      {sent !== null && (
        <div className="mt-3 flex items-end gap-3">
          <Progress label={sent < 1 ? 'Uploading' : 'Processing'} done={sent < 1 ? sent : null} />
          <Button variant="quiet" size="small" onClick={() => isInProgress.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
    </FileDrop>
  )
}

/** Returns an error message before a long upload, or an empty string. The server checks the content. */
function refuseFile({ size, type }: File): string {
  if (size > maxPictureBytes) return 'The file is larger than 12 MB.'
  if (type && !pictureTypes.some((taken) => taken === type)) {
    return 'Unsupported image type. Use JPEG, PNG, WebP or AVIF.'
  }
  return ''
}
