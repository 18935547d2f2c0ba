import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { BikeList, BikeMatch } from '../../../contract/bikes.ts'
import { maxGarageBikes } from '../../../contract/limits.ts'
import { pluralize } from '../../../contract/plurals.ts'
import { toYearRanges } from '../../../contract/year-ranges.ts'
import { call, readMessage } from '../../api.ts'
import { explain } from '../../owner-store.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, controlClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focus, focusIfLost } from '../../ui/focus.ts'
import { ArrowIcon } from '../../ui/icons.tsx'
import { Slow } from '../../ui/slow.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { chooseBike, isGarageFull, refreshGarage, replaceBikeOfUrl } from './garage.ts'
import { type StoredBike, useGarage } from './stored-garage.ts'

/** The steps that are done. `make` and `model` are slugs. */
export interface PickedModel {
  make?: string | undefined
  model?: string | undefined
  year?: number | undefined
}

interface BikePickerProps {
  /** Opens the dialog at a later step. */
  start?: PickedModel | undefined
  /** A bike for which the garage had no room. */
  added?: StoredBike
  /** Takes a bike of someone else: no garage is read or changed. */
  onPicked?: (bike: StoredBike) => void
  onChosen?: ((bike: StoredBike) => void) | undefined
  onClose: () => void
}

/** The choice that is being saved. */
interface Saving {
  bike: StoredBike
  replaces: number | undefined
  request: AbortController
}

const searchDelayMs = 200

