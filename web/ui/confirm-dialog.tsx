import type { ReactNode } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmDialogProps {
  title: string
  /** Describes the object of the action. */
  children: ReactNode
  busy: boolean
  /** Error message of the last attempt; empty if there is none. */
  failure: string
  onYes: () => void
  onClose: () => void
}

/** Asks for confirmation of an action that cannot be undone. */
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
