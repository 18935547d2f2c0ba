import { type ReactNode, useEffect, useRef, useState } from 'react'
import { TwoStepCode } from '../../../contract/two-step.ts'
import { call } from '../../api.ts'
import { AuthForm, type FieldProps } from './auth-form.tsx'

export const appCodeField: FieldProps = {
  label: 'Code of your authenticator app',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
}
const recoveryCodeField: FieldProps = {
  label: 'Recovery code',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  hint: 'Each of your recovery codes works once.',
}

interface CodeFormProps {
  submitLabel: string
  send: (code: string) => Promise<void>
}

/** Asks for a code of the authenticator app, or for a recovery code. The field has the focus. */
export function CodeForm({ submitLabel, send }: CodeFormProps) {
  const [usesRecovery, setUsesRecovery] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <FocusedInput key={`${usesRecovery}`}>
        <AuthForm
          schema={TwoStepCode}
          fields={{ code: usesRecovery ? recoveryCodeField : appCodeField }}
          submitLabel={submitLabel}
          send={({ code }) => send(code)}
        />
      </FocusedInput>
      <button
        type="button"
        className="min-h-11 self-start font-semibold text-signal underline"
        onClick={() => setUsesRecovery(!usesRecovery)}
      >
        {usesRecovery ? 'Use a code of the app' : 'Use a recovery code'}
      </button>
    </div>
  )
}

/** Focuses its first input when it appears. Not `autoFocus`: a dialog sets its own focus when it opens. */
export function FocusedInput({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return <div ref={box}>{children}</div>
}

/** The second step of a login. */
export const SecondStep = ({ onPassed }: { onPassed: () => void }) => (
  <>
    <p className="text-quiet">Your login needs a second step.</p>
    <CodeForm
      submitLabel="Continue"
      send={async (code) => {
        await call('passTwoStep', { body: { code } })
        onPassed()
      }}
    />
    <p className="text-sm text-quiet">
      Lost your phone and your recovery codes? Ask an owner of the shop to reset your two-step login.
    </p>
  </>
)