/** Dialog that chooses the current bike: from the garage, by typing, or in the steps make, model, year, version. */
export function BikePicker({ start = {}, added, onPicked, onChosen, onClose }: BikePickerProps) {
  const garage = useGarage()
  const { bikes, current } = onPicked ? { bikes: [], current: null } : garage
  const [picked, setPicked] = useState(start)
  const [text, setText] = useState('')
  const [saving, setSaving] = useState<Saving | null>(null)
  const [failed, setFailed] = useState<{ bike: StoredBike; message: string } | null>(null)
  /** The bike for which the garage has no room. */
  const [waiting, setWaiting] = useState(added)

  const choose = async (bike: StoredBike, replaces?: number) => {
    if (onPicked) return onPicked(bike)
    // A repeated attempt replaces the one without an answer.
    saving?.request.abort()
    const request = new AbortController()
    setSaving({ bike, replaces, request })
    setFailed(null)
    try {
      await chooseBike(bike, replaces, request.signal)
      replaceBikeOfUrl(bike.id)
      onChosen?.(bike)
      onClose()
    } catch (error) {
      if (request.signal.aborted) return
      const isFull = isGarageFull(error)
      // Another device may have changed the garage of a customer.
      if (isFull) await refreshGarage().catch(() => undefined)
      if (isFull) setWaiting(bike)
      else setFailed({ bike, message: explain(error) })
      // A year with one version is chosen again.
      setPicked(({ make, model }) => ({ make, model }))
      setSaving(null)
    }
  }
  const pick = (next: PickedModel) => {
    setText('')
    setFailed(null)
    setPicked(next)
  }
  const toChoices = (onPick: (bike: StoredBike) => void) =>
    bikes.map((bike) => ({
      key: bike.id,
      name: bike.name,
      isCurrent: bike.id === current,
      onPick: () => onPick(bike),
    }))
  const isFirst = picked.make === undefined && text === ''

  return (
    <Dialog title={onPicked ? 'Choose the bike' : 'Choose your bike'} fixed onClose={onClose}>
      <div className="flex min-h-full flex-col gap-5" aria-busy={saving !== null}>
        {failed && (
          <Alert>
            {failed.message}{' '}
            <button type="button" className="underline" onClick={() => void choose(failed.bike)}>
              Try again
            </button>
          </Alert>
        )}
        {saving && (
          <div aria-live="polite" className="-mb-5">
            <Slow
              text="We are still saving your bike."
              onRetry={() => void choose(saving.bike, saving.replaces)}
            />
          </div>
        )}
        {waiting ? (
          <Step
            title={`Your garage can hold ${maxGarageBikes} bikes. Which one does the ${waiting.name} replace?`}
            onBack={() => setWaiting(undefined)}
          >
            <Choices choices={toChoices(({ id }) => void choose(waiting, id))} />
          </Step>
        ) : (
          <>
            <SearchBike text={text} hasFocus={!start.make} onText={setText} onPick={pick} />
            {bikes.length > 0 && isFirst && (
              <section aria-label="My garage" className="flex flex-col gap-2">
                <h3 className="flex items-baseline justify-between gap-3 font-display text-xl font-bold">
                  My garage
                  <a
                    href="/garage"
                    className="flex min-h-11 items-center text-base font-semibold text-signal underline"
                    onClick={onClose}
                  >
                    Manage
                  </a>
                </h3>
                <Choices choices={toChoices((bike) => void choose(bike))} />
              </section>
            )}
            {text.trim() === '' && (
              <Steps picked={picked} onPick={pick} onBike={(bike) => void choose(bike)} />
            )}
          </>
        )}
        {!onPicked && (
          <p className="mt-auto text-sm text-quiet">
            Your bike is not listed? You can still order: compare the part number.
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface Choice {
  key: string | number
  name: string
  isCurrent?: boolean
  onPick: () => void
}

/** Choices as buttons. `narrow`: several in a row on a phone, too. */
function Choices({ choices, narrow = false }: { choices: Choice[]; narrow?: boolean }) {
  return (
    <ul className={`grid gap-2 ${narrow ? 'grid-cols-3 xs:grid-cols-5' : 'xs:grid-cols-2'}`}>
      {choices.map(({ key, name, isCurrent, onPick }) => (
        <li key={key}>
          <button
            type="button"
            aria-current={isCurrent || undefined}
            className="min-h-11 w-full rounded-control border border-edge px-3 py-2 text-left wrap-anywhere hover:border-ink
              hover:bg-shade aria-[current=true]:border-ink aria-[current=true]:font-semibold"
            onClick={onPick}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

interface SearchBikeProps {
  text: string
  /** Whether the field has the focus at first, where no screen keyboard would cover the choices. */
  hasFocus: boolean
  onText: (text: string) => void
  onPick: (match: PickedModel) => void
}

/** Finds a model by typing. Enter chooses the only match. */
function SearchBike({ text, hasFocus, onText, onPick }: SearchBikeProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus && matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [hasFocus])
  const typed = text.trim()
  const [outcome, setOutcome] = useState<{ key: string; matches: BikeMatch[]; failure: string }>()
  const [entered, setEntered] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const key = `${attempt} ${typed}`
  const found = outcome?.key === key ? outcome : null

  useEffect(() => {
    if (typed === '') return
    const request = new AbortController()
    const timer = setTimeout(() => {
      call('searchBikes', { query: { q: typed }, signal: request.signal }).then(
        ({ matches }) => setOutcome({ key, matches, failure: '' }),
        (error: unknown) =>
          !request.signal.aborted && setOutcome({ key, matches: [], failure: readMessage(error) }),
      )
    }, searchDelayMs)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [key, typed])

  const only = found?.matches.length === 1 ? found.matches[0] : undefined
  const pickOnly = useEffectEvent((match: BikeMatch) => onPick(match))
  useEffect(() => {
    if (only && entered === typed) pickOnly(only)
  }, [only, entered, typed])

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setEntered(typed)
  }
  return (
    <search className="flex flex-col gap-3">
      <form onSubmit={submit}>
        <label htmlFor={id} className="mb-1 block font-semibold">
          Type your bike
        </label>
        <input
          ref={input}
          id={id}
          type="search"
          value={text}
          maxLength={100}
          autoComplete="off"
          placeholder="2009 R6"
          className={`${controlClass} h-11`}
          onChange={(event) => onText(event.target.value)}
        />
      </form>
      {typed !== '' && (
        <>
          <p role="status" className={found?.failure ? 'text-bad' : 'text-quiet'}>
            {found ? found.failure || toCount(found.matches.length) : 'Searching …'}
          </p>
          {!found && (
            <div aria-live="polite" className="-mt-3">
              <Slow onRetry={() => setAttempt(attempt + 1)} />
            </div>
          )}
          <Choices
            choices={(found?.matches ?? []).map((match) => ({
              key: `${match.make}/${match.model}`,
              name: match.years ? `${match.name}: listed for ${toYearRanges(match.years)}` : match.name,
              onPick: () => onPick(match),
            }))}
          />
        </>
      )}
    </search>
  )
}

function toCount(count: number): string {
  if (count === 0) return 'No bike found. Check the spelling, or empty the field and choose the make.'
  return `${pluralize(count, 'bike')} found`
}

interface StepsProps {
  picked: PickedModel
  onPick: (next: PickedModel) => void
  onBike: (bike: StoredBike) => void
}

/** The next step: the make, the model, the year or the version. A step with one choice is skipped. */
function Steps({ picked: { make, model, year }, onPick, onBike }: StepsProps) {
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify([make, model, attempt])
  const [outcome, setOutcome] = useState<{ key: string; list?: BikeList; failure?: string }>()
  useEffect(() => {
    const request = new AbortController()
    call('listBikes', { query: { make, model }, signal: request.signal }).then(
      (list) => setOutcome({ key, list }),
      (error: unknown) => !request.signal.aborted && setOutcome({ key, failure: readMessage(error) }),
    )
    return () => request.abort()
  }, [key, make, model])

  const { list, failure } = outcome?.key === key ? outcome : {}
  const versions = year === undefined ? [] : (list?.bikes?.filter((bike) => bike.year === year) ?? [])
  const only = versions.length === 1 ? versions[0] : undefined
  const takeOnly = useEffectEvent((bike: StoredBike) => onBike(bike))
  useEffect(() => {
    if (only) takeOnly(only)
  }, [only])

  if (failure) {
    return (
      <>
        <Alert>{failure}</Alert>
        <Button variant="ink" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </Button>
      </>
    )
  }
  if (!list || only) {
    return (
      <div role="status">
        <p className="flex items-center gap-2 text-quiet">
          <Spinner className="size-5" /> Loading …
        </p>
        {!list && <Slow onRetry={() => setAttempt(attempt + 1)} />}
      </div>
    )
  }
  const makeName = list.makes.find((one) => one.make === make)?.name ?? ''
  const modelName = `${makeName} ${list.models?.find((one) => one.model === model)?.name ?? ''}`
  if (make === undefined) {
    return (
      <Step key="make" title="Choose the make">
        <Choices
          choices={list.makes.map((one) => ({
            key: one.make,
            name: one.name,
            onPick: () => onPick({ make: one.make }),
          }))}
        />
      </Step>
    )
  }
  if (model === undefined) {
    return (
      <Step key="model" title={`${makeName}: choose the model`} onBack={() => onPick({})}>
        <Choices
          choices={(list.models ?? []).map((one) => ({
            key: one.model,
            name: one.name,
            onPick: () => onPick({ make, model: one.model }),
          }))}
        />
      </Step>
    )
  }
  if (versions.length === 0) {
    return (
      <Step key="year" title={`${modelName}: choose the year`} onBack={() => onPick({ make })}>
        <Choices
          narrow
          choices={[...new Set(list.bikes?.map((bike) => bike.year))].map((one) => ({
            key: one,
            name: String(one),
            onPick: () => onPick({ make, model, year: one }),
          }))}
        />
      </Step>
    )
  }
  return (
    <Step title={`${year} ${modelName}: which version do you have?`} onBack={() => onPick({ make, model })}>
      <Choices
        choices={versions.map((bike) => ({
          key: bike.id,
          name: bike.version || "I don't know",
          onPick: () => onBike(bike),
        }))}
      />
    </Step>
  )
}

/** The heading of a later step, or after Back, gets the focus, so that a screen reader reads it. */
function Step({ title, onBack, children }: { title: string; onBack?: () => void; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = onBack === undefined
  useEffect(() => {
    const move = isFirst ? focusIfLost : focus
    move(heading.current)
  }, [isFirst])
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        {onBack && (
          <button
            type="button"
            aria-label="Back"
            className="-ml-3 flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-shade"
            onClick={onBack}
          >
            <ArrowIcon className="size-5 rotate-180" />
          </button>
        )}
        <h3 ref={heading} tabIndex={-1} className="font-display text-xl font-bold">
          {title}
        </h3>
      </div>
      {children}
    </section>
  )
}
