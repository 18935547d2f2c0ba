import { maxPictureBytes, pictureTypes } from './pictures.ts'
import { maxProductFileBytes, productFileTypes } from './product-file.ts'

/**
 * Access rules of a call, which the server checks before the handler runs.
 *
 * - `public`: all clients. A stale token is ignored.
 * - `signed-in`: any customer.
 * - `self`: the customer whose email the call names.
 * - `self-or-admin`: that customer, or an admin. Without an email the call covers all customers: admins only.
 * - `owner`, `owner-or-admin`: any customer. The service throws *not found* for another customer's order.
 * - `admin`: role `admin`, read from the database for each request.
 */
export type Access = 'public' | 'signed-in' | 'self' | 'self-or-admin' | 'owner' | 'owner-or-admin' | 'admin'

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api`; `{name}` is a path parameter. */
  path: string
  access: Access
  /** The response does not depend on the caller, so it is cached for anonymous callers. */
  cache?: true
  /** For a body that is not JSON. The server detects the type by the bytes, not by the header. */
  upload?: { types: readonly string[]; maxBytes: number; streamed?: true }
  /** One sentence for the API documentation. */
  summary: string
}

/** All calls of the API. Those under `/v1` are additions to the specification. */
export const routes = {
  listProducts: {
    method: 'GET',
    path: '/products',
    access: 'public',
    cache: true,
    summary: 'The product list.',
  },
  getProduct: {
    method: 'GET',
    path: '/product/{id}',
    access: 'public',
    cache: true,
    summary: 'One product.',
  },
  getUser: { method: 'GET', path: '/user', access: 'self-or-admin', summary: 'The record of one user.' },
  exchangeIdToken: {
    method: 'PUT',
    path: '/create-user/{email}',
    access: 'public',
    summary: "Exchanges the identity provider's ID token for the shop's access token.",
  },
  updateProfile: {
    method: 'PUT',
    path: '/create-user/{email}',
    access: 'self',
    summary: 'Updates the own profile; a blank field keeps its old value.',
  },
  makeAdmin: {
    method: 'PUT',
    path: '/create-user/{email}',
    access: 'admin',
    summary: 'Makes a user an admin.',
  },
  listReviews: {
    method: 'GET',
    path: '/reviews',
    access: 'public',
    summary: 'All reviews that have a text.',
  },
  listOrders: {
    method: 'GET',
    path: '/orders',
    access: 'self-or-admin',
    summary: 'The orders of one customer; without an e-mail those of all, for admins. Newest first.',
  },
  getOrder: { method: 'GET', path: '/order', access: 'owner-or-admin', summary: 'One order.' },
  confirmPurchase: {
    method: 'POST',
    path: '/confirm-purchase',
    access: 'signed-in',
    summary: 'Places an order and takes the stock for it.',
  },
  updateProduct: {
    method: 'PUT',
    path: '/update-product/{id}',
    access: 'admin',
    summary: 'Sets a counted stock, or adds `delta` to the stock.',
  },
  deleteOrder: {
    method: 'DELETE',
    path: '/delete-order',
    access: 'owner-or-admin',
    summary: 'Cancels an unpaid order and gives its stock back.',
  },
  updateShipping: {
    method: 'PATCH',
    path: '/update-shipping/{id}',
    access: 'admin',
    summary: 'Marks a paid order as shipped.',
  },
  addReview: { method: 'POST', path: '/add-review', access: 'signed-in', summary: 'Adds a review.' },
  listUsers: { method: 'GET', path: '/users', access: 'admin', summary: 'All users.' },
  addProduct: { method: 'POST', path: '/add-product', access: 'admin', summary: 'Adds a product.' },
  deleteProduct: {
    method: 'DELETE',
    path: '/delete-product',
    access: 'admin',
    summary: 'Takes a product out of the shop; orders keep what they show of it.',
  },
  createPaymentIntent: {
    method: 'POST',
    path: '/create-payment-intent',
    access: 'owner',
    summary: 'Opens the payment of an unpaid order, or returns the one that is open.',
  },
  payOrder: {
    method: 'PATCH',
    path: '/order-payment/{id}',
    access: 'owner',
    summary: 'Asks the payment provider whether the order is paid, and records it.',
  },
  countProducts: {
    method: 'GET',
    path: '/v1/products/facets',
    access: 'public',
    cache: true,
    summary: 'The values that the product list can be filtered by, each with how many products it leaves.',
  },
  editProduct: {
    method: 'PUT',
    path: '/v1/products/{id}',
    access: 'admin',
    summary: 'Changes all of a product but its stock; what is left out is cleared.',
  },
  setOrderOptions: {
    method: 'PUT',
    path: '/v1/orders/{id}/options',
    access: 'owner',
    summary: 'Keeps the size and colour chosen for an order that is not yet shipped.',
  },
  addPicture: {
    method: 'POST',
    path: '/v1/pictures',
    access: 'admin',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
    summary:
      'Keeps a picture in the sizes that the screens need, and answers the address to give to a product.',
  },
  listRefunds: {
    method: 'GET',
    path: '/v1/refunds',
    access: 'admin',
    summary:
      'Money that settled no order and goes back in full: made, under way, due or failed. Newest first.',
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    access: 'admin',
    summary:
      'Who changed which order, stock, product or role, when, and from which address. Newest first; `next` leads on.',
  },
  exportProducts: {
    method: 'GET',
    path: '/v1/products.csv',
    access: 'admin',
    summary: 'All products as a CSV file, as they are at one moment.',
  },
  checkImport: {
    method: 'POST',
    path: '/v1/imports',
    access: 'admin',
    upload: { types: productFileTypes, maxBytes: maxProductFileBytes, streamed: true },
    summary:
      'Reads a product file and tries it: what is wrong with it, and what it would change. Changes nothing.',
  },
  getImport: {
    method: 'GET',
    path: '/v1/imports/{id}',
    access: 'admin',
    summary: 'How far the trial or the import of a product file has come, and what was found.',
  },
  runImport: {
    method: 'POST',
    path: '/v1/imports/{id}/run',
    access: 'admin',
    summary: 'Imports a product file that was tried and has no errors: all of it, or nothing.',
  },
  removeAdmin: {
    method: 'DELETE',
    path: '/v1/admins/{email}',
    access: 'admin',
    summary: "Removes another admin's role. Their access tokens are void immediately.",
  },
  signOut: {
    method: 'POST',
    path: '/v1/sign-out',
    access: 'signed-in',
    summary: 'Voids every access token of the caller at once.',
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
