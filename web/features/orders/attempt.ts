import { useRef, useState } from 'react'
import { ApiError, isClientError } from '../../api.ts'
import { isObject, readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'

/** An order or refund that was sent and has no answer: it may have been made. `Form` is the state of the page, as JSON. */
export interface Attempt<Form> {
  /** Sent as `Idempotency-Key`: the shop never places two orders for one key. */
  key: string
  /** Null for a guest, and for a refund. */
  customerId: string | null
  /** Body of the request. Empty if each request must have the key of the one without an answer. */
  body: object
  form: Form
}

/** The body is only compared, so its parts are not checked. */
const isAttempt = (stored: unknown): stored is Attempt<unknown> =>
  isObject(stored) && typeof stored.key === 'string' && isUuid.test(stored.key) && isObject(stored.body)

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Statuses of a request that the shop rejected before it looked at the order: it may exist from an earlier attempt. */
const uninformative = [401, 408, 429]

/** Another buyer in the same tab does not overwrite an attempt. */
const toStorageName = (name: string, customerId: string | null) => `${name}:${customerId ?? 'guest'}`

/**
 * Sends an order, or the refund of one. A repeated attempt with the same body sends the same key, even after a reload. Throws the error of
 * `send`, which must be an ApiError.
 *
 * @param name key in the storage of the tab, together with the buyer
 * @param unanswered the attempt that the page shows. It may have left the storage: a page that the buyer left can still get
 *   its answer
 */
export async function sendOnce<Form, Placed>(
  name: string,
  order: Omit<Attempt<Form>, 'key'>,
  send: (key: string) => Promise<Placed>,
  unanswered: Attempt<Form> | null = null,
): Promise<Placed> {
  const earlier = readAttempt(name, order.customerId, () => true) ?? unanswered
  const isRepeated = JSON.stringify(earlier?.body) === JSON.stringify(order.body)
  const key = earlier && isRepeated ? earlier.key : crypto.randomUUID()
  const storageName = toStorageName(name, order.customerId)
  storeInTab(storageName, { ...order, key })
  try {
    const placed = await send(key)
    removeFromTab(storageName)
    return placed
  } catch (error) {
    const isUninformative = error instanceof ApiError && uninformative.includes(error.status)
    if (isClientError(error) && !(isRepeated && isUninformative)) removeFromTab(storageName)
    throw error
  }
}

/**
 * The order of this buyer that got no answer, and a function that sends one. While there is one, the page shows its form and
 * lets nothing change: another body would have another key, and could be placed beside it.
 *
 * @param isForm whether the page can show a stored form: an earlier version of the shop may have stored it
 */
export function useAttempt<Form>(
  name: string,
  customerId: string | null,
  isForm: (form: unknown) => boolean,
) {
  const read = () => readAttempt<Form>(name, customerId, isForm)
  const [unanswered, setUnanswered] = useState(read)
  const [isSending, setSending] = useState(false)
  const request = useRef<AbortController>(null)
  /** Throws the ApiError of `place`. */
  async function send<Placed>(
    body: object,
    form: Form,
    place: (key: string, signal: AbortSignal) => Promise<Placed>,
  ) {
    setSending(true)
    try {
      for (;;) {
        const { signal } = (request.current = new AbortController())
        try {
          return await sendOnce(name, { customerId, body, form }, (key) => place(key, signal), unanswered)
        } catch (error) {
          if (!signal.aborted) throw error
        }
      }
    } catch (error) {
      setUnanswered(read())
      throw error
    } finally {
      setSending(false)
    }
  }
  /** Gives up waiting for the answer, and sends the order again with the same key. */
  const retry = () => request.current?.abort()
  return { unanswered: unanswered?.form ?? null, isSending, send, retry }
}

/** Returns the open attempt of this buyer, or null. `Form` is the type that `sendOnce` stored. See `useAttempt`. */
export function readAttempt<Form>(
  name: string,
  customerId: string | null,
  isForm: (form: unknown) => boolean,
): Attempt<Form> | null {
  const stored = readFromTab(toStorageName(name, customerId))
  return isAttempt(stored) && isForm(stored.form) ? (stored as Attempt<Form>) : null
}
