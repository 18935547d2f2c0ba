import type { OpenStep } from '../../../contract/two-step.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SecondStep } from './second-step.tsx'

interface SecondStepDialogProps {
  openStep: OpenStep
  onPassed: () => void
  onClose: () => void
}

/** Asks for the second step over the page of a call that needs it. */
export const SecondStepDialog = ({ openStep, onPassed, onClose }: SecondStepDialogProps) => (
  <Dialog title="Two-step login" onClose={onClose}>
    <div className="flex flex-col gap-4">
      {openStep === 'TWO_STEP_REQUIRED' ? (
        <SecondStep onPassed={onPassed} />
      ) : (
        <>
          <p>Everyone on the staff of this shop needs two-step login. Set it up, then come back.</p>
          <a href="/dashboard/security" className={`${buttonClass()} self-start`}>
            Set up two-step login
          </a>
        </>
      )}
    </div>
  </Dialog>
)
