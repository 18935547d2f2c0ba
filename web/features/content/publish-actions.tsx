import { useState } from 'react'
import { formatMoment } from '../../../contract/dates.ts'
import { documentPath, type StoredDocument } from '../../../contract/documents.ts'
import { ApiError, readMessage, type Versioned } from '../../api.ts'
import { ConfirmChange } from '../../confirm-change.tsx'
import { latestTime } from '../../day-range.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusMainIfLost } from '../../ui/lost-focus.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useArchive, useDiscardDraft, usePublish, useUnschedule } from './queries.ts'

interface PublishActionsProps {
  /** Undefined before it is saved for the first time. */
  stored: Versioned<StoredDocument> | undefined
  /** `page` or `post`. */
  noun: string
  isDirty: boolean
  isDisabled: boolean
  /** Saves unsaved changes; null if they could not be saved. */
  requireSaved: () => Promise<Versioned<StoredDocument> | null>
  /** The message of the last failed change; empty if there is none. */
  failure: string
  onFailure: (message: string) => void
  /** Called after the draft was discarded. */
  onDiscarded: () => void
}

/** The buttons beside Save draft. */
export function PublishActions(props: PublishActionsProps) {
  const { stored, noun, isDirty, isDisabled, requireSaved, failure, onFailure, onDiscarded } = props
  const document = stored?.value
  const publish = usePublish()
  const unschedule = useUnschedule()
  const discard = useDiscardDraft()
  const archive = useArchive()
  // Until the answer comes, another change would be sent with an outdated version.
  const isBlocked = isDisabled || unschedule.isPending
  const [open, setOpen] = useState<'later' | 'archive' | 'discard' | null>(null)
  const close = () => {
    setOpen(null)
    publish.reset()
    archive.reset()
    discard.reset()
  }

  const openLater = () => {
    // Both would be the failure of an earlier publication.
    onFailure('')
    publish.reset()
    setOpen('later')
  }

  const publishAt = async (at?: string) => {
    onFailure('')
    const saved = await requireSaved()
    if (!saved) {
      close()
      return
    }
    try {
      const { value } = await publish.mutateAsync({ id: saved.value.id, etag: saved.etag, at })
      close()
      // The buttons of what is published now are gone.
      focusMainIfLost()
      showToast('success', at ? `Scheduled for ${formatMoment(at)}` : `Published at ${documentPath(value)}`)
    } catch (error) {
      const message = (error instanceof ApiError && error.fields.at) || readMessage(error)
      // The first save of a new document has opened another page. The dialog shows its own failures.
      if (!stored) showToast('error', message)
      else if (!at) onFailure(message)
    }
  }
  const { status, scheduledFor, hasDraft = true } = document ?? {}
  const isNew = isDirty || hasDraft || scheduledFor !== undefined
  const hasPage = status === 'published' || status === 'changed'
  return (
    <>
      {(isNew || status === 'archived') && (
        // A publication saves unsaved changes first.
        <BusyButton
          aria-disabled={isBlocked}
          busy={publish.isPending && open !== 'later'}
          onClick={() => void publishAt()}
        >
          {isNew ? 'Publish' : 'Publish again'}
        </BusyButton>
      )}
      {isNew && (
        <Button variant="quiet" disabled={isBlocked || publish.isPending} onClick={openLater}>
          Publish later
        </Button>
      )}
      {document && scheduledFor && status !== 'archived' && (
        <BusyButton
          variant="quiet"
          aria-disabled={isBlocked}
          busy={unschedule.isPending}
          onClick={() => {
            onFailure('')
            unschedule.mutate(document.id, {
              onSuccess: focusMainIfLost,
              onError: (error) => onFailure(readMessage(error)),
            })
          }}
        >
          Cancel publication
        </BusyButton>
      )}
      {document && hasDraft && status !== 'draft' && (
        <Button variant="quiet" disabled={isBlocked} onClick={() => setOpen('discard')}>
          Discard draft
        </Button>
      )}
      {document && hasPage && (
        <LinkButton variant="quiet" href={documentPath(document)}>
          View {noun}
        </LinkButton>
      )}
      {document && status !== 'archived' && (
        <Button variant="danger" disabled={isBlocked} onClick={() => setOpen('archive')}>
          Archive
        </Button>
      )}
      {failure && (
        <div className="basis-full">
          <Alert>{failure}</Alert>
        </div>
      )}
      {open === 'later' && (
        <LaterDialog
          busy={publish.isPending || isBlocked}
          error={publish.error}
          onSend={(at) => void publishAt(at)}
          onClose={close}
        />
      )}
      {open === 'archive' && document && (
        <ConfirmChange title={`Archive ${noun}`} change={archive} input={document.id} onClose={close}>
          Visitors of {documentPath(document)} will read that it is no longer available. You can publish it
          again.
        </ConfirmChange>
      )}
      {open === 'discard' && stored && (
        <ConfirmChange
          title="Discard draft"
          change={discard}
          input={{ id: stored.value.id, etag: stored.etag }}
          onDone={onDiscarded}
          onClose={close}
        >
          The text of the version before it stays.
        </ConfirmChange>
      )}
    </>
  )
}

interface LaterDialogProps {
  busy: boolean
  error: unknown
  onSend: (at: string) => void
  onClose: () => void
}

/** Asks for a time in the time zone of the browser. */
function LaterDialog({ busy, error, onSend, onClose }: LaterDialogProps) {
  const [local, setLocal] = useState('')
  const [missing, setMissing] = useState('')
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const fieldError = error instanceof ApiError ? error.fields.at : undefined
  const send = () => {
    const time = new Date(local)
    if (Number.isNaN(time.getTime())) setMissing('Choose a time')
    else onSend(time.toISOString())
  }
  return (
    <Dialog
      title="Publish later"
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <BusyButton busy={busy} onClick={send}>
            Schedule
          </BusyButton>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label={`Time (${zone})`}
          type="datetime-local"
          max={latestTime}
          value={local}
          error={missing || fieldError}
          hint="Visitors see it from this time on. Until then you can change or cancel it."
          onChange={({ target }) => {
            setLocal(target.value)
            setMissing('')
          }}
        />
        {error !== null && !fieldError && <Alert>{readMessage(error)}</Alert>}
      </div>
    </Dialog>
  )
}
