import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readMessage } from './api.ts'
import { ConfirmDialog } from './ui/dialog.tsx'
import { focusMainIfLost } from './ui/lost-focus.ts'
import { showToast } from './ui/toasts.tsx'

interface ConfirmChangeProps<Input> {
  title: string
  change: UseMutationResult<unknown, Error, Input>
  /** The input of the change. */
  input: Input
  /** Message after the change; without it, there is none. */
  done?: string
  onDone?: () => void
  onClose: () => void
  /** Describes the object of the change. */
  children: ReactNode
}

/** Asks for confirmation of a change at the shop, makes it, and closes. */
export const ConfirmChange = <Input,>({
  title,
  change,
  input,
  done,
  onDone,
  onClose,
  children,
}: ConfirmChangeProps<Input>) => (
  <ConfirmDialog
    title={title}
    busy={change.isPending}
    failure={change.isError ? readMessage(change.error) : ''}
    onYes={() =>
      change.mutate(input, {
        onSuccess: () => {
          if (done) showToast('success', done)
          onDone?.()
          onClose()
          // The button that opened the dialog may be gone with its row.
          focusMainIfLost()
        },
      })
    }
    onClose={onClose}
  >
    {children}
  </ConfirmDialog>
)
