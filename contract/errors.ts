import { tooManyAttempts } from './waiting-time.ts'

/** Every refusal of the shop: its code, its HTTP status and the sentence that a person reads. */
export const errors = {
  // Requests
  INVALID_REQUEST: { status: 400, message: 'Some of what was sent is not valid.' },
  BODY_TOO_LARGE: { status: 413, message: 'That is more than this call takes.' },
  URL_TOO_LONG: { status: 414, message: 'This address is longer than any of ours.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of this request are too long, or too many.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This call takes JSON.' },
  REQUEST_TIMEOUT: { status: 408, message: 'What you sent took too long to arrive.' },
  TOO_MANY_REQUESTS: { status: 429, message: tooManyAttempts(undefined) },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  GONE: { status: 410, message: 'What was at this address is here no more.' },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side. Please try again.',
  },
  UNAVAILABLE: { status: 503, message: 'The shop cannot answer right now. Please try again in a moment.' },

  // Identity
  NOT_SIGNED_IN: { status: 401, message: 'Please sign in.' },
  INVALID_ID_TOKEN: { status: 401, message: 'This sign-in could not be verified. Please sign in again.' },
  ADMIN_REQUIRED: { status: 403, message: 'Admin Access Required' },
  NOT_YOURS: { status: 403, message: 'This belongs to another account.' },
  ROLE_CHANGE_REFUSED: {
    status: 403,
    message: 'A role can only be set to admin, by an admin, and by itself.',
  },
  OWN_ADMIN_ROLE: { status: 409, message: "You can't remove your own admin role." },
  EMAIL_TAKEN: { status: 409, message: 'This e-mail belongs to another sign-in that is not verified.' },
  USER_NOT_FOUND: { status: 404, message: 'There is no user with this e-mail.' },

  // Catalog
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product is not in the shop.' },
  SKU_TAKEN: { status: 409, message: 'Another product has this part number.' },
  STOCK_BELOW_ZERO: { status: 409, message: 'Stock cannot go below 0' },

  // Pictures
  PICTURE_KIND_REFUSED: {
    status: 415,
    message: 'This is no picture that the shop takes: it takes JPEG, PNG, WebP and AVIF.',
  },
  PICTURE_HAS_TOO_MANY_PIXELS: { status: 422, message: 'This picture has more than 50 megapixels.' },
  PICTURE_UNREADABLE: { status: 422, message: 'This picture cannot be read: the file is damaged.' },

  // Product files
  IMPORT_IN_PROGRESS: { status: 409, message: 'Another file is being imported. Please wait for its end.' },
  IMPORT_NOT_READY: { status: 409, message: 'This file was imported already, or cannot be.' },

  // Orders
  ORDER_NOT_FOUND: { status: 404, message: 'There is no such order.' },
  QUANTITY_NOT_MATCHED: { status: 422, message: 'Quantity not matched' },
  OUT_OF_STOCK: { status: 409, message: 'Quantity not matched' },
  ORDER_TOO_LARGE: { status: 422, message: 'One order can come to $999,999.99 at most.' },
  PRICE_CHANGED: { status: 409, message: 'The price of this product has changed.' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This key was used for another order.' },
  ORDER_ALREADY_PAID: { status: 409, message: 'This order is paid already.' },
  ORDER_NOT_PAID: { status: 409, message: 'This order is not paid yet.' },
  ORDER_ALREADY_SHIPPED: { status: 409, message: 'This order is shipped already.' },

  // Payments
  AMOUNT_MISMATCH: { status: 409, message: 'The amount is not that of the order.' },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message: 'A payment for this order is under way. Please wait for its result.',
  },
  PAYMENT_NOT_CONFIRMED: { status: 409, message: 'The payment provider does not confirm this payment.' },
  PAYMENT_PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The payment provider is not responding. Please try again.',
  },
  INVALID_SIGNATURE: { status: 400, message: 'The signature of this event is not valid.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** The body of every refusal. `fields` maps a field's name to what is wrong with it. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
}
