import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'

interface DialogProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** Buttons below the content, the safe one first. */
  actions?: ReactNode
  /** Wide enough for two columns. */
  wide?: boolean
  /** The height does not depend on the content, and the title has the focus at first. */
  fixed?: boolean
}

/** A modal `<dialog>`. The browser traps the focus, restores it, and closes the dialog on Escape. */
export function Dialog({ title, onClose, children, actions, wide = false, fixed = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Not on Close, which a typed space would press.
    if (fixed) heading.current?.focus()
    return () => element?.close()
  }, [fixed])

  // The `close` event is asynchronous: the dialog may be open again.
  const closed = () => {
    if (!dialog.current?.open) onClose()
  }
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current.close()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the Escape key closes it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={closed}
      onClick={closeOnBackdrop}
      className={`w-[calc(100%-2rem)] animate-appear overflow-hidden rounded-card bg-surface p-0 text-left font-normal ${wide ? 'max-w-wide' : 'max-w-dialog'}`}
    >
      <div className={`flex max-h-[85svh] flex-col ${fixed ? 'h-160' : ''}`}>
        <div className="flex items-start justify-between gap-4 border-b border-line py-4 pr-3 pl-5 md:pl-6">
          <h2
            ref={heading}
            id={titleId}
            tabIndex={fixed ? -1 : undefined}
            className="font-display text-2xl font-bold wrap-anywhere outline-none"
          >
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            className="-my-1.5 rounded-control p-3 hover:bg-shade"
            onClick={() => dialog.current?.close()}
          >
            <CloseIcon />
          </button>
        </div>
        <div
          role="region"
          aria-labelledby={titleId}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes the content scrollable with the keyboard
          tabIndex={0}
          className="grow overflow-y-auto px-5 py-5 md:px-6"
        >
          {children}
        </div>
        {actions && (
          <div className="flex flex-wrap justify-end gap-3 border-t border-line bg-paper px-5 py-4 md:px-6">
            {actions}
          </div>
        )}
      </div>
    </dialog>
  )
}

interface ConfirmDialogProps {
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
