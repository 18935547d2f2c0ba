import type { ReactNode } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmDialogProps {
  title: string
  /** What it is about. */
  children: ReactNode
  busy: boolean
  /** Why the last try failed; empty if none has. */
  failure: string
  onYes: () => void
  onClose: () => void
}

/** Asks once more before something is done that cannot be undone. */
export function ConfirmDialog({ title, children, busy, failure, onYes, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            No
          </Button>
          <Button variant="danger" busy={busy} onClick={onYes}>
            Yes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-lg">Are you sure?</p>
        <p className="text-quiet wrap-anywhere">{children}</p>
        {failure && <Alert>{failure}</Alert>}
      </div>
    </Dialog>
  )
}
