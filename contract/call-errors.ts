import type { ErrorCode } from './errors.ts'
import { type Route, type RouteName, routes } from './routes.ts'
import { type CallSchema, schemas } from './schemas.ts'

/** The errors that only this call returns. Not in `routes.ts`, because browsers load that file. */
const specific: Partial<Record<RouteName, readonly ErrorCode[]>> = {
  getProduct: ['PRODUCT_NOT_FOUND'],
  getUser: ['USER_NOT_FOUND'],
  exchangeIdToken: ['NOT_SIGNED_IN', 'INVALID_ID_TOKEN', 'EMAIL_TAKEN'],
  makeAdmin: ['ROLE_CHANGE_REFUSED', 'USER_NOT_FOUND'],
  removeAdmin: ['OWN_ADMIN_ROLE', 'USER_NOT_FOUND'],
  getOrder: ['ORDER_NOT_FOUND'],
  confirmPurchase: [
    'PRODUCT_NOT_FOUND',
    'QUANTITY_NOT_MATCHED',
    'OUT_OF_STOCK',
    'ORDER_TOO_LARGE',
    'PRICE_CHANGED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  updateProduct: ['PRODUCT_NOT_FOUND', 'STOCK_BELOW_ZERO'],
  deleteOrder: [
    'ORDER_NOT_FOUND',
    'ORDER_ALREADY_PAID',
    'ORDER_ALREADY_SHIPPED',
    'PAYMENT_IN_PROGRESS',
    'PAYMENT_PROVIDER_UNAVAILABLE',
  ],
  updateShipping: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID'],
  addReview: ['USER_NOT_FOUND'],
  addProduct: ['SKU_TAKEN'],
  createPaymentIntent: [
    'ORDER_NOT_FOUND',
    'AMOUNT_MISMATCH',
    'ORDER_ALREADY_PAID',
    'ORDER_ALREADY_SHIPPED',
    'PAYMENT_IN_PROGRESS',
    'PAYMENT_PROVIDER_UNAVAILABLE',
  ],
  payOrder: [
    'ORDER_NOT_FOUND',
    'PAYMENT_NOT_CONFIRMED',
    'PAYMENT_IN_PROGRESS',
    'PAYMENT_PROVIDER_UNAVAILABLE',
  ],
  editProduct: ['PRODUCT_NOT_FOUND', 'SKU_TAKEN'],
  setOrderOptions: ['ORDER_NOT_FOUND', 'ORDER_ALREADY_SHIPPED'],
  addPicture: ['PICTURE_KIND_REFUSED', 'PICTURE_HAS_TOO_MANY_PIXELS', 'PICTURE_UNREADABLE'],
  checkImport: ['IMPORT_IN_PROGRESS'],
  getImport: ['NOT_FOUND'],
  runImport: ['NOT_FOUND', 'IMPORT_IN_PROGRESS', 'IMPORT_NOT_READY'],
}

/** Returns every error that a call may return, from its access rule, its schemas and the list above. */
export function errorCodes(name: RouteName): ErrorCode[] {
  const { access, upload }: Route = routes[name]
  const { body }: CallSchema = schemas[name]
  const hasBody = body !== undefined || upload !== undefined
  const codes: ErrorCode[] = [
    'INVALID_REQUEST',
    ...(access === 'public' ? [] : (['NOT_SIGNED_IN'] as const)),
    ...(access === 'self' ? (['NOT_YOURS'] as const) : []),
    ...(access === 'admin' || access === 'self-or-admin' ? (['ADMIN_REQUIRED'] as const) : []),
    ...(hasBody ? (['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(specific[name] ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}
