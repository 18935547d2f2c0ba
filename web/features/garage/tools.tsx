import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { readAccessToken } from '../../access-token.ts'
import { explain } from '../../owner-store.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { PickedModel } from './bike-picker.tsx'
import { loadGarage, replaceBikeOfUrl, switchOff } from './garage.ts'
import { type StoredBike, useCurrentBike, useGarage } from './stored-garage.ts'

/** The open dialog. The bike bar renders it. */
let dialog: ReactNode = null
const listeners = new Set<() => void>()

/** Opens a dialog about bikes, or closes it with null. */
export function showDialog(next: ReactNode): void {
  dialog = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens the dialog that chooses a bike. Throws if its code cannot be loaded.
 *
 * @param start the model and year whose version is asked for
 * @param onChosen called after the bike has become the current one
 */
export async function openPicker(start?: PickedModel, onChosen?: (bike: StoredBike) => void): Promise<void> {
  const { BikePicker } = await import('./bike-picker.tsx')
  showDialog(<BikePicker start={start} onChosen={onChosen} onClose={closePicker} />)
}

function closePicker(): void {
  showDialog(null)
  // The control that opened the dialog may be gone by now.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusBar()
  })
}

const focusBar = () => document.querySelector<HTMLElement>('#bike a')?.focus()

/** Text of the link in the bike bar. */
export function BikeName() {
  const bike = useCurrentBike()
  if (!bike) return 'Choose your bike'
  return (
    <>
      <span className="sr-only">Change bike: </span>
      {bike.name}
    </>
  )
}

/** The rest of the bike bar: the button that switches the bike off, and the dialog. */
export function BikeTools({ customerId }: { customerId: string | null }) {
  const bike = useCurrentBike()
  const { customerId: owner } = useGarage()
  const open = useSyncExternalStore(
    subscribe,
    () => dialog,
    () => null,
  )
  useEffect(() => {
    if (!customerId || owner === customerId) return
    const request = new AbortController()
    // If it fails, the next page tries it again.
    loadGarage(customerId, request.signal).then(warnAboutMissing, () => undefined)
    return () => {
      // After the sign-out the shop would refuse it.
      if (readAccessToken() === null) request.abort()
    }
  }, [customerId, owner])
  return (
    <>
      {bike && (
        <button
          type="button"
          aria-label={`Switch off ${bike.name}`}
          title="Switch off"
          className="ml-1 shrink-0 rounded-control p-2.5 hover:bg-ink-raised hover:text-signal-bright"
          onClick={() =>
            void switchOff(bike.id).then(leaveBike, (error) => showToast('error', explain(error)))
          }
        >
          <CloseIcon />
        </button>
      )}
      {/* Not in the header, whose colours it would inherit. */}
      {open && createPortal(open, document.body)}
    </>
  )
}

function leaveBike(): void {
  replaceBikeOfUrl(null)
  focusBar()
}

function warnAboutMissing(names: string[]): void {
  if (names.length === 0) return
  showToast('warning', `These bikes were not added because your garage is full: ${names.join(', ')}`)
}
