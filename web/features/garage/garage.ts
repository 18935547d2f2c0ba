import { maxGarageBikes } from '../../../contract/limits.ts'
import { readAccessToken } from '../../access-token.ts'
import { ApiError, call, type Reply } from '../../api.ts'
import { OwnerError, ownerStore } from '../../owner-store.ts'
import { navigate } from '../../router/navigation.ts'
import { showToast } from '../../ui/toasts.tsx'
import { rememberAnyBike } from './any-bike.ts'
import { readGarage, type StoredBike, type StoredGarage, storeGarage, toStored } from './stored-garage.ts'

const full = `Your garage can hold ${maxGarageBikes} bikes. Remove one before you add another.`

const { save, asOwner, merge, cancelIfSignedOut } = ownerStore({
  noun: 'garage',
  store: storeGarage,
  merge: load,
})

export const cancelLoadIfSignedOut = cancelIfSignedOut

/** Returns whether a bike was not added because the garage of a guest or a customer is full. */
export const isGarageFull = (error: unknown): boolean =>
  (error instanceof OwnerError && error.message === full) ||
  (error instanceof ApiError && error.code === 'GARAGE_FULL')

/** Returns the garage of a guest with a bike as the current one, which may replace another. Throws if there are too many. */
function withCurrent({ bikes }: StoredGarage, { id, name }: StoredBike, replaces?: number): StoredGarage {
  if (bikes.some((bike) => bike.id === id)) return { bikes, current: id }
  const others = bikes.filter((bike) => bike.id !== replaces)
  if (others.length >= maxGarageBikes) throw new OwnerError(full)
  return { bikes: [...others, { id, name }], current: id }
}

const withoutBike = ({ bikes, current }: StoredGarage, id: number): StoredGarage => ({
  bikes: bikes.filter((bike) => bike.id !== id),
  current: current === id ? null : current,
})

/** Stores the present name of a bike that an admin has renamed, if the garage has the bike. */
export function updateName({ id, name }: StoredBike): void {
  const garage = readGarage()
  if (!garage.bikes.some((bike) => bike.id === id && bike.name !== name)) return
  const bikes = garage.bikes.map((bike) => (bike.id === id ? { id, name } : bike))
  saveQuietly({ ...garage, bikes })
}

/** If the error is that the shop does not have a bike, removes it from the garage of a guest, and copies a customer's again. */
export function removeUnknown(id: number, error: unknown): void {
  const garage = readGarage()
  const isUnknown = error instanceof ApiError && error.code === 'BIKE_NOT_FOUND'
  if (!isUnknown || !garage.bikes.some((bike) => bike.id === id)) return
  if (garage.customerId) refreshGarage().catch(() => undefined)
  else saveQuietly(withoutBike(garage, id))
}

function saveQuietly(garage: StoredGarage): void {
  try {
    storeGarage(garage)
  } catch {
    // The next answer tries it again.
  }
}

/**
 * Adds a bike if the garage does not have it, and makes it the current one.
 *
 * @param replaces the id of a bike that leaves the garage for it
 */
export function chooseBike(bike: StoredBike, replaces?: number, signal?: AbortSignal): Promise<void> {
  return change(
    () =>
      call('setGarageBike', {
        params: { bikeId: bike.id },
        body: { current: true, replaces },
        signal,
      }).then(endAnyBike),
    (garage) => endAnyBike(withCurrent(garage, bike, replaces)),
  )
}

/** Ends the wish for any bike when a change has succeeded, but before it is stored: the open list reads both then. */
function endAnyBike<Changed>(changed: Changed): Changed {
  rememberAnyBike(false)
  return changed
}

/** Leaves the garage without a current bike. */
export function switchOff(bikeId: number): Promise<void> {
  return change(
    () => call('setGarageBike', { params: { bikeId }, body: { current: false } }).then(endAnyBike),
    ({ bikes }) => endAnyBike({ bikes, current: null }),
  )
}

export const removeBike = (bikeId: number): Promise<void> =>
  change(
    () => call('removeGarageBike', { params: { bikeId } }),
    (garage) => withoutBike(garage, bikeId),
  )

/** Replaces a page for another bike by the page for the chosen bike, or for none. */
export function replaceBikeOfUrl(bike: number | null): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('bike')) return
  if (bike === null) {
    url.searchParams.delete('bike')
    // The choices of the filter depend on the bike.
    url.searchParams.delete('fit')
  } else url.searchParams.set('bike', String(bike))
  // Another list may have fewer pages.
  url.searchParams.delete('page')
  navigate(url.pathname + url.search, { replace: true, keepScroll: true })
}

/** Changes the garage of the customer or the guest. */
const change = (
  atShop: () => Promise<Reply<'getGarage'>>,
  ofGuest: (garage: StoredGarage) => StoredGarage,
): Promise<void> =>
  asOwner(
    async () => {
      const garage = await atShop()
      const { customerId } = readGarage()
      if (customerId) save(toStored(garage, customerId))
      else if (customer) await loadGarage(customer)
    },
    () => save(ofGuest(readGarage())),
  )

/** The customer who is signed in, as far as this page knows. */
let customer: string | null = null

/**
 * Copies the garage of the customer who has signed in, after the bikes of a guest are added to it. Shows a toast with those
 * for which it had no room. A lost response is repeated, which changes nothing.
 */
export function loadGarage(customerId: string): Promise<void> {
  customer = customerId
  return merge()
}

/** Copies the garage of the customer again, if this browser has a copy. */
export async function refreshGarage(): Promise<void> {
  const { customerId } = readGarage()
  if (customerId) await loadGarage(customerId)
}

async function load(signal: AbortSignal): Promise<void> {
  const customerId = customer
  const sent = readGarage()
  const isGuest = sent.customerId === undefined && sent.bikes.length > 0
  const { notAdded, ...garage } = isGuest
    ? await call('mergeGarage', {
        body: { bikes: sent.bikes.map(({ id }) => id), current: sent.current },
        signal,
      })
    : { ...(await call('getGarage', { signal })), notAdded: [] }
  // The customer may have signed out in the meantime.
  if (customerId === null || readAccessToken() === null) return
  // Another tab has added a bike: merge again.
  if (isGuest && readGarage() !== sent) return load(signal)
  save(toStored(garage, customerId))
  warnAboutMissing(notAdded)
}

function warnAboutMissing(bikes: StoredBike[]): void {
  if (bikes.length === 0) return
  const names = bikes.map(({ name }) => name).join(', ')
  showToast('warning', `These bikes were not added because your garage is full: ${names}`)
}
