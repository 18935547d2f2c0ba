import { maxPictureBytes, pictureTypes } from './pictures.ts'
import { maxPreviewBytes, maxProductFileBytes, productFileTypes } from './product-files.ts'

/**
 * Access rules of a call, which the server checks before the handler runs.
 *
 * - `public`: all clients. A stale token is ignored.
 * - `signed-in`: any customer.
 * - `self`: the customer whose email the call names.
 * - `self-or-admin`: that customer, or an admin. Without an email the call covers all customers: admins only.
 * - `owner`, `owner-or-admin`: any customer. The service throws *not found* for another customer's order or address.
 * - `owner-or-key`, `owner-admin-or-key`: also a guest with the key of the order in the header `Order-Key`.
 * - `admin`: role `admin`, read from the database for each request.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'self'
  | 'self-or-admin'
  | 'owner'
  | 'owner-or-admin'
  | 'owner-or-key'
  | 'owner-admin-or-key'
  | 'admin'

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api`; `{name}` is a path parameter. */
  path: string
  access: Access
  /**
   * The response is cached for anonymous callers. `true`: it does not depend on the caller. `anonymous`: it does, so a
   * caller with a token never gets a response from the cache.
   */
  cache?: true | 'anonymous'
  /** The limit of the body, if the usual 100 KiB are not enough. */
  maxBodyBytes?: number
  /** Changes nothing, although the method is not GET. */
  readsOnly?: true
  /** For a body that is not JSON. The server detects the type by the bytes, not by the header. */
  upload?: { types: readonly string[]; maxBytes: number; streamed?: true }
}

