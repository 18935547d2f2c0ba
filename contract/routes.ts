import type { Permission } from './permissions.ts'
import { maxPictureBytes, pictureTypes } from './picture-uploads.ts'
import { maxPreviewBytes, maxProductFileBytes, productFileTypes } from './product-files.ts'

/**
 * Access rules of a call, which the server checks before the handler runs. Staff are customers with a role.
 *
 * - `public`: all clients. A stale token is ignored.
 * - `signed-in`: any customer.
 * - `self`: the customer whose email the call names.
 * - `owner`: any customer. The service throws *not found* for another customer's order or address.
 * - `owner-or-key`: also a guest with the key of the order in the header `Order-Key`.
 */
type CustomerAccess = 'public' | 'signed-in' | 'self' | 'owner' | 'owner-or-key'

/**
 * Access rules that include staff whose role has the permission of the call. The role is read for each request.
 *
 * - `self-or-staff`: the customer whose email the call names. Without an email the call covers all customers: staff only.
 * - `owner-or-staff`, `owner-staff-or-key`: as without staff, and the service lets them read and change every order.
 * - `staff`: no one else.
 */
type StaffAccess = 'self-or-staff' | 'owner-or-staff' | 'owner-staff-or-key' | 'staff'

export type Access = CustomerAccess | StaffAccess

export type Route = RouteOptions &
  (
    | { access: CustomerAccess; permission?: undefined }
    /** Any of several permissions is enough. */
    | { access: StaffAccess; permission: Permission | readonly Permission[] }
  )

