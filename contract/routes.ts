import { maxProductFileBytes, productFileTypes } from './imports.ts'
import { maxPictureBytes, pictureTypes } from './pictures.ts'

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
    summary: 'Lists products.',
  },
  getProduct: {
    method: 'GET',
    path: '/product/{id}',
    access: 'public',
    cache: true,
    summary: 'Returns one product.',
  },
  getUser: { method: 'GET', path: '/user', access: 'self-or-admin', summary: 'Returns one user.' },
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
    summary: "Updates the caller's profile. A blank field keeps its old value.",
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
    summary: 'Lists all reviews with a text.',
  },
  listOrders: {
    method: 'GET',
    path: '/orders',
    access: 'self-or-admin',
    summary: 'Lists the orders of one customer, or all orders if an admin sends no email. Newest first.',
  },
  getOrder: { method: 'GET', path: '/order', access: 'owner-or-admin', summary: 'Returns one order.' },
  confirmPurchase: {
    method: 'POST',
    path: '/confirm-purchase',
    access: 'signed-in',
    summary: 'Places an order and reduces the stock.',
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
    summary: 'Cancels an unpaid order and returns its stock.',
  },
  updateShipping: {
    method: 'PATCH',
    path: '/update-shipping/{id}',
    access: 'admin',
    summary: 'Marks a paid order as shipped.',
  },
  addReview: { method: 'POST', path: '/add-review', access: 'signed-in', summary: 'Adds a review.' },
  listUsers: { method: 'GET', path: '/users', access: 'admin', summary: 'Lists all users.' },
  addProduct: { method: 'POST', path: '/add-product', access: 'admin', summary: 'Adds a product.' },
  deleteProduct: {
    method: 'DELETE',
    path: '/delete-product',
    access: 'admin',
    summary: 'Deletes a product. Orders keep its data.',
  },
  createPaymentIntent: {
    method: 'POST',
    path: '/create-payment-intent',
    access: 'owner',
    summary: 'Opens the payment of an unpaid order, or returns the open one.',
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
    summary: 'Lists the filter values of the product list with their product counts.',
  },
  editProduct: {
    method: 'PUT',
    path: '/v1/products/{id}',
    access: 'admin',
    summary: 'Replaces all fields of a product except its stock. Missing fields are cleared.',
  },
  setOrderOptions: {
    method: 'PUT',
    path: '/v1/orders/{id}/options',
    access: 'owner',
    summary: 'Saves the size and colour of an order that has not been shipped.',
  },
  addPicture: {
    method: 'POST',
    path: '/v1/pictures',
    access: 'admin',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
    summary: 'Stores an image in all required sizes and returns its URL.',
  },
  listRefunds: {
    method: 'GET',
    path: '/v1/refunds',
    access: 'admin',
    summary: 'Refunds of payments without a matching order. Newest first.',
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    access: 'admin',
    summary:
      'Lists changes of orders, stock, products and roles with user, time and IP address. Newest first; `next` is the cursor of the next page.',
  },
  exportProducts: {
    method: 'GET',
    path: '/v1/products.csv',
    access: 'admin',
    summary: 'Exports all products as a CSV file, from one snapshot.',
  },
  checkImport: {
    method: 'POST',
    path: '/v1/imports',
    access: 'admin',
    upload: { types: productFileTypes, maxBytes: maxProductFileBytes, streamed: true },
    summary: 'Checks a product file without changing anything, and reports its errors and changes.',
  },
  getImport: {
    method: 'GET',
    path: '/v1/imports/{id}',
    access: 'admin',
    summary: 'Returns the progress and the result of a check or an import.',
  },
  runImport: {
    method: 'POST',
    path: '/v1/imports/{id}/run',
    access: 'admin',
    summary: 'Imports a checked product file without errors, completely or not at all.',
  },
  removeAdmin: {
    method: 'DELETE',
    path: '/v1/admins/{email}',
    access: 'admin',
    summary: "Removes another admin's role and revokes their access tokens.",
  },
  signOut: {
    method: 'POST',
    path: '/v1/sign-out',
    access: 'signed-in',
    summary: 'Revokes all access tokens of the caller immediately.',
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
