import { BusyButton } from './busy-button.tsx'
import { Button } from './button.tsx'

interface FormButtonsProps {
  /** Text of the button that sends the form. */
  submit: string
  busy: boolean
  variant?: 'primary' | 'danger'
  /** The form is not a dialog: it stays until it is saved, because the end of a save would close the next form. */
  isInline?: boolean
  onCancel: () => void
}

/** The buttons at the end of a form that can be left. */
export const FormButtons = ({
  submit,
  busy,
  variant = 'primary',
  isInline = false,
  onCancel,
}: FormButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <BusyButton type="submit" variant={variant} busy={busy}>
      {submit}
    </BusyButton>
    <Button variant="quiet" aria-disabled={isInline && busy} onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
