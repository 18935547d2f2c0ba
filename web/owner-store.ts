import { readAccessToken } from './access-token.ts'
import { ApiError, readMessage } from './api.ts'

/** A failure with a message for the visitor. */
export class OwnerError extends Error {
  override name = 'OwnerError'
}

/** Returns the message of an error, for display. */
export const explain = (error: unknown): string =>
  error instanceof OwnerError ? error.message : readMessage(error)

/**
 * Data of a visitor: of a guest in this browser, of a customer at the shop. After the sign-in `merge` adds the guest's data
 * to the customer's.
 *
 * @param noun for messages, such as `cart`
 * @param store stores what a guest has, and throws if the browser cannot
 */
export function ownerStore<Guest, Merged>(options: {
  noun: string
  store: (guest: Guest) => void
  merge: (signal: AbortSignal) => Promise<Merged>
}) {
  const { noun, store, merge } = options
  let pendingMerge: { result: Promise<Merged>; request: AbortController } | null = null
  return {
    /** Stores the data of a guest. Throws an `OwnerError` if the browser cannot. */
    save(guest: Guest): void {
      try {
        store(guest)
      } catch (cause) {
        const text = `Your browser could not save your ${noun}. Allow this site to store data, or free some space, and try again.`
        throw new OwnerError(text, { cause })
      }
    },
    /** Calls one of the two. If the session of a customer has ended, it calls the store of the guest, so that nothing is lost. */
    async asOwner<Result>(customer: () => Promise<Result>, guest: () => Result | Promise<Result>) {
      try {
        if (readAccessToken() !== null) return await customer()
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'NOT_SIGNED_IN')) throw error
      }
      return guest()
    },
    /** Merges after the sign-in. Calls during a merge share it. */
    merge(): Promise<Merged> {
      if (!pendingMerge) {
        const request = new AbortController()
        const result = merge(request.signal).finally(() => {
          pendingMerge = null
        })
        pendingMerge = { result, request }
      }
      return pendingMerge.result
    },
    /** Cancels the running merge if the customer has signed out: the shop would refuse it. */
    cancelIfSignedOut(): void {
      if (readAccessToken() === null) pendingMerge?.request.abort()
    },
  }
}
