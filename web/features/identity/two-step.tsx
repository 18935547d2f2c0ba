import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { TwoStepCode, type TwoStepSetup, type TwoStepState } from '../../../contract/two-step.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert, Notice } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/field.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { AuthForm } from './auth-form.tsx'
import { appCodeField, CodeForm, FocusedInput, SecondStep } from './second-step.tsx'

const twoStepQuery = queryOptions({
  queryKey: ['two-step'],
  queryFn: ({ signal }) => call('getTwoStep', { signal }),
})

interface TwoStepLoginProps {
  /** Whether this person may require it of everyone. */
  mayRequire: boolean
}

/** Two-step login of staff. */
export function TwoStepLogin(props: TwoStepLoginProps) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div ref={box} role="group" aria-label="Two-step login" tabIndex={-1} className="flex flex-col gap-4">
      {/* The pressed button disappears. */}
      <CurrentState {...props} onDone={() => box.current?.focus()} />
    </div>
  )
}

interface CurrentStateProps extends TwoStepLoginProps {
  /** Called when a step is done and another state follows. */
  onDone: () => void
}

function CurrentState({ mayRequire, onDone }: CurrentStateProps) {
  const state = useQuery(twoStepQuery)
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>([])
  if (recoveryCodes.length > 0) {
    const finish = () => {
      onDone()
      setRecoveryCodes([])
    }
    return <RecoveryCodes codes={recoveryCodes} onSaved={finish} />
  }
  // A failed reload must not close a form or the recovery codes.
  if (!state.data) {
    if (!state.isError) return <SectionSpinner />
    return <QueryError title="Your two-step login could not be loaded" query={state} />
  }
  const { isSetUp, isPassed } = state.data
  if (!isSetUp) return <SetUp state={state.data} onSetUp={setRecoveryCodes} />
  if (!isPassed) {
    const pass = () => {
      onDone()
      void state.refetch()
    }
    return <SecondStep onPassed={pass} />
  }
  return (
    <>
      <IsOn state={state.data} onRemoved={onDone} />
      {mayRequire && <Policy state={state.data} />}
    </>
  )
}

function SetUp({ state, onSetUp }: { state: TwoStepState; onSetUp: (codes: string[]) => void }) {
  const start = useMutation({ mutationFn: () => call('startTwoStep', {}) })
  if (start.data) return <AppKey setup={start.data} onSetUp={onSetUp} />
  return (
    <>
      <p>
        {state.isRequired
          ? 'Everyone on the staff of this shop needs two-step login.'
          : 'With two-step login a stolen password is not enough to open the shop.'}{' '}
        After your password, or after Google, you enter a code of an app on your phone. You need a code for
        each login, and after 30 days if you stay logged in.
      </p>
      {start.isError && <Alert>{readMessage(start.error)}</Alert>}
      <BusyButton className="self-start" busy={start.isPending} onClick={() => start.mutate()}>
        Set up two-step login
      </BusyButton>
    </>
  )
}

/** The key for the app, and the form for its first code. */
function AppKey({ setup, onSetUp }: { setup: TwoStepSetup; onSetUp: (codes: string[]) => void }) {
  const client = useQueryClient()
  const { size, path } = setup.qrCode
  return (
    <>
      <p>
        Scan this QR code with an authenticator app, or type the key into the app. Then enter the code that
        the app shows.
      </p>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="QR code of the key"
        className="w-full max-w-56 rounded-card border border-line bg-white text-ink"
      >
        <path d={path} fill="currentColor" />
      </svg>
      <p>
        Key: <code className="font-semibold wrap-anywhere">{setup.key.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <FocusedInput>
        <AuthForm
          schema={TwoStepCode}
          fields={{ code: { ...appCodeField, label: 'Code' } }}
          submitLabel="Turn on two-step login"
          send={async ({ code }) => {
            try {
              const { recoveryCodes } = await call('confirmTwoStep', { body: { code } })
              onSetUp(recoveryCodes)
            } catch (error) {
              if (!(error instanceof ApiError && error.code === 'TWO_STEP_IS_SET_UP')) throw error
              // An attempt without an answer has turned it on.
              showToast('warning', codesNotShown)
            }
            void client.invalidateQueries({ queryKey: twoStepQuery.queryKey })
          }}
        />
      </FocusedInput>
    </>
  )
}

const codesNotShown =
  'Two-step login is on, but you have not seen its recovery codes. Turn it off and on again to get new ones.'

function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\r\n')}\r\n`)}`
  return (
    <>
      <Notice title="Two-step login is on">
        <p>
          Save these recovery codes, for example with your passwords. If you lose your phone, each replaces a
          code of the app once. They are not shown again.
        </p>
      </Notice>
      <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 xs:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <a href={file} download="recovery-codes.txt" className={buttonClass()}>
          Download the codes
        </a>
        <Button variant="quiet" onClick={onSaved}>
          I have saved them
        </Button>
      </div>
    </>
  )
}

interface IsOnProps {
  state: TwoStepState
  onRemoved: () => void
}

function IsOn({ state: { recoveryCodesLeft }, onRemoved }: IsOnProps) {
  const client = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const codes = recoveryCodesLeft === 1 ? 'recovery code is' : 'recovery codes are'
  return (
    <>
      <p>
        Two-step login is <strong>on</strong>. {recoveryCodesLeft} {codes} left.
        {recoveryCodesLeft < 3 && ' Turn it off and on again to get new ones.'}
      </p>
      {isRemoving ? (
        <CodeForm
          submitLabel="Turn off two-step login"
          send={async (code) => {
            await call('removeTwoStep', { body: { code } })
            onRemoved()
            setRemoving(false)
            showToast('success', 'Two-step login is off')
            await client.invalidateQueries({ queryKey: twoStepQuery.queryKey })
          }}
        />
      ) : (
        <Button variant="quiet" className="self-start" onClick={() => setRemoving(true)}>
          Turn off
        </Button>
      )}
    </>
  )
}

/** Whether everyone on the staff must have two-step login. */
function Policy({ state: { isRequired } }: { state: TwoStepState }) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (staff: 'off' | 'required') => call('setTwoStepPolicy', { body: { staff } }),
    onSuccess: () => client.invalidateQueries({ queryKey: twoStepQuery.queryKey }),
    onError: (error) => showToast('error', readMessage(error)),
  })
  return (
    <CheckboxField
      label="Require two-step login of everyone on the staff"
      checked={isRequired}
      aria-disabled={save.isPending}
      onChange={({ target }) => !save.isPending && save.mutate(target.checked ? 'required' : 'off')}
    />
  )
}
