import { tooManyAttempts, tooManyCodes } from './waiting-time.ts'

/** All API errors: code, HTTP status and the message for people. */
export const errors = {
  // Requests
  INVALID_REQUEST: { status: 400, message: 'Some values are not valid.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  URL_TOO_LONG: { status: 414, message: 'The URL is too long.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request timed out. Please try again.' },
  TOO_MANY_REQUESTS: { status: 429, message: tooManyAttempts(undefined) },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  RECORD_CHANGED: {
    status: 409,
    message: 'Someone else changed this. Reload the page to see the changes.',
  },
  GONE: { status: 410, message: 'This is no longer available.' },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side. Please try again.',
  },
  UNAVAILABLE: { status: 503, message: 'The shop is temporarily unavailable. Please try again in a moment.' },

  // Identity
  NOT_SIGNED_IN: { status: 401, message: 'Please log in.' },
  INVALID_ID_TOKEN: { status: 401, message: 'Your login could not be verified. Please log in again.' },
  ADMIN_REQUIRED: { status: 403, message: 'Admin Access Required' },
  NOT_ALLOWED: { status: 403, message: 'Your role does not include this. Ask the owner of the shop.' },
  NOT_YOURS: { status: 403, message: 'This belongs to another account.' },
  ROLE_CHANGE_REFUSED: {
    status: 403,
    message: 'Only an admin can change a role, only to admin, and without other fields.',
  },
  OWN_ROLE: { status: 409, message: "You can't change your own role." },
  ROLE_NOT_YOURS_TO_GIVE: { status: 403, message: 'Only an owner can give or change this role.' },
  ALREADY_STAFF: { status: 409, message: 'This person already has a role. Change it in the list.' },
  INVITATION_OPEN: { status: 409, message: 'This email is already invited.' },
  INVITATION_OVER: { status: 410, message: 'This invitation is no longer valid. Ask for a new one.' },
  INVITATION_NOT_YOURS: { status: 403, message: 'Log in with the email that was invited.' },
  TOO_MANY_INVITATIONS: { status: 422, message: 'A shop can have up to 100 open invitations. Revoke some.' },
  OWN_ADMIN_ROLE: { status: 409, message: "You can't remove your own admin role." },
  EMAIL_NOT_VERIFIED: { status: 409, message: 'This email belongs to an account that is not verified.' },
  TWO_STEP_REQUIRED: { status: 403, message: 'Enter the code of your authenticator app.' },
  TWO_STEP_NOT_SET_UP: { status: 403, message: 'Set up two-step login first.' },
  TWO_STEP_IS_SET_UP: { status: 409, message: 'Two-step login is already set up. Turn it off first.' },
  TWO_STEP_CODE_WRONG: {
    status: 422,
    message: 'This code is not valid. Wait for the next one and try again.',
  },
  TWO_STEP_UNREADABLE: {
    status: 409,
    message:
      'The shop has a new secret and can no longer check your app. Use a recovery code, or ask an owner to reset your two-step login.',
  },
  OWN_TWO_STEP: { status: 409, message: 'Turn off your own two-step login on your Security page.' },
  USER_NOT_FOUND: { status: 404, message: 'No user has this email.' },

  // Identity provider
  NO_ACCOUNT: { status: 401, message: 'No account with this email' },
  WRONG_PASSWORD: { status: 401, message: 'Wrong Password' },
  SIGN_IN_FAILED: { status: 401, message: 'Login failed' },
  EMAIL_TAKEN: { status: 409, message: 'Email already exist' },
  INVALID_EMAIL: { status: 400, message: 'Invalid Email' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Minimum 6 characters required' },
  PASSWORD_TOO_LONG: { status: 400, message: 'At most 128 characters' },
  LINK_OVER: { status: 410, message: 'This link is no longer valid. Use the link in the latest email.' },
  LINK_NOT_YOURS: {
    status: 403,
    message: 'This link belongs to another account. Log in to that account and reopen the link.',
  },
  SESSION_OVER: { status: 401, message: 'Your session has expired. Log in again.' },
  MAIL_OFF: { status: 503, message: "This shop can't send email." },
  MAIL_NOT_SENT: {
    status: 502,
    message: 'The mail server did not accept the email. Check SMTP_URL and MAIL_FROM.',
  },
  FOREIGN_ORIGIN: { status: 403, message: 'This request must come from a page of the shop.' },

  // Addresses
  ADDRESS_NOT_FOUND: { status: 404, message: 'This address does not exist.' },
  TOO_MANY_ADDRESSES: { status: 422, message: 'You can save up to 20 addresses.' },

  // Cart
  CART_EMPTY: { status: 422, message: 'Your cart is empty.' },
  CHOICE_REQUIRED: { status: 422, message: 'Choose a size and a colour.' },
  CART_TOO_LARGE: { status: 422, message: 'A cart can hold 50 different items.' },

  // Charges
  CHECKOUT_REQUIRED: {
    status: 409,
    message: 'Shipping and tax apply to this order. Please continue to checkout.',
  },
  NO_SHIPPING: { status: 422, message: "We can't ship this order to this address." },
  ADDRESS_INCOMPLETE: {
    status: 422,
    message: 'Enter your state and postal code to see shipping and tax.',
  },
  COUPON_UNKNOWN: { status: 404, message: 'This code is not valid.' },
  COUPON_NOT_APPLICABLE: { status: 422, message: 'This code does not apply to your items.' },
  COUPON_USED_UP: { status: 409, message: 'This code has been used up.' },
  COUPON_ALREADY_USED: { status: 409, message: 'You have already used this code.' },
  COUPON_NOT_CHECKED: { status: 409, message: tooManyCodes(undefined) },
  TOO_MANY_RATES: { status: 422, message: 'A shop can have up to 200 shipping rates and 200 tax rates.' },
  TOO_MANY_SYNONYMS: { status: 422, message: 'A shop can have up to 500 groups of search words of its own.' },
  TOO_MANY_ATTRIBUTES: { status: 422, message: 'A shop can have up to 100 kinds of parts with attributes.' },
  SETTINGS_CHANGED: {
    status: 412,
    message: 'Someone else changed these settings. Reload the page to see the changes.',
  },
  CONTRAST_TOO_LOW: { status: 422, message: 'A colour is hard to read. Choose another tone of it.' },
  PLACEHOLDER_UNKNOWN: {
    status: 422,
    message: 'A text has a placeholder that this email does not have. Check the marked fields.',
  },
  PICTURE_NOT_FOUND: { status: 422, message: 'A picture is not in the shop any more. Upload it again.' },
  TAX_RATE_TAKEN: { status: 409, message: 'This place already has a tax rate.' },
  COUPON_CODE_TAKEN: { status: 409, message: 'This code is already in use.' },

  // Catalog
  PRODUCT_NOT_FOUND: { status: 404, message: 'Product not found.' },
  PRODUCT_CHANGED: {
    status: 412,
    message: 'Someone else changed this product. Check the marked fields and save again.',
  },
  VARIANT_NOT_FOUND: { status: 404, message: 'This size or colour does not exist.' },
  VARIANT_TAKEN: { status: 409, message: 'This product already has that size and colour.' },
  VARIANT_HAS_STOCK: {
    status: 409,
    message: 'This variant still has stock. Set it to 0 before you remove it.',
  },
  VARIANTS_CHANGED: {
    status: 412,
    message: 'Someone else changed these variants. Reload the page to see the changes.',
  },
  SKU_TAKEN: { status: 409, message: 'This part number is already in use.' },
  SIZE_CHART_TAKEN: { status: 409, message: 'This brand already has a size chart for this kind of part.' },
  STOCK_BELOW_ZERO: { status: 409, message: 'Stock cannot go below 0' },

  // Fitment
  BIKE_NOT_FOUND: { status: 404, message: 'We do not have this bike in our list.' },
  BIKES_IN_USE: {
    status: 409,
    message:
      'A product (perhaps a deleted one), a garage, a cart, an order or an ACES code refers to one of these bikes. Nothing was removed.',
  },
  GARAGE_FULL: {
    status: 422,
    message: 'Your garage can hold 10 bikes. Remove one before you add another.',
  },
  FITMENTS_CHANGED: {
    status: 409,
    message: 'Another admin changed these fitments. Nothing was saved. Reload the page and try again.',
  },
  PART_NUMBERS_CHANGED: {
    status: 409,
    message: 'Another admin changed these part numbers. Nothing was saved. Reload the page and try again.',
  },
  REPLACEMENT_LOOP: {
    status: 409,
    message: 'These products would replace each other in a loop. Choose another product.',
  },
  TOO_MANY_BIKES: { status: 422, message: 'A product can list at most 20,000 bikes.' },

  // Pictures
  PICTURE_KIND_REFUSED: { status: 415, message: 'Unsupported image type. Use JPEG, PNG, WebP or AVIF.' },
  PICTURE_HAS_TOO_MANY_PIXELS: { status: 422, message: 'The image is larger than 50 megapixels.' },
  PICTURE_UNREADABLE: { status: 422, message: 'The image file is damaged.' },
  PICTURE_STORE_UNAVAILABLE: {
    status: 503,
    message: 'Images are temporarily unavailable. Please try again in a moment.',
  },

  DOWNLOAD_NOT_FOUND: { status: 404, message: 'No missing picture has this URL.' },
  HOST_NOT_IN_FILE: { status: 422, message: 'The file has no pictures on one of these hosts.' },

  // Product files
  IMPORT_IN_PROGRESS: {
    status: 409,
    message: 'Another import is running. Please wait until it has finished.',
  },
  IMPORT_NOT_READY: { status: 409, message: 'This file has already been imported, or has errors.' },
  IMPORT_NOT_SCHEDULABLE: {
    status: 409,
    message: 'Only files of products, fitments and part numbers can run later, at a time within 7 days.',
  },
  WARNINGS_NOT_ACCEPTED: { status: 409, message: 'This file has large changes. Check and confirm them.' },
  IMPORT_ALREADY_UNDONE: { status: 409, message: 'This import has already been undone.' },
  DELIVERY_TOO_LARGE: {
    status: 422,
    message: 'This delivery has more than 2,000 items. Import the file instead.',
  },
  IMPORT_NOT_UNDOABLE: {
    status: 409,
    message: 'This import has changed nothing that the shop can restore.',
  },

  // Pages, posts and redirects
  DOCUMENT_CHANGED: {
    status: 412,
    message: 'Someone else changed this. Reload the page to see the changes.',
  },
  DOCUMENT_INCOMPLETE: { status: 422, message: 'A title and a text are needed.' },
  SLUG_TAKEN: { status: 409, message: 'Another page has this address.' },
  LEGAL_KIND_TAKEN: { status: 409, message: 'Another page is this legal page.' },
  ALREADY_PUBLIC: { status: 409, message: 'Visitors can read this text already. To hide it, archive it.' },
  DRAFT_EXISTS: { status: 409, message: 'Publish or discard the draft first.' },
  TOO_MANY_DOCUMENTS: { status: 422, message: 'A shop can have up to 2,000 pages and posts.' },
  REDIRECT_REFUSED: { status: 422, message: 'The shop has a page at this address.' },
  TOO_MANY_REDIRECTS: { status: 422, message: 'A shop can have up to 100,000 redirects.' },

  // Many products at once
  SELECTION_CHANGED: {
    status: 409,
    message: 'Other products match these filters now. Check the list and try again.',
  },
  NOTHING_SELECTED: { status: 422, message: 'No product is selected. Select at least one.' },
  SELECTION_TOO_LARGE: {
    status: 422,
    message: 'Select at most 100,000 products. Use a file for more.',
  },

  // Reviews
  TOO_MANY_REVIEWS: { status: 429, message: 'You have added enough reviews for today. Try again tomorrow.' },

  // Refunds
  REFUND_TOO_LARGE: { status: 409, message: 'This is more than what can still be refunded.' },
  PIECES_NOT_AVAILABLE: {
    status: 409,
    message: 'Some of these pieces have been shipped, cancelled or returned in the meantime.',
  },
  REFUND_NOT_COMPLETE: { status: 409, message: 'This refund is not complete yet. Please try again later.' },
  REFUND_NOT_FAILED: { status: 409, message: 'Only a failed refund can be closed.' },

  // Orders
  ORDER_NOT_FOUND: { status: 404, message: 'Order not found.' },
  QUANTITY_NOT_MATCHED: { status: 422, message: 'Quantity not matched' },
  OUT_OF_STOCK: { status: 409, message: 'Quantity not matched' },
  ORDER_TOO_SMALL: {
    status: 422,
    message: "An order can't be below $0.50. Add items, or remove the discount code if it has one.",
  },
  ORDER_TOO_LARGE: { status: 422, message: "An order can't exceed $999,999.99." },
  PRICE_CHANGED: { status: 409, message: 'The price of this product has changed.' },
  CART_CHANGED: {
    status: 409,
    message: 'Some items have changed. Please check your order and place it again.',
  },
  GUEST_ORDER_TOO_LARGE: {
    status: 422,
    message: 'Larger orders need an account with a confirmed email address.',
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 429,
    message: 'You have too many unpaid orders. Pay or cancel one of them, then order again.',
  },
  EMAIL_UNCONFIRMED: { status: 403, message: 'Please confirm your email address first.' },
  OPTIONS_FIXED: {
    status: 409,
    message: 'The size and colour of this order cannot be changed. Cancel it and order again.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This idempotency key was used for a different request.' },
  ORDER_ALREADY_PAID: { status: 409, message: 'This order has already been paid.' },
  ORDER_NOT_PAID: { status: 409, message: 'This order has not been paid yet.' },
  ORDER_ALREADY_SHIPPED: { status: 409, message: 'This order has already been shipped.' },
  NOTHING_TO_SHIP: { status: 409, message: 'These items have already been shipped or cancelled.' },
  REASON_REQUIRED: {
    status: 409,
    message: 'The customer has been notified. Enter a reason, and we will send a correction.',
  },
  SHIPMENT_HAS_RETURN: { status: 409, message: 'This parcel has a return. Close the return first.' },
  SHIPMENT_RETURNED: {
    status: 409,
    message: 'Items of this parcel came back and were refunded, so it stays shipped.',
  },
  ORDER_REFUNDED: { status: 409, message: 'This order was cancelled.' },

  CANCELLATION_NEEDS_REVIEW: {
    status: 409,
    message: 'This order has items with special return terms. To cancel it, please contact us.',
  },
  RETURN_NOT_POSSIBLE: { status: 422, message: 'Some of these items can’t be returned any more.' },
  RETURN_CLOSED: { status: 409, message: 'This return was decided or closed in the meantime.' },
  RETURN_NEEDS_ORDER: { status: 409, message: 'Assign this withdrawal to an order first.' },

  // Payments
  AMOUNT_MISMATCH: { status: 409, message: 'The amount does not match the order.' },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message: 'A payment for this order is being processed. Please wait for the result.',
  },
  PAYMENT_NOT_CONFIRMED: { status: 409, message: 'The payment provider has not confirmed this payment.' },
  PAYMENT_PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The payment provider is not responding. Please try again.',
  },
  PAYMENT_PROVIDER_REJECTED: {
    status: 502,
    message: 'The payment provider rejected the request. Check your account there, and the keys of the shop.',
  },
  INVALID_SIGNATURE: { status: 400, message: 'The webhook signature is not valid.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** The body of an error response. `fields` maps the name of a field to its error message. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  /** The `X-Request-Id` of the response, by which the operator finds its log lines. */
  requestId?: string
}
