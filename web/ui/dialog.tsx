import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Alert } from './alert.tsx'
import { BusyButton } from './busy-button.tsx'
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
  /** Asks before the dialog closes with changes that are not saved. */
  isUnsaved?: boolean
}

/** A modal `<dialog>`. The browser traps the focus, restores it, and closes the dialog on Escape. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  fixed = false,
  isUnsaved = false,
}: DialogProps) {
  const [isAsking, setAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const pressed = useRef<EventTarget>(null)
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
  const close = () => {
    if (isUnsaved) setAsking(true)
    else dialog.current?.close()
  }
  const rememberPress = (event: MouseEvent) => {
    pressed.current = event.target
  }
  // A selection that is dragged out of a field ends with a click on the backdrop, and so does a double click on the
  // control that opened the dialog.
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current && pressed.current === dialog.current && event.detail < 2) close()
  }
  // Events of the dialog with the question arrive here as well.
  const askOnEscape = (event: SyntheticEvent) => {
    if (!isUnsaved || event.target !== dialog.current) return
    event.preventDefault()
    setAsking(true)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the Escape key closes it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={closed}
      onCancel={askOnEscape}
      onMouseDown={rememberPress}
      onClick={closeOnBackdrop}
      // In a low window all of it scrolls: the title and the actions may be higher than the dialog.
      className={`w-[calc(100%-2rem)] animate-appear overflow-hidden rounded-card bg-surface p-0 text-left font-normal
        low:max-h-[85svh] low:overflow-y-auto ${wide ? 'max-w-wide' : 'max-w-dialog'}`}
    >
      <div
        className={`flex max-h-[85svh] flex-col low:max-h-none ${fixed ? 'h-160 low:h-auto low:min-h-[85svh]' : ''}`}
      >
        <div className="flex items-start justify-between gap-4 border-b border-line py-4 pr-3 pl-5 md:pl-6">
          <h2
            ref={heading}
            id={titleId}
            tabIndex={fixed ? -1 : undefined}
            className="font-display text-2xl font-bold wrap-anywhere"
          >
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            className="-my-1.5 rounded-control p-3 hover:bg-shade"
            onClick={close}
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
        {isAsking && <LeaveDialog onStay={() => setAsking(false)} onLeave={() => dialog.current?.close()} />}
        {actions && (
          <div className="flex flex-wrap justify-end gap-3 border-t border-line bg-paper px-5 py-4 md:px-6">
            {actions}
          </div>
        )}
      </div>
    </dialog>
  )
}

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      title="Leave without saving?"
      onClose={onStay}
      actions={
        <>
          <Button variant="quiet" onClick={onStay}>
            Stay
          </Button>
          <Button variant="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    >
      <p>This page has changes that are not saved.</p>
    </Dialog>
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
          <BusyButton variant="danger" busy={busy} onClick={onYes}>
            Yes
          </BusyButton>
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
