import { type ComponentProps, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../../api.ts'
import { explain } from '../../owner-store.ts'
import { useLocation } from '../../router/router.tsx'
import { BikeIcon, Icon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { BikePicker, type PickedModel } from './bike-picker.tsx'
import {
  cancelLoadIfSignedOut,
  chooseBike,
  isGarageFull,
  loadGarage,
  replaceBikeOfUrl,
  switchOff,
} from './garage.ts'
import { partsPath } from './parts-that-fit.ts'
import { type StoredBike, useCurrentBike, useGarage } from './stored-garage.ts'

/** `onClose`: called with false when the page is left. */
type OpenDialog = ReactElement<{ onClose: (goesOn: boolean) => void }>

/** The open dialog. The bike bar renders it. */
let dialog: OpenDialog | null = null
const listeners = new Set<() => void>()

/** Opens a dialog about bikes, or closes it with null. */
export function showDialog(next: OpenDialog | null): void {
  dialog = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens the dialog that chooses a bike.
 *
 * @param start the model and year whose version is asked for
 * @param onChosen called after the bike has become the current one
 */
export function openPicker(start?: PickedModel, onChosen?: (bike: StoredBike) => void): void {
  showPicker({ start, onChosen })
}

/** Makes a bike of the page the current one. A full garage asks for the bike that it replaces. */
export async function takeOverBike(bike: StoredBike): Promise<void> {
  try {
    await chooseBike(bike)
    focusBar()
  } catch (error) {
    if (isGarageFull(error)) showPicker({ added: bike })
    else showToast('error', explain(error))
  }
}

function showPicker(props: Omit<ComponentProps<typeof BikePicker>, 'onClose'>): void {
  const close = () => {
    // A dialog that was closed while it saved closes none that was opened since.
    if (dialog !== picker) return
    showDialog(null)
    // The control that opened the dialog may be gone by now.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusBar()
    })
  }
  const picker = <BikePicker {...props} onClose={close} />
  showDialog(picker)
}

const focusBar = () => document.querySelector<HTMLElement>('#bike button, #bike a')?.focus()

const menuId = 'bike-menu'
const closeMenu = () => document.getElementById(menuId)?.hidePopover()

const itemClass = `flex min-h-11 w-full items-center rounded-control px-3 text-left font-display text-lg font-semibold
  tracking-wide hover:bg-shade`

/** The current bike with its menu, and the open dialog. Merges the garage after the sign-in. */
export function BikeMenu({ customerId }: { customerId: string | null }) {
  const bike = useCurrentBike()
  const { customerId: owner } = useGarage()
  const { pathname } = useLocation()
  const open = useSyncExternalStore(
    subscribe,
    () => dialog,
    () => null,
  )
  useEffect(() => {
    if (!customerId || owner === customerId) return
    // If it fails, the next page tries it again.
    loadGarage(customerId).catch(() => undefined)
    return cancelLoadIfSignedOut
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the next page tries it again
  }, [customerId, owner, pathname])
  return (
    <>
      {bike && (
        <>
          <button
            type="button"
            popoverTarget={menuId}
            className="-ml-2 flex h-11 min-w-0 items-center gap-2 rounded-control px-2 -outline-offset-3 hover:bg-ink-raised hover:text-signal-bright"
          >
            <BikeIcon className="size-5 shrink-0" />
            <span className="truncate font-display text-lg font-semibold tracking-wide">
              <span className="sr-only">Your bike: </span>
              {bike.name}
            </span>
            <Icon path="M5 8l5 5 5-5" className="size-4 shrink-0" />
          </button>
          <PartsThatFit bike={bike} />
          <ul
            id={menuId}
            popover="auto"
            aria-label={bike.name}
            className="menu-sheet page-edge-left top-28 max-h-[calc(100dvh-7rem)] w-72 rounded-card border border-ink
              bg-surface p-2 text-ink"
          >
            <li>
              <a href={partsPath(bike.id)} className={itemClass} onClick={closeMenu}>
                See parts that fit
              </a>
            </li>
            <li>
              <button type="button" className={itemClass} onClick={changeBike}>
                Change bike
              </button>
            </li>
            <li>
              <button type="button" className={itemClass} onClick={() => stopUsing(bike)}>
                Stop using this bike
              </button>
            </li>
            <li>
              <a href="/garage" className={itemClass} onClick={closeMenu}>
                My garage
              </a>
            </li>
          </ul>
        </>
      )}
      {/* Not in the header, whose colours it would inherit. */}
      {open && createPortal(<PageDialog dialog={open} />, document.body)}
    </>
  )
}

/** Shows a dialog until its page is left, which cancels its question. */
function PageDialog({ dialog: shown }: { dialog: OpenDialog }) {
  const { pathname } = useLocation()
  const [opened] = useState(pathname)
  const isLeft = pathname !== opened
  const { onClose } = shown.props
  useEffect(() => {
    if (isLeft) onClose(false)
  }, [isLeft, onClose])
  return !isLeft && shown
}

function changeBike(): void {
  closeMenu()
  openPicker()
}

function stopUsing({ id }: StoredBike): void {
  const leave = () => {
    replaceBikeOfUrl(null)
    focusBar()
  }
  switchOff(id).then(leave, (error: unknown) => showToast('error', explain(error)))
}

/** Link to the list for a bike, with the number of parts that fit. The list also has the parts whose fit is not confirmed. */
function PartsThatFit({ bike: { id, name } }: { bike: StoredBike }) {
  const [counted, setCounted] = useState<{ bike: number; total: number; estimated: boolean }>()
  useEffect(() => {
    const request = new AbortController()
    call('countProducts', { query: { bike: id }, signal: request.signal }).then(
      ({ total, estimated }) => setCounted({ bike: id, total, estimated }),
      // Without an answer the menu has the link too.
      () => undefined,
    )
    return () => request.abort()
  }, [id])
  if (counted?.bike !== id) return null
  const { total, estimated } = counted
  return (
    <a
      href={partsPath(id)}
      className="ml-auto flex h-11 shrink-0 items-center font-display text-lg font-semibold tracking-wide text-signal-bright underline -outline-offset-3 md:ml-0"
    >
      {total > 0 ? (
        <>
          {estimated ? 'Many' : total.toLocaleString('en-US')} {total === 1 ? 'part fits' : 'parts fit'}
          <span className="max-md:sr-only">&nbsp;your {name}</span>
        </>
      ) : (
        <span>
          No parts <span className="max-md:sr-only">are confirmed to fit your {name} </span>yet
        </span>
      )}
    </a>
  )
}
