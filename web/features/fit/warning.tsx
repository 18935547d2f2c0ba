import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { nameFitting, partsPath } from '../garage/parts-that-fit.ts'
import { type DescribedFit, describeWarning } from './texts.ts'

interface FitWarningProps {
  fit: DescribedFit
  /** The kind of part, if it has one. */
  kind: string | undefined
  /** Text of the button that goes on. */
  action: string
  /** Called with whether the rider goes on. */
  onClose: (goesOn: boolean) => void
}

/** Warning before an order of a part that is not known to fit, with the way to parts that do. */
export function FitWarning({ fit, kind, action, onClose }: FitWarningProps) {
  const warning = describeWarning(fit)
  return (
    <Dialog
      title={warning?.title}
      onClose={() => onClose(false)}
      actions={
        <>
          <Button variant="quiet" onClick={() => onClose(true)}>
            {action}
          </Button>
          <LinkButton href={partsPath(fit.bike.id, kind)} onClick={() => onClose(false)}>
            {nameFitting(kind)}
          </LinkButton>
        </>
      }
    >
      <p className="text-lg wrap-anywhere">{warning?.text}</p>
    </Dialog>
  )
}