/** All calls of the API. Calls under `/v1` are additions to the specification. */
export const routes = {
  listProducts: { method: 'GET', path: '/products', access: 'public', cache: true },
  getProduct: { method: 'GET', path: '/product/{id}', access: 'public', cache: true },
  getUser: { method: 'GET', path: '/user', access: 'self-or-admin' },
  exchangeIdToken: { method: 'PUT', path: '/create-user/{email}', access: 'public' },
  updateProfile: { method: 'PUT', path: '/create-user/{email}', access: 'self' },
  makeAdmin: { method: 'PUT', path: '/create-user/{email}', access: 'admin' },
  listReviews: { method: 'GET', path: '/reviews', access: 'public', cache: 'anonymous' },
  listOrders: { method: 'GET', path: '/orders', access: 'self-or-admin' },
  getOrder: { method: 'GET', path: '/order', access: 'owner-or-admin' },
  confirmPurchase: { method: 'POST', path: '/confirm-purchase', access: 'signed-in' },
  updateProduct: { method: 'PUT', path: '/update-product/{id}', access: 'admin' },
  deleteOrder: { method: 'DELETE', path: '/delete-order', access: 'owner-or-admin' },
  updateShipping: { method: 'PATCH', path: '/update-shipping/{id}', access: 'admin' },
  addReview: { method: 'POST', path: '/add-review', access: 'signed-in' },
  listUsers: { method: 'GET', path: '/users', access: 'admin' },
  addProduct: { method: 'POST', path: '/add-product', access: 'admin' },
  deleteProduct: { method: 'DELETE', path: '/delete-product', access: 'admin' },
  createPaymentIntent: { method: 'POST', path: '/create-payment-intent', access: 'owner' },
  payOrder: { method: 'PATCH', path: '/order-payment/{id}', access: 'owner' },
  countProducts: { method: 'GET', path: '/v1/products/facets', access: 'public', cache: true },
  listAllProducts: { method: 'GET', path: '/v1/products', access: 'admin' },
  changeProducts: {
    method: 'POST',
    path: '/v1/product-changes',
    access: 'admin',
    maxBodyBytes: 1024 * 1024,
  },
  getAnyProduct: { method: 'GET', path: '/v1/products/{id}/details', access: 'admin' },
  hideProduct: { method: 'PUT', path: '/v1/products/{id}/hidden', access: 'admin' },
  restoreProduct: { method: 'POST', path: '/v1/products/{id}/restore', access: 'admin' },
  getEditableProduct: { method: 'GET', path: '/v1/products/{id}', access: 'admin' },
  editProduct: { method: 'PUT', path: '/v1/products/{id}', access: 'admin' },
  listVariants: { method: 'GET', path: '/v1/products/{id}/variants', access: 'admin' },
  saveVariants: { method: 'PUT', path: '/v1/products/{id}/variants', access: 'admin' },
  listBrands: { method: 'GET', path: '/v1/brands', access: 'admin' },
  getBrand: { method: 'GET', path: '/v1/brands/{name}', access: 'admin' },
  saveBrand: { method: 'PUT', path: '/v1/brands/{name}', access: 'admin' },
  listAttributes: { method: 'GET', path: '/v1/attributes', access: 'admin' },
  saveAttributes: { method: 'PUT', path: '/v1/attributes/{kind}', access: 'admin' },
  saveProductAttributes: { method: 'PUT', path: '/v1/products/{id}/attributes', access: 'admin' },
  listSynonyms: { method: 'GET', path: '/v1/synonyms', access: 'admin' },
  saveSynonyms: { method: 'PUT', path: '/v1/synonyms/{id}', access: 'admin' },
  deleteSynonyms: { method: 'DELETE', path: '/v1/synonyms/{id}', access: 'admin' },
  listShippingRates: { method: 'GET', path: '/v1/shipping-rates', access: 'admin' },
  saveShippingRate: { method: 'PUT', path: '/v1/shipping-rates/{id}', access: 'admin' },
  deleteShippingRate: { method: 'DELETE', path: '/v1/shipping-rates/{id}', access: 'admin' },
  listTaxRates: { method: 'GET', path: '/v1/tax-rates', access: 'admin' },
  saveTaxRate: { method: 'PUT', path: '/v1/tax-rates/{id}', access: 'admin' },
  deleteTaxRate: { method: 'DELETE', path: '/v1/tax-rates/{id}', access: 'admin' },
  previewCharges: { method: 'POST', path: '/v1/charges/preview', access: 'admin' },
  listCoupons: { method: 'GET', path: '/v1/coupons', access: 'admin' },
  saveCoupon: { method: 'PUT', path: '/v1/coupons/{id}', access: 'admin' },
  listSizeCharts: { method: 'GET', path: '/v1/size-charts', access: 'admin' },
  getSizeChart: { method: 'GET', path: '/v1/size-charts/{id}', access: 'admin' },
  saveSizeChart: { method: 'PUT', path: '/v1/size-charts/{id}', access: 'admin' },
  deleteSizeChart: { method: 'DELETE', path: '/v1/size-charts/{id}', access: 'admin' },
  saveCertificates: { method: 'PUT', path: '/v1/products/{id}/certificates', access: 'admin' },
  savePictures: { method: 'PUT', path: '/v1/products/{id}/pictures', access: 'admin' },
  listPartNumbers: { method: 'GET', path: '/v1/products/{id}/part-numbers', access: 'admin' },
  savePartNumbers: { method: 'PUT', path: '/v1/products/{id}/part-numbers', access: 'admin' },
  addBikes: { method: 'POST', path: '/v1/bikes', access: 'admin' },
  removeBikes: { method: 'DELETE', path: '/v1/bikes', access: 'admin' },
  listBikes: { method: 'GET', path: '/v1/bikes', access: 'public', cache: true },
  saveMake: { method: 'PUT', path: '/v1/makes/{make}', access: 'admin' },
  saveModel: { method: 'PUT', path: '/v1/makes/{make}/models/{model}', access: 'admin' },
  getFit: { method: 'GET', path: '/v1/fitment', access: 'public', cache: true },
  listFits: { method: 'GET', path: '/v1/fits', access: 'public', cache: true },
  suggest: { method: 'GET', path: '/v1/suggestions', access: 'public', cache: true },
  searchBikes: { method: 'GET', path: '/v1/bikes/search', access: 'public', cache: true },
  listFitments: { method: 'GET', path: '/v1/products/{id}/fitments', access: 'public', cache: true },
  saveFitments: {
    method: 'PUT',
    path: '/v1/products/{id}/fitments',
    access: 'admin',
    maxBodyBytes: 1024 * 1024,
  },
  listFitKinds: { method: 'GET', path: '/v1/fit-kinds', access: 'admin' },
  setFitKind: { method: 'PUT', path: '/v1/fit-kinds', access: 'admin' },
  checkOut: { method: 'POST', path: '/v1/orders', access: 'public' },
  listWork: { method: 'GET', path: '/v1/orders', access: 'admin' },
  countWork: { method: 'GET', path: '/v1/orders/counts', access: 'admin' },
  exportOrderLines: { method: 'GET', path: '/v1/order-lines.csv', access: 'admin' },
  getOrderDetails: { method: 'GET', path: '/v1/orders/{id}', access: 'owner-admin-or-key' },
  cancelOrder: { method: 'DELETE', path: '/v1/orders/{id}', access: 'owner-admin-or-key' },
  refundOrder: { method: 'POST', path: '/v1/orders/{id}/refunds', access: 'admin' },
  requestReturn: { method: 'POST', path: '/v1/orders/{id}/returns', access: 'owner-or-key' },
  listReturns: { method: 'GET', path: '/v1/returns', access: 'admin' },
  decideReturn: { method: 'PATCH', path: '/v1/returns/{id}', access: 'admin' },
  withdraw: { method: 'POST', path: '/v1/withdrawals', access: 'public' },
  closeRefund: { method: 'PATCH', path: '/v1/refunds/{id}', access: 'admin' },
  issueInvoice: { method: 'POST', path: '/v1/orders/{id}/invoices', access: 'owner-admin-or-key' },
  shipOrder: { method: 'POST', path: '/v1/orders/{id}/shipments', access: 'admin' },
  takePackingSlips: { method: 'POST', path: '/v1/packing-slips', access: 'admin' },
  editShipment: { method: 'PUT', path: '/v1/shipments/{id}', access: 'admin' },
  setBackShipment: { method: 'DELETE', path: '/v1/shipments/{id}', access: 'admin' },
  openOrderPayment: { method: 'POST', path: '/v1/orders/{id}/payment', access: 'owner-or-key' },
  confirmOrderPayment: { method: 'PATCH', path: '/v1/orders/{id}/payment', access: 'owner-or-key' },
  countGuestOrders: { method: 'GET', path: '/v1/me/orders/claim', access: 'signed-in' },
  claimGuestOrders: { method: 'POST', path: '/v1/me/orders/claim', access: 'signed-in' },
  setOrderOptions: { method: 'PUT', path: '/v1/orders/{id}/options', access: 'owner' },
  addPicture: {
    method: 'POST',
    path: '/v1/pictures',
    access: 'admin',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
  },
  addPhoto: {
    method: 'POST',
    path: '/v1/me/photo',
    access: 'signed-in',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
  },
  listDocuments: { method: 'GET', path: '/v1/documents', access: 'admin' },
  addDocument: { method: 'POST', path: '/v1/documents', access: 'admin', maxBodyBytes: 512 * 1024 },
  getDocument: { method: 'GET', path: '/v1/documents/{id}', access: 'admin' },
  saveDocument: { method: 'PUT', path: '/v1/documents/{id}', access: 'admin', maxBodyBytes: 512 * 1024 },
  archiveDocument: { method: 'DELETE', path: '/v1/documents/{id}', access: 'admin' },
  discardDraft: { method: 'DELETE', path: '/v1/documents/{id}/draft', access: 'admin' },
  publishDocument: { method: 'POST', path: '/v1/documents/{id}/publication', access: 'admin' },
  unscheduleDocument: { method: 'DELETE', path: '/v1/documents/{id}/publication', access: 'admin' },
  getDocumentVersion: { method: 'GET', path: '/v1/documents/{id}/versions/{number}', access: 'admin' },
  renderMarkdown: {
    method: 'POST',
    path: '/v1/markdown',
    access: 'admin',
    readsOnly: true,
    maxBodyBytes: 512 * 1024,
  },
  listRedirects: { method: 'GET', path: '/v1/redirects', access: 'admin' },
  saveRedirect: { method: 'PUT', path: '/v1/redirects', access: 'admin' },
  deleteRedirect: { method: 'DELETE', path: '/v1/redirects', access: 'admin' },
  listRefunds: { method: 'GET', path: '/v1/refunds', access: 'admin' },
  search: { method: 'GET', path: '/v1/search', access: 'admin' },
  getCustomer: { method: 'GET', path: '/v1/customers/{email}', access: 'admin' },
  addNote: { method: 'POST', path: '/v1/notes', access: 'admin' },
  removeNote: { method: 'DELETE', path: '/v1/notes/{id}', access: 'admin' },
  getToday: { method: 'GET', path: '/v1/today', access: 'admin' },
  scan: { method: 'GET', path: '/v1/scan', access: 'admin' },
  listEmails: { method: 'GET', path: '/v1/emails', access: 'admin' },
  retryEmail: { method: 'POST', path: '/v1/emails/{id}/retry', access: 'admin' },
  deleteEmail: { method: 'DELETE', path: '/v1/emails/{id}', access: 'admin' },
  listAudit: { method: 'GET', path: '/v1/audit', access: 'admin' },
  exportProducts: { method: 'GET', path: '/v1/products.csv', access: 'admin' },
  exportFitments: { method: 'GET', path: '/v1/fitments.csv', access: 'admin' },
  exportBikes: { method: 'GET', path: '/v1/bikes.csv', access: 'admin' },
  exportPartNumbers: { method: 'GET', path: '/v1/part-numbers.csv', access: 'admin' },
  checkImport: {
    method: 'POST',
    path: '/v1/imports',
    access: 'admin',
    upload: { types: productFileTypes, maxBytes: maxProductFileBytes, streamed: true },
  },
  previewImport: {
    method: 'POST',
    path: '/v1/imports/preview',
    access: 'admin',
    readsOnly: true,
    upload: { types: productFileTypes, maxBytes: maxPreviewBytes },
  },
  getImport: { method: 'GET', path: '/v1/imports/{id}', access: 'admin' },
  runImport: { method: 'POST', path: '/v1/imports/{id}/run', access: 'admin' },
  cancelImport: { method: 'DELETE', path: '/v1/imports/{id}/run', access: 'admin' },
  exportWrongRows: { method: 'GET', path: '/v1/imports/{id}/left-out.csv', access: 'admin' },
  listImports: { method: 'GET', path: '/v1/imports', access: 'admin' },
  undoImport: { method: 'POST', path: '/v1/imports/{id}/undo', access: 'admin' },
  listSuppliers: { method: 'GET', path: '/v1/suppliers', access: 'admin' },
  saveSupplierFile: { method: 'PUT', path: '/v1/suppliers/{name}/files/{kind}', access: 'admin' },
  bookReceipt: { method: 'POST', path: '/v1/receipts', access: 'admin', maxBodyBytes: 512 * 1024 },
  listAddresses: { method: 'GET', path: '/v1/me/addresses', access: 'signed-in' },
  getLastAddress: { method: 'GET', path: '/v1/me/last-address', access: 'signed-in' },
  addAddress: { method: 'POST', path: '/v1/me/addresses', access: 'signed-in' },
  updateAddress: { method: 'PUT', path: '/v1/me/addresses/{id}', access: 'owner' },
  deleteAddress: { method: 'DELETE', path: '/v1/me/addresses/{id}', access: 'owner' },
  quoteCart: { method: 'POST', path: '/v1/cart/quote', access: 'public', readsOnly: true },
  getCart: { method: 'GET', path: '/v1/cart', access: 'signed-in' },
  setCartLine: { method: 'PUT', path: '/v1/cart/lines/{variantId}', access: 'signed-in' },
  mergeCart: { method: 'POST', path: '/v1/cart/merge', access: 'signed-in' },
  getGarage: { method: 'GET', path: '/v1/me/garage', access: 'signed-in' },
  setGarageBike: { method: 'PUT', path: '/v1/me/garage/{bikeId}', access: 'signed-in' },
  removeGarageBike: { method: 'DELETE', path: '/v1/me/garage/{bikeId}', access: 'signed-in' },
  mergeGarage: { method: 'POST', path: '/v1/me/garage/merge', access: 'signed-in' },
  getSettings: { method: 'GET', path: '/v1/settings/{name}', access: 'admin' },
  saveShopSettings: { method: 'PUT', path: '/v1/settings/shop', access: 'admin' },
  saveBrandSettings: { method: 'PUT', path: '/v1/settings/brand', access: 'admin' },
  saveFooterSettings: { method: 'PUT', path: '/v1/settings/footer', access: 'admin' },
  resetSettings: { method: 'DELETE', path: '/v1/settings/{name}', access: 'admin' },
  getSetup: { method: 'GET', path: '/v1/setup', access: 'admin' },
  removeAdmin: { method: 'DELETE', path: '/v1/admins/{email}', access: 'admin' },
  signOut: { method: 'POST', path: '/v1/sign-out', access: 'signed-in' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
