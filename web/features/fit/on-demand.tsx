import { type ComponentProps, type MouseEvent, useEffect, useSyncExternalStore } from 'react'
import { readBikeId } from '../../../contract/bikes.ts'
import type { CartLine } from '../../../contract/cart.ts'
import type { Product } from '../../../contract/catalog.ts'
import type { FitKind } from '../../../contract/fit-answer.ts'
import { useHydrated, useLocation, useSettings } from '../../router/router.tsx'
import type * as Parts from './answers.tsx'
import type { OrderedBike } from './check.ts'

// Every page has this file. The rest is loaded for riders who have a bike or choose one.

let parts: typeof Parts | null = null
const listeners = new Set<() => void>()

export async function loadParts(): Promise<typeof Parts> {
  parts ??= await import('./answers.tsx')
  for (const listener of listeners) listener()
  return parts
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const useParts = () =>
  useSyncExternalStore(
    subscribe,
    () => parts,
    () => null,
  )

/** If it fails, the next page tries it again. */
const loadQuietly = () => void loadParts().catch(() => undefined)

function hasStoredBike(): boolean {
  try {
    return localStorage.getItem('garage') !== null
  } catch {
    // The browser does not allow the shop to store data.
    return false
  }
}

function loadIfStored(): void {
  if (hasStoredBike()) loadQuietly()
}

/** The id of the bike in the URL. Null on the server: its product pages are the same for all bikes. */
export function useBikeInUrl(): number | null {
  const { search } = useLocation()
  return useHydrated() ? readBikeId(search) : null
}

/** Link to the list of bikes, which opens the dialog instead. */
export const ChooseBike = (props: Omit<ComponentProps<'a'>, 'href' | 'onClick'>) => (
  <a {...props} href="/bikes" onClick={choose}>
    {props.children}
  </a>
)

function choose(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const { href } = event.currentTarget
  loadParts()
    .then(({ openPicker }) => openPicker())
    .catch(() => location.assign(href))
}

/**
 * The current bike, below the navigation bar. Only the browser has it: pages are the same for all visitors.
 *
 * @param customerId the customer who is signed in, whose garage takes over that of the guest
 */
export function BikeBar({ customerId }: { customerId: string | null }) {
  const { hasBikes } = useSettings()
  const isInUrl = useBikeInUrl() !== null
  const parts = useParts()
  useEffect(() => {
    if (!hasBikes) return
    if (customerId || isInUrl) loadQuietly()
    loadIfStored()
    addEventListener('storage', loadIfStored)
    return () => removeEventListener('storage', loadIfStored)
  }, [hasBikes, customerId, isInUrl])
  if (!hasBikes) return null
  return (
    <div id="bike" className="border-t border-ink-line">
      <div className="page-width flex h-10 items-center">
        <ChooseBike className="truncate py-2 hover:text-signal-bright">
          {parts ? <parts.BikeName /> : 'Choose your bike'}
        </ChooseBike>
        {parts && <parts.BikeTools customerId={customerId} />}
      </div>
    </div>
  )
}

interface FitBadgeProps {
  productId: string
  fitKind: FitKind | undefined
}

/** Whether a product fits the bike, in reserved space. Nothing for gear. */
export function FitBadge({ productId, fitKind }: FitBadgeProps) {
  const { hasBikes } = useSettings()
  const parts = useParts()
  if (!hasBikes || fitKind === 'gear') return null
  return (
    <div
      role="status"
      className="flex min-h-35 flex-col justify-center gap-1 rounded-card border border-line bg-surface px-4 py-2 lg:min-h-30"
    >
      {parts ? <parts.Fit productId={productId} /> : <NoBike />}
    </div>
  )
}

export const NoBike = () => (
  <p>
    Does this fit your bike? <ChooseBike className={actionClass}>Choose your bike</ChooseBike>
  </p>
)

/**
 * Finds the bike to order a product for. Warns once if the product is not known to fit it; returns null if the rider
 * cancels. Gear has no bike.
 *
 * @param action text of the button that goes on
 */
export async function checkFit({ _id, fitKind }: Product, action: string): Promise<OrderedBike | null> {
  const mayHaveBike = fitKind !== 'gear' && (hasStoredBike() || readBikeId(location.search) !== null)
  // If the code cannot be loaded, the product is ordered without a bike.
  const parts = mayHaveBike ? await loadParts().catch(() => null) : null
  return parts ? parts.checkFit(_id, action) : { bike: undefined }
}

/** Returns the line of a product with its bike, or null without a line and if the rider cancels. */
export async function addBike(line: CartLine | null, product: Product): Promise<CartLine | null> {
  const ordered = line && (await checkFit(product, 'Add anyway'))
  return ordered && { ...line, ...ordered }
}

interface FitMarkProps {
  product: { _id: string }
  /** The bike of the list. Null: the current one. */
  bike: number | null
  /** Whether the mark names the bike. Only for the current one, in a list that names another bike. */
  isNamed?: boolean
}

/** Short form of the fit, on the picture of a product card. */
export function FitMark({ product: { _id }, ...mark }: FitMarkProps) {
  const parts = useParts()
  return parts && <parts.Mark productId={_id} {...mark} />
}

/**
 * Link from a list to its parts that fit the current bike, in reserved space.
 *
 * @param toList returns the URL of the list for a bike
 */
export function OnlyFitting({ toList }: { toList: (bike: number) => string }) {
  const { hasBikes } = useSettings()
  const parts = useParts()
  if (!hasBikes) return null
  return (
    <p className="min-h-16 pb-4 md:min-h-10">
      {parts ? <parts.OnlyFittingLink toList={toList} /> : <ChooseToFilter />}
    </p>
  )
}

/** At most as high as the reserved space. */
export const filterClass =
  'line-clamp-2 font-semibold text-balance text-signal underline wrap-anywhere md:line-clamp-1'

export const ChooseToFilter = () => (
  <ChooseBike className={filterClass}>Choose your bike to see which parts fit</ChooseBike>
)

export const actionClass = 'font-semibold text-signal underline'
