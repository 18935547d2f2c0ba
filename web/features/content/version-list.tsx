import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment } from '../../../contract/dates.ts'
import type { DocumentText, StoredDocument } from '../../../contract/documents.ts'
import { call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

interface VersionListProps {
  document: StoredDocument
  isDirty: boolean
  isSaving: boolean
  /** Puts the text of a version into the form. */
  onUse: (text: DocumentText) => void
}

/** The saved versions. The text of each one can be put into the form again. */
export function VersionList({ document, isDirty, isSaving, onUse }: VersionListProps) {
  const { id, versions, visible } = document
  /** A loaded text that would replace unsaved changes. */
  const [waiting, setWaiting] = useState<DocumentText | null>(null)
  const load = useMutation({
    mutationFn: (number: number) => call('getDocumentVersion', { params: { id, number } }),
    // The admin may have typed, or saved, since the click.
    onSuccess: ({ number: _number, html: _html, ...text }) =>
      isDirty || isSaving ? setWaiting(text) : onUse(text),
  })
  if (versions.length < 2) return null
  return (
    <section aria-labelledby="versions">
      <h2 id="versions" className="label mb-2 text-quiet">
        Versions
      </h2>
      {load.isError && <Alert>{readMessage(load.error)}</Alert>}
      <ul className="divide-y divide-line">
        {versions.map((version) => (
          <li key={version.number} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <span className="min-w-0 text-sm wrap-anywhere">
              <span className="font-semibold">
                {version.number}. {describe(version, visible)}
              </span>
              {version.savedBy && <span className="block text-quiet">{version.savedBy}</span>}
            </span>
            <BusyButton
              variant="quiet"
              size="small"
              busy={load.isPending && load.variables === version.number}
              disabled={isSaving}
              aria-label={`Use text of version ${version.number}`}
              onClick={() => load.mutate(version.number)}
            >
              Use text
            </BusyButton>
          </li>
        ))}
      </ul>
      {waiting && (
        <ConfirmDialog
          title="Use text"
          busy={isSaving}
          failure=""
          onYes={() => {
            onUse(waiting)
            setWaiting(null)
          }}
          onClose={() => setWaiting(null)}
        >
          The text of the version replaces your changes that are not saved.
        </ConfirmDialog>
      )}
    </section>
  )
}

function describe(
  { number, savedAt, publishedAt }: StoredDocument['versions'][number],
  visible?: number,
): string {
  if (!publishedAt) return `Draft of ${formatMoment(savedAt)}`
  if (number === visible) return `Visible since ${formatMoment(publishedAt)}`
  return `${Date.parse(publishedAt) > Date.now() ? 'Scheduled for' : 'Published'} ${formatMoment(publishedAt)}`
}
