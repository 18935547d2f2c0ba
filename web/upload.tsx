import { type ComponentProps, type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { maxPictureBytes, pictureTypes } from '../contract/picture-uploads.ts'
import { pluralize } from '../contract/plurals.ts'
import { type RouteName, routes } from '../contract/routes.ts'
import { ApiError, buildUrl, noAnswer, type Reply, readMessage, sendAsMe } from './api.ts'
import { Button, buttonClass } from './ui/button.tsx'
import { Progress } from './ui/progress.tsx'

/** The parameters of an upload, why a file is refused, or null if it is not uploaded. */
export type Prepared = { query: Record<string, string> } | { error: string } | null

interface FileUploadProps<Name extends RouteName> {
  route: Name
  /** The button text. */
  label: string
  /** Describes the accepted files. */
  hint: string
  accept: string
  /** Returns an error message before a long upload, or an empty string. The server checks the content. */
  refuse: (file: File) => string
  /** Returns an error message for all chosen files together, or an empty string. */
  refuseAll?: (files: File[]) => string
  /** Called before the upload, for example to ask the user about the file. */
  prepare?: (file: File) => Promise<Prepared>
  /** Shown after all bytes are sent, until the server responds. */
  processingLabel?: string
  /**
   * Whether several files can be chosen. They are uploaded one after another, until one fails; the others can then be
   * uploaded without being chosen again.
   */
  multiple?: boolean
  onUploaded: (reply: Reply<Name>) => void
  /** Called with true when an upload starts and with false when it ends. */
  onBusy?: (busy: boolean) => void
  className?: string
}

/**
 * Uploads a file immediately after it is chosen or dropped, until the user cancels it or leaves the page. The native
 * file input stays focusable for the keyboard.
 */
export function FileUpload<Name extends RouteName>(props: FileUploadProps<Name>) {
  const { route, label, hint, accept, refuse, refuseAll, prepare, processingLabel, multiple = false } = props
  const { onUploaded, onBusy, className } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState('')
  const [isDone, setDone] = useState(false)
  const [left, setLeft] = useState<File[]>([])
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start(chosen: File[]) {
    const files = multiple ? chosen : chosen.slice(0, 1)
    const rejection = refuseAll?.(files)
    if (rejection) {
      setError(rejection)
      setDone(false)
      return
    }
    setLeft([])
    for (const [index, file] of files.entries()) {
      const result = await send(file)
      if (result === 'uploaded') continue
      if (result === 'cancelled') return
      setLeft(files.slice(result === 'refused' ? index + 1 : index))
      if (files.length > 1) setError((reason) => `${file.name}: ${reason}`)
      return
    }
  }

  async function send(file: File): Promise<'uploaded' | 'refused' | 'failed' | 'cancelled'> {
    const rejection = refuse(file)
    setError(rejection)
    setDone(false)
    if (rejection) return 'refused'
    const { signal } = (running.current = new AbortController())
    setSent(0)
    onBusy?.(true)
    try {
      const prepared = prepare ? await prepare(file) : { query: {} }
      if (prepared === null) return 'cancelled'
      if ('error' in prepared) {
        setError(prepared.error)
        return 'refused'
      }
      onUploaded(await upload(route, file, { query: prepared.query, onProgress: setSent, signal }))
      setDone(true)
      return 'uploaded'
    } catch (failure) {
      if (signal.aborted) return 'cancelled'
      setError(readMessage(failure))
      return isFileRefused(failure) ? 'refused' : 'failed'
    } finally {
      setSent(null)
      onBusy?.(false)
    }
  }

  const isUploading = sent !== null
  const isProcessing = sent === 1 && processingLabel !== undefined
  const drag = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isInside && !isUploading)
  }
  return (
    <div
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event)
        if (!isUploading) void start([...event.dataTransfer.files])
      }}
      className={`rounded-card border border-dashed p-4 transition-colors
        ${isOver ? 'border-signal bg-shade' : 'border-edge'} ${className ?? ''}`}
    >
      <FileButton
        label={label}
        accept={accept}
        multiple={multiple}
        ref={input}
        busy={isUploading}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-hint`}
        onChosen={(files) => void start(files)}
      />
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-2">
        {error}
      </p>
      {left.length > 0 && (
        <Button
          variant="quiet"
          size="small"
          className="mt-2 mb-1"
          onClick={() => {
            input.current?.focus()
            void start(left)
          }}
        >
          {multiple ? `Upload the remaining ${pluralize(left.length, 'file')}` : 'Try again'}
        </Button>
      )}
      <p id={`${id}-hint`} className="mt-2 text-sm text-quiet">
        {hint}
      </p>
      <p role="status" className="text-sm font-semibold text-good not-empty:mt-2">
        {isDone && !isUploading && 'Uploaded'}
      </p>
      {isUploading && (
        <div className="mt-3 flex items-end gap-3">
          <Progress label={isProcessing ? processingLabel : 'Uploading'} done={isProcessing ? null : sent} />
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              input.current?.focus()
              running.current?.abort()
            }}
          >
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}

/** Counts the uploads of a form, which several inputs may start. It can be saved when none is in progress. */
export function useUploads() {
  const [count, setCount] = useState(0)
  return {
    isUploading: count > 0,
    onBusy: (busy: boolean) => setCount((current) => current + (busy ? 1 : -1)),
  }
}

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> {
  label: string
  /** Work is in progress: nothing can be chosen. Not `disabled`: the input would lose the focus. */
  busy: boolean
  onChosen: (files: File[]) => void
}

/** A button that chooses files. */
export const FileButton = ({ label, busy, onChosen, ...input }: FileButtonProps) => (
  <label
    className={`${buttonClass('quiet')} has-focus-visible:outline-3 has-focus-visible:outline-offset-2
      has-focus-visible:outline-signal has-aria-disabled:bg-shade has-aria-disabled:text-quiet`}
  >
    {label}
    <input
      {...input}
      type="file"
      className="sr-only"
      aria-disabled={busy}
      onClick={(event) => busy && event.preventDefault()}
      onChange={({ target }) => {
        // A copy of the list, because the reset empties it.
        if (!busy) onChosen([...(target.files ?? [])])
        // Reset, so that choosing the same file again fires a change event.
        target.value = ''
      }}
    />
  </label>
)

/** Whether the shop refused the content of a file: a repeated upload would fail as well. */
export const isFileRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && [413, 415, 422].includes(error.status)

interface UploadOptions {
  query?: Record<string, string>
  /** Called with the sent share of the file, from 0 to 1. */
  onProgress?: (sent: number) => void
  signal?: AbortSignal
}

/**
 * Uploads a file with XMLHttpRequest, because `fetch` has no upload progress.
 * Throws ApiError, or the signal's reason if it is aborted.
 */
export async function upload<Name extends RouteName>(
  name: Name,
  file: Blob,
  { query = {}, onProgress = () => undefined, signal = new AbortController().signal }: UploadOptions = {},
): Promise<Reply<Name>> {
  const response = await sendAsMe(name, (token) => {
    signal.throwIfAborted()
    return new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(routes[name].method, buildUrl(name, { query }))
      request.setRequestHeader('accept', 'application/json')
      request.setRequestHeader('content-type', file.type || 'application/octet-stream')
      if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
      request.responseType = 'blob'
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
      request.addEventListener('load', () =>
        resolve(new Response(request.response, { status: request.status })),
      )
      request.addEventListener('error', () => reject(noAnswer()))
      const giveUp = () => {
        request.abort()
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      request.addEventListener('loadend', () => signal.removeEventListener('abort', giveUp))
      request.send(file)
    })
  })
  return (await response.json()) as Reply<Name>
}

/** Properties of a `FileUpload` for a picture. The server checks the content. */
export const pictureFile = {
  hint: 'JPEG, PNG, WebP or AVIF, up to 12 MB',
  accept: pictureTypes.join(','),
  processingLabel: 'Processing',
  refuse({ size, type }: { size: number; type: string }): string {
    if (size > maxPictureBytes) return 'The file is larger than 12 MB.'
    if (type && !pictureTypes.some((taken) => taken === type)) {
      return 'Unsupported image type. Use JPEG, PNG, WebP or AVIF.'
    }
    return ''
  },
}
