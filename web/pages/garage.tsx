import { useCallback, useEffect, useRef, useState } from 'react'
import { ChooseBike } from '../features/garage/bar.tsx'
import { chooseBike, loadGarage, refreshGarage, removeBike, switchOff } from '../features/garage/garage.ts'
import { partsPath } from '../features/garage/parts-that-fit.ts'
import { type StoredBike, useGarage } from '../features/garage/stored-garage.ts'
import { useSession } from '../features/identity/session.ts'
import { explain } from '../owner-store.ts'
import { useHydrated } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

export const meta = () => ({ title: 'My garage' })

const addButton = <ChooseBike className={buttonClass('primary')}>Add a bike</ChooseBike>

/** The bikes of a guest or a customer. The server renders it without them: only the browser has them. */
export default function GaragePage() {
  const { bikes, current, customerId: owner } = useGarage()
  const session = useSession()
  const customerId = session.status === 'signed-in' ? session.user._id : undefined
  const isLoaded = useHydrated() && session.status !== 'loading' && (!customerId || customerId === owner)
  const [loadFailure, setLoadFailure] = useState('')
  const [failure, setFailure] = useState('')
  const [status, setStatus] = useState('')
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // Another device may have changed the garage of a customer. Without an answer the stored one is shown.
    refreshGarage().catch(() => undefined)
  }, [])

  const load = useCallback(() => {
    if (!customerId || customerId === owner) return
    loadGarage(customerId).then(undefined, (error: unknown) => setLoadFailure(explain(error)))
  }, [customerId, owner])
  useEffect(load, [load])

  const change = async (work: Promise<void>, done: string) => {
    setFailure('')
    try {
      await work
      setStatus(done)
      // The pressed button may be gone.
      list.current?.focus()
    } catch (error) {
      setFailure(explain(error))
    }
  }

  const toRow = (bike: StoredBike) => (
    <li
      key={bike.id}
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-4"
    >
      <p className="flex flex-wrap items-center gap-3 text-lg font-semibold wrap-anywhere">
        {bike.name}
        {bike.id === current && (
          <Chip tone="good" icon={CheckIcon}>
            Current bike
          </Chip>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton
          variant="ink"
          size="small"
          href={partsPath(bike.id)}
          aria-label={`See parts for the ${bike.name}`}
        >
          See parts
        </LinkButton>
        {bike.id === current ? (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Stop using ${bike.name}`}
            onClick={() => void change(switchOff(bike.id), `${bike.name} is not your current bike any more.`)}
          >
            Stop using
          </Button>
        ) : (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Use this bike: ${bike.name}`}
            onClick={() => void change(chooseBike(bike), `${bike.name} is your current bike.`)}
          >
            Use this bike
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          aria-label={`Remove ${bike.name}`}
          onClick={() => void change(removeBike(bike.id), `${bike.name} removed.`)}
        >
          Remove
        </Button>
      </div>
    </li>
  )

  return (
    // As high as the screen, so that the footer does not move when the garage is shown.
    <div className="page-width min-h-[calc(100svh-4rem)]">
      <PageHead title="My garage" note="The shop shows which parts fit your current bike." />
      <p role="status" className="sr-only">
        {status}
      </p>
      <div ref={list} tabIndex={-1} className="flex max-w-wide flex-col gap-4">
        {failure && <Alert>{failure}</Alert>}
        {!isLoaded && loadFailure && (
          <ErrorState
            title="Your garage could not be loaded"
            message={loadFailure}
            onRetry={() => {
              setLoadFailure('')
              load()
            }}
          />
        )}
        {!isLoaded && !loadFailure && bikes.length === 0 && <FullSpinner />}
        {isLoaded && bikes.length === 0 && (
          <EmptyState title="Your garage is empty." action={addButton}>
            Add your bike to see which parts fit.
          </EmptyState>
        )}
        <ul className="flex flex-col gap-3">{bikes.map(toRow)}</ul>
        {bikes.length > 0 && <div>{addButton}</div>}
      </div>
    </div>
  )
}
