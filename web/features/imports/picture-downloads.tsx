import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProductImport } from '../../../contract/imports.ts'
import {
  type PictureDownloads as Downloads,
  matchFile,
  maxListedDownloads,
  type OpenDownload,
} from '../../../contract/picture-downloads.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FileButton, isFileRefused, pictureFile, upload } from '../../upload.tsx'
import { formatCount } from './import-lists.tsx'
import type { PathFile } from './unzip.ts'

const pollIntervalMs = 2_000
const queryKey = ['picture-downloads']

const failedColumns: Column<OpenDownload>[] = [
  { head: 'Picture', names: true, cell: ({ url }) => <span className="wrap-anywhere">{url}</span> },
  { head: 'Products', numeric: true, cell: ({ products }) => formatCount(products) },
  { head: 'Reason', cell: ({ reason }) => reason },
]

/** Progress of the pictures that imports copy, and ways to replace the missing ones. */
export function PictureDownloads({
  productImport: { state, copiedHosts },
}: {
  productImport: ProductImport
}) {
  const isShown = state === 'done' && copiedHosts.length > 0
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('listPictureDownloads', { query: {}, signal }),
    refetchInterval: (query) => (query.state.data?.waiting ? pollIntervalMs : false),
    staleTime: 0,
    enabled: isShown,
  })
  if (!isShown || !data || data.waiting + data.done + data.failed === 0) return null
  return (
    <section
      className="flex w-full flex-col items-start gap-3 rounded-card border border-line bg-surface p-4"
      aria-labelledby="pictures"
    >
      <h2 id="pictures" className="font-display text-2xl font-bold">
        Pictures
      </h2>
      <p role="status">{describe(data)}</p>
      {data.waiting > 0 && (
        <p className="text-sm text-quiet">
          You can close this page. A server that cannot be reached is asked again within 8 hours.
        </p>
      )}
      {data.failed > 0 && (
        <>
          <DataTable
            caption="Pictures that could not be copied"
            columns={failedColumns}
            rows={data.listed}
            rowKey={({ url }) => url}
          />
          {data.listed.length === maxListedDownloads && (
            <p className="text-quiet">Only the first {maxListedDownloads} are listed.</p>
          )}
          <RetryButton />
        </>
      )}
      {(data.waiting + data.failed > 0 || outcome) && (
        <MissingPictures outcome={outcome} onChange={setOutcome} />
      )}
    </section>
  )
}

function describe({ waiting, done, failed }: Downloads): string {
  const all = waiting + done + failed
  const copied = `${formatCount(done)} of ${formatCount(all)} ${all === 1 ? 'picture' : 'pictures'} copied`
  return failed > 0 ? `${copied}, ${formatCount(failed)} failed` : copied
}

function RetryButton() {
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call('retryPictureDownloads', {}),
    onSuccess: (downloads) => client.setQueryData(queryKey, downloads),
  })
  return (
    <>
      {retry.isError && <Alert>{readMessage(retry.error)}</Alert>}
      <BusyButton variant="quiet" busy={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </BusyButton>
    </>
  )
}

interface Outcome {
  used: number
  /** Paths of files that fit no missing picture, or several. */
  others: string[]
  /** Paths of files that are not valid pictures, with the reason. */
  refused: string[]
}

interface MissingPicturesProps {
  /** Stays on the page when no picture is missing any more. */
  outcome: Outcome | null
  onChange: (outcome: Outcome) => void
}

/** Uploads files in place of missing pictures, by their names. */
function MissingPictures({ outcome, onChange }: MissingPicturesProps) {
  const client = useQueryClient()
  const choose = useMutation({
    mutationFn: async (files: File[]) => {
      const found: Outcome = { used: 0, others: [], refused: [] }
      for await (const file of readFiles(files)) {
        const result = await replacePicture(file).catch(readRefusal)
        if (result === true) found.used += 1
        else if (result === false) found.others.push(file.path)
        else found.refused.push(`${file.path}: ${result}`)
        onChange({ ...found, others: [...found.others], refused: [...found.refused] })
      }
    },
    onMutate: () => onChange({ used: 0, others: [], refused: [] }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <>
      {choose.isError && <Alert>{readFailure(choose.error)}</Alert>}
      <FileButton
        label="Choose a zip or files"
        accept={`.zip,application/zip,${pictureFile.accept}`}
        multiple
        busy={choose.isPending}
        onChosen={choose.mutate}
      />
      <p className="text-sm text-quiet">
        Files with the names of missing pictures replace them, such as “pads.jpg”.
      </p>
      <p role="status" className="wrap-anywhere empty:hidden">
        {outcome && describeOutcome(outcome, choose.isPending)}
      </p>
    </>
  )
}

const maxNamed = 10

function describeOutcome({ used, others, refused }: Outcome, isPending: boolean): string {
  const added = `${formatCount(used)} ${used === 1 ? 'picture' : 'pictures'} added${isPending ? ' so far' : ''}.`
  const texts = [added, ...refused.slice(0, maxNamed)]
  if (refused.length > maxNamed) texts.push(`More refused files: ${formatCount(refused.length - maxNamed)}.`)
  if (others.length > 0) {
    const named = others.slice(0, maxNamed).join(', ')
    const rest = others.length > maxNamed ? ` and ${formatCount(others.length - maxNamed)} more` : ''
    texts.push(`Not used, because no missing picture or several have the same name: ${named}${rest}.`)
  }
  return texts.join(' ')
}

class ZipDamaged extends Error {}

const readFailure = (error: Error) =>
  error instanceof ZipDamaged ? 'The zip file could not be read.' : readMessage(error)

async function* readFiles(files: File[]): AsyncGenerator<PathFile> {
  for (const file of files) {
    if (/\.zip$/i.test(file.name)) yield* readZip(file)
    else yield { path: file.name, content: file }
  }
}

async function* readZip(file: File): AsyncGenerator<PathFile> {
  const { unzipPictures } = await import('./unzip.ts')
  const pictures = unzipPictures(file)
  for (;;) {
    const next = await pictures.next().catch((cause: unknown) => {
      throw new ZipDamaged('damaged', { cause })
    })
    if (next.done) return
    yield next.value
  }
}

/** Returns why a file is not a valid picture, or false if the job has copied the missing one meanwhile. Throws other errors. */
function readRefusal(error: unknown): string | false {
  if (error instanceof ApiError && error.code === 'DOWNLOAD_NOT_FOUND') return false
  if (isFileRefused(error)) return error.message
  throw error
}

/** Uploads a file and uses it in place of the missing picture with its name. Returns false if there is none, or several. */
async function replacePicture({ path, content }: PathFile): Promise<boolean> {
  const name = path.split('/').at(-1) ?? ''
  const { listed } = await call('listPictureDownloads', { query: { name } })
  const urls = matchFile(
    path,
    listed.map(({ url }) => url),
  )
  if (urls.length === 0) return false
  const { image } = await upload('addPicture', content)
  for (const url of urls) await call('assignPicture', { body: { url, image } })
  return true
}