interface RouteOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api`; `{name}` is a path parameter. */
  path: string
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
  getUser: { method: 'GET', path: '/user', access: 'self-or-staff', permission: 'customers' },
  exchangeIdToken: { method: 'PUT', path: '/create-user/{email}', access: 'public' },
  updateProfile: { method: 'PUT', path: '/create-user/{email}', access: 'self' },
  makeAdmin: { method: 'PUT', path: '/create-user/{email}', access: 'staff', permission: 'staff' },
  listReviews: { method: 'GET', path: '/reviews', access: 'public', cache: 'anonymous' },
  listOrders: { method: 'GET', path: '/orders', access: 'self-or-staff', permission: 'orders' },
  getOrder: { method: 'GET', path: '/order', access: 'owner-or-staff', permission: 'orders' },
  confirmPurchase: { method: 'POST', path: '/confirm-purchase', access: 'signed-in' },
  updateProduct: { method: 'PUT', path: '/update-product/{id}', access: 'staff', permission: 'catalog' },
  deleteOrder: { method: 'DELETE', path: '/delete-order', access: 'owner-or-staff', permission: 'cancel' },
  updateShipping: { method: 'PATCH', path: '/update-shipping/{id}', access: 'staff', permission: 'ship' },
  addReview: { method: 'POST', path: '/add-review', access: 'signed-in' },
  listUsers: { method: 'GET', path: '/users', access: 'staff', permission: 'customers' },
  addProduct: { method: 'POST', path: '/add-product', access: 'staff', permission: 'catalog' },
  deleteProduct: { method: 'DELETE', path: '/delete-product', access: 'staff', permission: 'catalog' },
  createPaymentIntent: { method: 'POST', path: '/create-payment-intent', access: 'owner' },
  payOrder: { method: 'PATCH', path: '/order-payment/{id}', access: 'owner' },
  countProducts: { method: 'GET', path: '/v1/products/facets', access: 'public', cache: true },
  listAllProducts: { method: 'GET', path: '/v1/products', access: 'staff', permission: 'catalog' },
  changeProducts: {
    method: 'POST',
    path: '/v1/product-changes',
    access: 'staff',
    permission: 'catalog',
    maxBodyBytes: 1024 * 1024,
  },
  getAnyProduct: { method: 'GET', path: '/v1/products/{id}/details', access: 'staff', permission: 'catalog' },
  hideProduct: { method: 'PUT', path: '/v1/products/{id}/hidden', access: 'staff', permission: 'catalog' },
  restoreProduct: {
    method: 'POST',
    path: '/v1/products/{id}/restore',
    access: 'staff',
    permission: 'catalog',
  },
  getEditableProduct: { method: 'GET', path: '/v1/products/{id}', access: 'staff', permission: 'catalog' },
  editProduct: { method: 'PUT', path: '/v1/products/{id}', access: 'staff', permission: 'catalog' },
  listVariants: { method: 'GET', path: '/v1/products/{id}/variants', access: 'staff', permission: 'catalog' },
  saveVariants: {
    method: 'PUT',
    path: '/v1/products/{id}/variants',
    access: 'staff',
    permission: 'catalog',
    // 200 variants with the longest texts, at 3 bytes for each character. Most are picture URLs.
    maxBodyBytes: 1536 * 1024,
  },
  listBrands: { method: 'GET', path: '/v1/brands', access: 'staff', permission: 'catalog' },
  getBrand: { method: 'GET', path: '/v1/brands/{name}', access: 'staff', permission: 'catalog' },
  saveBrand: { method: 'PUT', path: '/v1/brands/{name}', access: 'staff', permission: 'catalog' },
  listAttributes: { method: 'GET', path: '/v1/attributes', access: 'staff', permission: 'catalog' },
  saveAttributes: { method: 'PUT', path: '/v1/attributes/{kind}', access: 'staff', permission: 'catalog' },
  saveProductAttributes: {
    method: 'PUT',
    path: '/v1/products/{id}/attributes',
    access: 'staff',
    permission: 'catalog',
  },
  listSynonyms: { method: 'GET', path: '/v1/synonyms', access: 'staff', permission: 'catalog' },
  saveSynonyms: { method: 'PUT', path: '/v1/synonyms/{id}', access: 'staff', permission: 'catalog' },
  deleteSynonyms: { method: 'DELETE', path: '/v1/synonyms/{id}', access: 'staff', permission: 'catalog' },
  listShippingRates: { method: 'GET', path: '/v1/shipping-rates', access: 'staff', permission: 'shop' },
  saveShippingRate: { method: 'PUT', path: '/v1/shipping-rates/{id}', access: 'staff', permission: 'shop' },
  deleteShippingRate: {
    method: 'DELETE',
    path: '/v1/shipping-rates/{id}',
    access: 'staff',
    permission: 'shop',
  },
  listTaxRates: { method: 'GET', path: '/v1/tax-rates', access: 'staff', permission: 'shop' },
  saveTaxRate: { method: 'PUT', path: '/v1/tax-rates/{id}', access: 'staff', permission: 'shop' },
  deleteTaxRate: { method: 'DELETE', path: '/v1/tax-rates/{id}', access: 'staff', permission: 'shop' },
  previewCharges: { method: 'POST', path: '/v1/charges/preview', access: 'staff', permission: 'shop' },
  listCoupons: { method: 'GET', path: '/v1/coupons', access: 'staff', permission: 'shop' },
  saveCoupon: { method: 'PUT', path: '/v1/coupons/{id}', access: 'staff', permission: 'shop' },
  listSizeCharts: { method: 'GET', path: '/v1/size-charts', access: 'staff', permission: 'catalog' },
  getSizeChart: { method: 'GET', path: '/v1/size-charts/{id}', access: 'staff', permission: 'catalog' },
  saveSizeChart: { method: 'PUT', path: '/v1/size-charts/{id}', access: 'staff', permission: 'catalog' },
  deleteSizeChart: { method: 'DELETE', path: '/v1/size-charts/{id}', access: 'staff', permission: 'catalog' },
  saveCertificates: {
    method: 'PUT',
    path: '/v1/products/{id}/certificates',
    access: 'staff',
    permission: 'catalog',
  },
  savePictures: { method: 'PUT', path: '/v1/products/{id}/pictures', access: 'staff', permission: 'catalog' },
  listPartNumbers: {
    method: 'GET',
    path: '/v1/products/{id}/part-numbers',
    access: 'staff',
    permission: 'catalog',
  },
  savePartNumbers: {
    method: 'PUT',
    path: '/v1/products/{id}/part-numbers',
    access: 'staff',
    permission: 'catalog',
  },
  addBikes: { method: 'POST', path: '/v1/bikes', access: 'staff', permission: 'catalog' },
  removeBikes: { method: 'DELETE', path: '/v1/bikes', access: 'staff', permission: 'catalog' },
  listBikes: { method: 'GET', path: '/v1/bikes', access: 'public', cache: true },
  saveMake: { method: 'PUT', path: '/v1/makes/{make}', access: 'staff', permission: 'catalog' },
  saveModel: {
    method: 'PUT',
    path: '/v1/makes/{make}/models/{model}',
    access: 'staff',
    permission: 'catalog',
  },
  getFit: { method: 'GET', path: '/v1/fitment', access: 'public', cache: true },
  listFits: { method: 'GET', path: '/v1/fits', access: 'public', cache: true },
  suggest: { method: 'GET', path: '/v1/suggestions', access: 'public', cache: true },
  searchBikes: { method: 'GET', path: '/v1/bikes/search', access: 'public', cache: true },
  listFitments: { method: 'GET', path: '/v1/products/{id}/fitments', access: 'public', cache: true },
  saveFitments: {
    method: 'PUT',
    path: '/v1/products/{id}/fitments',
    access: 'staff',
    permission: 'catalog',
    maxBodyBytes: 1024 * 1024,
  },
  listFitKinds: { method: 'GET', path: '/v1/fit-kinds', access: 'staff', permission: 'catalog' },
  setFitKind: { method: 'PUT', path: '/v1/fit-kinds', access: 'staff', permission: 'catalog' },
  checkOut: { method: 'POST', path: '/v1/orders', access: 'public' },
  placePhoneOrder: { method: 'POST', path: '/v1/phone-orders', access: 'staff', permission: 'orders' },
  sendPaymentLink: {
    method: 'POST',
    path: '/v1/orders/{id}/payment-link',
    access: 'staff',
    permission: 'orders',
  },
  listWork: { method: 'GET', path: '/v1/orders', access: 'staff', permission: 'orders' },
  countWork: { method: 'GET', path: '/v1/orders/counts', access: 'staff', permission: 'orders' },
  exportOrderLines: { method: 'GET', path: '/v1/order-lines.csv', access: 'staff', permission: 'orders' },
  getOrderDetails: {
    method: 'GET',
    path: '/v1/orders/{id}',
    access: 'owner-staff-or-key',
    permission: 'orders',
  },
  cancelOrder: {
    method: 'DELETE',
    path: '/v1/orders/{id}',
    access: 'owner-staff-or-key',
    permission: 'cancel',
  },
  refundOrder: { method: 'POST', path: '/v1/orders/{id}/refunds', access: 'staff', permission: 'refunds' },
  requestReturn: { method: 'POST', path: '/v1/orders/{id}/returns', access: 'owner-or-key' },
  listReturns: { method: 'GET', path: '/v1/returns', access: 'staff', permission: 'orders' },
  decideReturn: { method: 'PATCH', path: '/v1/returns/{id}', access: 'staff', permission: 'refunds' },
  withdraw: { method: 'POST', path: '/v1/withdrawals', access: 'public' },
  closeRefund: { method: 'PATCH', path: '/v1/refunds/{id}', access: 'staff', permission: 'refunds' },
  issueInvoice: {
    method: 'POST',
    path: '/v1/orders/{id}/invoices',
    access: 'owner-staff-or-key',
    permission: 'orders',
  },
  shipOrder: { method: 'POST', path: '/v1/orders/{id}/shipments', access: 'staff', permission: 'ship' },
  takePackingSlips: { method: 'POST', path: '/v1/packing-slips', access: 'staff', permission: 'ship' },
  editShipment: { method: 'PUT', path: '/v1/shipments/{id}', access: 'staff', permission: 'ship' },
  setBackShipment: { method: 'DELETE', path: '/v1/shipments/{id}', access: 'staff', permission: 'ship' },
  openOrderPayment: { method: 'POST', path: '/v1/orders/{id}/payment', access: 'owner-or-key' },
  confirmOrderPayment: { method: 'PATCH', path: '/v1/orders/{id}/payment', access: 'owner-or-key' },
  countGuestOrders: { method: 'GET', path: '/v1/me/orders/claim', access: 'signed-in' },
  claimGuestOrders: { method: 'POST', path: '/v1/me/orders/claim', access: 'signed-in' },
  searchPastOrders: { method: 'GET', path: '/v1/past-orders', access: 'staff', permission: 'orders' },
  listPastOrders: { method: 'GET', path: '/v1/me/past-orders', access: 'signed-in' },
  setOrderOptions: { method: 'PUT', path: '/v1/orders/{id}/options', access: 'owner' },
  addPicture: {
    method: 'POST',
    path: '/v1/pictures',
    access: 'staff',
    permission: 'catalog',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
  },
  listPictureDownloads: {
    method: 'GET',
    path: '/v1/picture-downloads',
    access: 'staff',
    permission: 'catalog',
  },
  assignPicture: { method: 'PUT', path: '/v1/picture-downloads', access: 'staff', permission: 'catalog' },
  retryPictureDownloads: {
    method: 'POST',
    path: '/v1/picture-downloads/retry',
    access: 'staff',
    permission: 'catalog',
  },
  addPhoto: {
    method: 'POST',
    path: '/v1/me/photo',
    access: 'signed-in',
    upload: { types: [...pictureTypes, 'application/octet-stream'], maxBytes: maxPictureBytes },
  },
  listDocuments: { method: 'GET', path: '/v1/documents', access: 'staff', permission: 'content' },
  addDocument: {
    method: 'POST',
    path: '/v1/documents',
    access: 'staff',
    permission: 'content',
    maxBodyBytes: 512 * 1024,
  },
  getDocument: { method: 'GET', path: '/v1/documents/{id}', access: 'staff', permission: 'content' },
  saveDocument: {
    method: 'PUT',
    path: '/v1/documents/{id}',
    access: 'staff',
    permission: 'content',
    maxBodyBytes: 512 * 1024,
  },
  archiveDocument: { method: 'DELETE', path: '/v1/documents/{id}', access: 'staff', permission: 'content' },
  discardDraft: {
    method: 'DELETE',
    path: '/v1/documents/{id}/draft',
    access: 'staff',
    permission: 'content',
  },
  publishDocument: {
    method: 'POST',
    path: '/v1/documents/{id}/publication',
    access: 'staff',
    permission: 'content',
  },
  unscheduleDocument: {
    method: 'DELETE',
    path: '/v1/documents/{id}/publication',
    access: 'staff',
    permission: 'content',
  },
  getDocumentVersion: {
    method: 'GET',
    path: '/v1/documents/{id}/versions/{number}',
    access: 'staff',
    permission: 'content',
  },
  renderMarkdown: {
    method: 'POST',
    path: '/v1/markdown',
    access: 'staff',
    permission: 'content',
    readsOnly: true,
    maxBodyBytes: 512 * 1024,
  },
  listRedirects: { method: 'GET', path: '/v1/redirects', access: 'staff', permission: 'content' },
  saveRedirect: { method: 'PUT', path: '/v1/redirects', access: 'staff', permission: 'content' },
  deleteRedirect: { method: 'DELETE', path: '/v1/redirects', access: 'staff', permission: 'content' },
  listRefunds: { method: 'GET', path: '/v1/refunds', access: 'staff', permission: 'orders' },
  exportRefunds: { method: 'GET', path: '/v1/refunds.csv', access: 'staff', permission: 'orders' },
  search: { method: 'GET', path: '/v1/search', access: 'staff', permission: 'orders' },
  getCustomer: { method: 'GET', path: '/v1/customers/{email}', access: 'staff', permission: 'customers' },
  addNote: { method: 'POST', path: '/v1/notes', access: 'staff', permission: 'orders' },
  removeNote: { method: 'DELETE', path: '/v1/notes/{id}', access: 'staff', permission: 'orders' },
  getToday: { method: 'GET', path: '/v1/today', access: 'staff', permission: 'orders' },
  scan: { method: 'GET', path: '/v1/scan', access: 'staff', permission: ['orders', 'catalog'] },
  listEmails: { method: 'GET', path: '/v1/emails', access: 'staff', permission: 'customers' },
  retryEmail: { method: 'POST', path: '/v1/emails/{id}/retry', access: 'staff', permission: 'customers' },
  deleteEmail: { method: 'DELETE', path: '/v1/emails/{id}', access: 'staff', permission: 'customers' },
  listAudit: { method: 'GET', path: '/v1/audit', access: 'staff', permission: 'shop' },
  exportProducts: { method: 'GET', path: '/v1/products.csv', access: 'staff', permission: 'catalog' },
  exportFitments: { method: 'GET', path: '/v1/fitments.csv', access: 'staff', permission: 'catalog' },
  exportBikes: { method: 'GET', path: '/v1/bikes.csv', access: 'staff', permission: 'catalog' },
  exportPartNumbers: { method: 'GET', path: '/v1/part-numbers.csv', access: 'staff', permission: 'catalog' },
  checkImport: {
    method: 'POST',
    path: '/v1/imports',
    access: 'staff',
    permission: 'catalog',
    upload: { types: productFileTypes, maxBytes: maxProductFileBytes, streamed: true },
  },
  previewImport: {
    method: 'POST',
    path: '/v1/imports/preview',
    access: 'staff',
    permission: 'catalog',
    readsOnly: true,
    upload: { types: productFileTypes, maxBytes: maxPreviewBytes },
  },
  getImport: { method: 'GET', path: '/v1/imports/{id}', access: 'staff', permission: 'catalog' },
  runImport: { method: 'POST', path: '/v1/imports/{id}/run', access: 'staff', permission: 'catalog' },
  cancelImport: { method: 'DELETE', path: '/v1/imports/{id}/run', access: 'staff', permission: 'catalog' },
  exportWrongRows: {
    method: 'GET',
    path: '/v1/imports/{id}/left-out.csv',
    access: 'staff',
    permission: 'catalog',
  },
  listImports: { method: 'GET', path: '/v1/imports', access: 'staff', permission: 'catalog' },
  getDeliveryNote: {
    method: 'GET',
    path: '/v1/imports/{id}/delivery-note',
    access: 'staff',
    permission: 'catalog',
  },
  undoImport: { method: 'POST', path: '/v1/imports/{id}/undo', access: 'staff', permission: 'catalog' },
  listSuppliers: { method: 'GET', path: '/v1/suppliers', access: 'staff', permission: 'catalog' },
  saveSupplierFile: {
    method: 'PUT',
    path: '/v1/suppliers/{name}/files/{kind}',
    access: 'staff',
    permission: 'catalog',
  },
  bookReceipt: {
    method: 'POST',
    path: '/v1/receipts',
    access: 'staff',
    permission: 'catalog',
    maxBodyBytes: 512 * 1024,
  },
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
  getSettings: { method: 'GET', path: '/v1/settings/{name}', access: 'staff', permission: 'shop' },
  saveShopSettings: { method: 'PUT', path: '/v1/settings/shop', access: 'staff', permission: 'shop' },
  saveBrandSettings: { method: 'PUT', path: '/v1/settings/brand', access: 'staff', permission: 'shop' },
  saveFooterSettings: { method: 'PUT', path: '/v1/settings/footer', access: 'staff', permission: 'shop' },
  saveHomeSettings: { method: 'PUT', path: '/v1/settings/home', access: 'staff', permission: 'shop' },
  saveEmailSettings: { method: 'PUT', path: '/v1/settings/emails', access: 'staff', permission: 'shop' },
  resetSettings: { method: 'DELETE', path: '/v1/settings/{name}', access: 'staff', permission: 'shop' },
  getSetup: { method: 'GET', path: '/v1/setup', access: 'staff', permission: 'shop' },
  removePlaceholders: {
    method: 'DELETE',
    path: '/v1/placeholders',
    access: 'staff',
    permission: 'shop',
  },
  previewEmail: {
    method: 'POST',
    path: '/v1/emails/preview',
    access: 'staff',
    permission: 'shop',
    readsOnly: true,
  },
  testEmail: { method: 'POST', path: '/v1/emails/test', access: 'staff', permission: 'shop' },
  removeAdmin: { method: 'DELETE', path: '/v1/admins/{email}', access: 'staff', permission: 'staff' },
  getTwoStep: { method: 'GET', path: '/v1/me/two-step', access: 'signed-in' },
  startTwoStep: { method: 'POST', path: '/v1/me/two-step', access: 'signed-in' },
  confirmTwoStep: { method: 'POST', path: '/v1/me/two-step/confirm', access: 'signed-in' },
  removeTwoStep: { method: 'DELETE', path: '/v1/me/two-step', access: 'signed-in' },
  passTwoStep: { method: 'POST', path: '/v1/two-step', access: 'signed-in' },
  setTwoStepPolicy: { method: 'PUT', path: '/v1/two-step-policy', access: 'staff', permission: 'owners' },
  resetTwoStep: {
    method: 'DELETE',
    path: '/v1/staff/{email}/two-step',
    access: 'staff',
    permission: 'owners',
  },
  listStaff: { method: 'GET', path: '/v1/staff', access: 'staff', permission: 'staff' },
  changeRole: { method: 'PUT', path: '/v1/staff/{email}', access: 'staff', permission: 'staff' },
  addInvitation: { method: 'POST', path: '/v1/invitations', access: 'staff', permission: 'staff' },
  resendInvitation: {
    method: 'POST',
    path: '/v1/invitations/{id}/resend',
    access: 'staff',
    permission: 'staff',
  },
  revokeInvitation: { method: 'DELETE', path: '/v1/invitations/{id}', access: 'staff', permission: 'staff' },
  readInvitation: { method: 'POST', path: '/v1/invitations/read', access: 'public', readsOnly: true },
  acceptInvitation: { method: 'POST', path: '/v1/invitations/accept', access: 'signed-in' },
  signOut: { method: 'POST', path: '/v1/sign-out', access: 'signed-in' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
