import { Button } from './button.tsx'

interface FormButtonsProps {
  /** Text of the button that sends the form. */
  submit: string
  busy: boolean
  variant?: 'primary' | 'danger'
  onCancel: () => void
}

/** The buttons at the end of a form that can be left. */
export const FormButtons = ({ submit, busy, variant = 'primary', onCancel }: FormButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <Button type="submit" variant={variant} busy={busy}>
      {submit}
    </Button>
    <Button variant="quiet" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
