import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { OpenStep } from '../../../contract/two-step.ts'
import { onOpenStep, readMessage } from '../../api.ts'
import { onDemand } from '../../on-demand.ts'
import { showToast } from '../../ui/toasts.tsx'

const dialogs = onDemand(() => import('./second-step-dialog.tsx'))

/**
 * Asks for the second step as soon as a call of the page needs it. The page stays as it is: failed reads are repeated
 * afterwards, and a form can be sent again.
 */
export function SecondStepGate() {
  const client = useQueryClient()
  const [openStep, setOpenStep] = useState<OpenStep | null>(null)
  const code = dialogs.useCode()
  useEffect(
    () =>
      onOpenStep((step) => {
        setOpenStep(step)
        dialogs.load().catch((error: unknown) => showToast('error', readMessage(error)))
      }),
    [],
  )
  if (openStep === null || !code) return null
  const passed = () => {
    setOpenStep(null)
    void client.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  return <code.SecondStepDialog openStep={openStep} onPassed={passed} onClose={() => setOpenStep(null)} />
}
