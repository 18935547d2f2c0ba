import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type DescribedFit, describeWarning } from './texts.ts'

interface FitWarningProps {
  fit: DescribedFit
  /** Text of the button that goes on. */
  action: string
  /** Called with whether the rider goes on. */
  onClose: (goesOn: boolean) => void
}

/** Warning before an order of a part that is not known to fit. */
export function FitWarning({ fit, action, onClose }: FitWarningProps) {
  const warning = describeWarning(fit)
  return (
    <Dialog
      title={warning?.title}
      onClose={() => onClose(false)}
      actions={
        <>
          <Button variant="quiet" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button onClick={() => onClose(true)}>{action}</Button>
        </>
      }
    >
      <p className="text-lg wrap-anywhere">{warning?.text}</p>
    </Dialog>
  )
}
