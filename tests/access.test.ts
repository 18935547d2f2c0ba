import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type StaffRole, staffRoles } from '../contract/permissions.ts'
import { type Access, type Route, type RouteName, routes } from '../contract/routes.ts'
import { saveSynonyms } from '../server/modules/catalog/synonyms/service.ts'
import { requireCustomerByEmail } from '../server/modules/customers/service.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import * as pricing from '../server/modules/pricing/service.ts'
import type { CallOptions } from './call.ts'
import {
  aBike,
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAddress,
  anAdmin,
  anOrder,
  aPhoneOrder,
  aProduct,
  aSizeChart,
  aStaffMember,
  payAtSandbox,
  readProductEtag,
  signedIn,
  someAddress,
  someSizeChart,
  type TestCustomer,
} from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { callsByPermission, rolesByPermission } from './staff-calls.ts'
import { setUpTwoStep } from './two-step.ts'

const secret = 'the secret of this shop, which is long enough'
let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop({ secret })
})
afterAll(() => shop.close())

/** The records that the calls refer to. */
interface Scene {
  owner: TestCustomer
  orderId: string
  productId: string
  importId: string
  addressId: string
  bikeId: number
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const someTaxRate = { place: 'US-NY', label: 'Sales tax', rate: 4, included: false, taxesShipping: false }

const editedDocument = { slug: 'terms', title: 'Terms', summary: '', category: '', image: '', body: 'Text' }
const someDocument = { kind: 'page', ...editedDocument } as const

/** Valid input for each call, so that only its access rule can reject it. */
const requests: { [Name in RouteName]: (scene: Scene) => CallOptions } = {
  listProducts: () => ({}),
  getProduct: ({ productId }) => ({ params: { id: productId } }),
  listReviews: () => ({}),
  exchangeIdToken: ({ owner }) => ({
    params: { email: owner.email },
    body: { email: owner.email, idToken: 'x.y.z' },
  }),
  getUser: ({ owner }) => ({ query: { email: owner.email } }),
  updateProfile: ({ owner }) => ({ params: { email: owner.email }, body: { phone: '555' } }),
  makeAdmin: ({ owner }) => ({ params: { email: owner.email }, body: { role: 'admin' } }),
  removeAdmin: ({ owner }) => ({ params: { email: owner.email } }),
  getTwoStep: () => ({}),
  startTwoStep: () => ({}),
  confirmTwoStep: () => ({ body: { code: '123456' } }),
  removeTwoStep: () => ({ body: { code: '123456' } }),
  passTwoStep: () => ({ body: { code: '123456' } }),
  setTwoStepPolicy: () => ({ body: { staff: 'off' } }),
  resetTwoStep: ({ owner }) => ({ params: { email: owner.email } }),
  listOrders: ({ owner }) => ({ query: { email: owner.email } }),
  getOrder: ({ orderId }) => ({ query: { id: orderId } }),
  refundOrder: ({ orderId }) => ({
    params: { id: orderId },
    headers: { 'idempotency-key': randomUUID() },
    body: { lines: [{ line: 1, amount: 1 }], reason: 'A scratch' },
  }),
  requestReturn: ({ orderId }) => ({
    params: { id: orderId },
    body: { lines: [{ line: 1, pieces: 1, reason: 'damaged' }] },
  }),
  listReturns: () => ({}),
  decideReturn: () => ({ params: { id: 'r2' }, body: { status: 'closed' } }),
  withdraw: () => ({ body: { orderNumber: 'a1b2c3', email: 'ada@example.com', name: 'Ada' } }),
  closeRefund: () => ({ params: { id: 'r1' }, body: { note: 'Bank transfer' } }),
  shipOrder: ({ orderId }) => ({ params: { id: orderId }, body: { trackingNumbers: ['1Z'] } }),
  takePackingSlips: () => ({ body: { next: 1 } }),
  setBackShipment: () => ({ params: { id: 's1' }, body: { reason: 'A mistake' } }),
  getToday: () => ({}),
  scan: () => ({ query: { code: '40170725' } }),
  bookReceipt: ({ productId }) => ({
    headers: { 'idempotency-key': randomUUID() },
    body: { kind: 'delivery', lines: [{ variantId: productId, quantity: 1 }] },
  }),
  listEmails: () => ({}),
  retryEmail: () => ({ params: { id: 'm1' } }),
  deleteEmail: () => ({ params: { id: 'm1' } }),
  editShipment: () => ({ params: { id: 's1' }, body: { trackingNumbers: [] } }),
  confirmPurchase: ({ productId }) => ({
    body: { productId, quantity: 1, amount: 40, customerAddress: '1 Road' },
  }),
  updateProduct: ({ productId }) => ({ params: { id: productId }, body: { quantity: 5 } }),
  deleteOrder: ({ orderId }) => ({ query: { id: orderId } }),
  updateShipping: ({ orderId }) => ({ params: { id: orderId }, body: { shipping: 'Shipped' } }),
  addReview: () => ({ body: { review: 'Good.' } }),
  listUsers: () => ({}),
  addProduct: () => ({
    body: {
      name: 'Chain',
      price: 9,
      quantity: 1,
      minimum: 1,
      description: 'x',
      image: 'https://x.example/y.png',
    },
  }),
  listAllProducts: () => ({}),
  changeProducts: ({ productId }) => ({
    body: { selection: { ids: [productId] }, change: { hidden: true } },
  }),
  getAnyProduct: ({ productId }) => ({ params: { id: productId } }),
  hideProduct: ({ productId }) => ({ params: { id: productId }, body: { hidden: true } }),
  restoreProduct: ({ productId }) => ({ params: { id: productId } }),
  getEditableProduct: ({ productId }) => ({ params: { id: productId } }),
  editProduct: ({ productId }) => ({
    params: { id: productId },
    headers: { 'if-match': '"x"' },
    body: { name: 'Chain', price: 9, minimum: 1, description: 'x', image: '/pictures/chain.svg' },
  }),
  listVariants: ({ productId }) => ({ params: { id: productId } }),
  saveVariants: ({ productId }) => ({
    params: { id: productId },
    headers: { 'if-match': '"x"' },
    body: { options: 'none', variants: [{ id: productId }] },
  }),
  listBrands: () => ({}),
  getBrand: () => ({ params: { name: 'Corvane' } }),
  saveBrand: () => ({ params: { name: 'Corvane' }, body: { name: 'Corvane Helmets' } }),
  listSizeCharts: () => ({}),
  getSizeChart: () => ({ params: { id: 'c1' } }),
  listAttributes: () => ({}),
  saveAttributes: () => ({
    params: { kind: 'Chains' },
    body: { attributes: [{ name: 'Links', type: 'number' }], revision: '' },
  }),
  saveProductAttributes: ({ productId }) => ({
    params: { id: productId },
    headers: { 'if-match': '"x"' },
    body: { attributes: {} },
  }),
  listSynonyms: () => ({}),
  saveSynonyms: () => ({ params: { id: randomUUID() }, body: { phrases: ['sissy bar', 'backrest'] } }),
  deleteSynonyms: () => ({ params: { id: 'e1' } }),
  getSettings: () => ({ params: { name: 'shop' } }),
  saveShopSettings: () => ({ headers: { 'if-match': '"0"' }, body: { name: 'Held Out Motos' } }),
  saveBrandSettings: () => ({ headers: { 'if-match': '"0"' }, body: { accent: '#0a7a5c' } }),
  saveFooterSettings: () => ({ headers: { 'if-match': '"0"' }, body: { columns: [] } }),
  saveHomeSettings: () => ({ headers: { 'if-match': '"0"' }, body: { button: 'All parts' } }),
  saveEmailSettings: () => ({
    headers: { 'if-match': '"0"' },
    body: { 'order-received': { subject: 'Thank you' } },
  }),
  resetSettings: () => ({ params: { name: 'shop' }, headers: { 'if-match': '"0"' } }),
  getSetup: () => ({}),
  removePlaceholders: () => ({}),
  previewEmail: () => ({ body: { kind: 'order-received' } }),
  testEmail: () => ({ body: { kind: 'order-received' } }),
  listDocuments: () => ({}),
  addDocument: () => ({ body: { ...someDocument, slug: `page-${randomUUID()}` } }),
  getDocument: () => ({ params: { id: 'd1' } }),
  saveDocument: () => ({ params: { id: 'd1' }, headers: { 'if-match': '"x"' }, body: editedDocument }),
  archiveDocument: () => ({ params: { id: 'd1' } }),
  discardDraft: () => ({ params: { id: 'd1' } }),
  publishDocument: () => ({ params: { id: 'd1' }, headers: { 'if-match': '"x"' }, body: {} }),
  unscheduleDocument: () => ({ params: { id: 'd1' } }),
  getDocumentVersion: () => ({ params: { id: 'd1', number: '1' } }),
  renderMarkdown: () => ({ body: { body: '# Terms' } }),
  listRedirects: () => ({}),
  saveRedirect: () => ({ body: { path: '/old', target: '/products' } }),
  deleteRedirect: () => ({ query: { path: '/old' } }),
  listShippingRates: () => ({}),
  saveShippingRate: () => ({
    params: { id: randomUUID() },
    body: { name: 'Standard', places: [], price: 0, position: 0 },
  }),
  deleteShippingRate: () => ({ params: { id: 'f1' } }),
  listTaxRates: () => ({}),
  saveTaxRate: () => ({ params: { id: randomUUID() }, body: { ...someTaxRate, place: 'US-CA' } }),
  deleteTaxRate: () => ({ params: { id: 'f2' } }),
  suggest: () => ({ query: { q: 'chain' } }),
  previewCharges: () => ({ body: { goods: 100, place: 'US-NY' } }),
  listCoupons: () => ({}),
  saveCoupon: () => ({
    params: { id: randomUUID() },
    body: { code: 'SUMMER', kind: 'percent', rate: 10, oncePerBuyer: false },
  }),
  saveSizeChart: () => ({ params: { id: 'c1' }, body: someSizeChart }),
  deleteSizeChart: () => ({ params: { id: 'c1' } }),
  listPartNumbers: ({ productId }) => ({ params: { id: productId } }),
  savePartNumbers: ({ productId }) => ({
    params: { id: productId },
    body: { numbers: [], revision: 'x' },
  }),
  saveCertificates: ({ productId }) => ({
    params: { id: productId },
    headers: { 'if-match': '"x"' },
    body: { certificates: [] },
  }),
  savePictures: ({ productId }) => ({
    params: { id: productId },
    headers: { 'if-match': '"x"' },
    body: { pictures: [{ image: '/pictures/chain.svg' }] },
  }),
  deleteProduct: ({ productId }) => ({ query: { id: productId } }),
  createPaymentIntent: ({ orderId }) => ({ body: { orderId, amount: 40 } }),
  payOrder: ({ orderId }) => ({ params: { id: orderId }, body: { transactionId: 'pi_invented' } }),
  countProducts: () => ({}),
  addBikes: () => ({ body: { make: 'Hayashi', model: 'K6', yearFrom: 2012 } }),
  removeBikes: () => ({ query: { make: 'hayashi', model: 'k6', yearFrom: '2012' } }),
  listBikes: () => ({}),
  saveMake: () => ({ params: { make: 'hayashi' }, body: { name: 'Hayashi' } }),
  saveModel: () => ({ params: { make: 'hayashi', model: 'k6' }, body: { name: 'K6' } }),
  getFit: ({ productId, bikeId }) => ({ query: { product: productId, bike: bikeId } }),
  listFits: ({ productId, bikeId }) => ({ query: { product: productId, bike: bikeId } }),
  searchBikes: () => ({ query: { q: '2009 r6' } }),
  listFitments: ({ productId }) => ({ params: { id: productId } }),
  saveFitments: ({ productId }) => ({
    params: { id: productId },
    body: { fitKind: 'vehicle', complete: false, fitments: [], revision: 'x' },
  }),
  listFitKinds: () => ({}),
  setFitKind: () => ({ body: { kind: 'Helmets', fitKind: 'gear' } }),
  checkOut: ({ productId }) => ({
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout([{ variantId: productId, quantity: 1, unitPrice: 40, size: 'M', colour: 'Red' }]),
  }),
  placePhoneOrder: ({ productId }) => ({
    headers: { 'idempotency-key': randomUUID() },
    body: {
      ...aCheckout([{ variantId: productId, quantity: 1, unitPrice: 40, size: 'M', colour: 'Red' }]),
      email: 'caller@example.com',
      payWithinDays: 7,
    },
  }),
  sendPaymentLink: ({ orderId }) => ({ params: { id: orderId }, body: {} }),
  listWork: () => ({ query: { tab: 'to-ship' } }),
  countWork: () => ({}),
  exportOrderLines: () => ({}),
  getOrderDetails: ({ orderId }) => ({ params: { id: orderId } }),
  cancelOrder: ({ orderId }) => ({ params: { id: orderId } }),
  issueInvoice: ({ orderId }) => ({ params: { id: orderId }, body: {} }),
  openOrderPayment: ({ orderId }) => ({ params: { id: orderId } }),
  confirmOrderPayment: ({ orderId }) => ({ params: { id: orderId }, body: { transactionId: 'pi_invented' } }),
  countGuestOrders: () => ({}),
  claimGuestOrders: () => ({}),
  setOrderOptions: ({ orderId }) => ({ params: { id: orderId }, body: { size: 'M' } }),
  exportProducts: () => ({}),
  exportFitments: () => ({}),
  exportBikes: () => ({}),
  exportPartNumbers: () => ({}),
  checkImport: () => ({
    query: { fileName: 'a.csv' },
    body: Buffer.from('sku\n'),
    headers: { 'content-type': 'text/csv' },
  }),
  previewImport: () => ({ body: Buffer.from('sku\n'), headers: { 'content-type': 'text/csv' } }),
  getImport: ({ importId }) => ({ params: { id: importId } }),
  runImport: ({ importId }) => ({ params: { id: importId } }),
  cancelImport: ({ importId }) => ({ params: { id: importId } }),
  exportWrongRows: ({ importId }) => ({ params: { id: importId } }),
  listImports: () => ({}),
  getDeliveryNote: ({ importId }) => ({ params: { id: importId } }),
  undoImport: ({ importId }) => ({ params: { id: importId } }),
  listSuppliers: () => ({}),
  saveSupplierFile: () => ({
    params: { name: 'Grauwerk', kind: 'products' },
    body: { columns: { preis: 'price' }, encoding: 'auto', mode: 'existing' },
  }),
  addPhoto: () => ({ body: onePixel, headers: { 'content-type': 'image/png' } }),
  addPicture: () => ({ body: onePixel, headers: { 'content-type': 'image/png' } }),
  searchPastOrders: () => ({ query: { q: '#1001' } }),
  listPastOrders: () => ({}),
  listPictureDownloads: () => ({}),
  assignPicture: () => ({
    body: {
      url: 'https://cdn.example/a.jpg',
      image: `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`,
    },
  }),
  retryPictureDownloads: () => ({}),
  listAddresses: () => ({}),
  getLastAddress: () => ({}),
  addAddress: () => ({ body: someAddress }),
  updateAddress: ({ addressId }) => ({ params: { id: addressId }, body: someAddress }),
  deleteAddress: ({ addressId }) => ({ params: { id: addressId } }),
  quoteCart: ({ productId }) => ({ body: { lines: [{ variantId: productId, quantity: 1 }] } }),
  getCart: () => ({}),
  setCartLine: ({ productId }) => ({
    params: { variantId: productId },
    body: { quantity: 1, size: 'M', colour: 'Red' },
  }),
  mergeCart: ({ productId }) => ({ body: { lines: [{ variantId: productId, quantity: 1 }] } }),
  getGarage: () => ({}),
  setGarageBike: ({ bikeId }) => ({ params: { bikeId }, body: { current: true } }),
  removeGarageBike: ({ bikeId }) => ({ params: { bikeId } }),
  mergeGarage: ({ bikeId }) => ({ body: { bikes: [bikeId], current: bikeId } }),
  listRefunds: () => ({}),
  search: () => ({ query: { q: 'robin' } }),
  getCustomer: ({ owner }) => ({ params: { email: owner.email } }),
  addNote: ({ orderId }) => ({ body: { orderId, body: 'Calls back #waiting' } }),
  removeNote: () => ({ params: { id: 'n1' } }),
  listAudit: () => ({}),
  listStaff: () => ({}),
  changeRole: ({ owner }) => ({ params: { email: owner.email }, body: { role: 'packer' } }),
  addInvitation: () => ({ body: { email: 'new@example.com', role: 'packer' } }),
  resendInvitation: () => ({ params: { id: 'i1' } }),
  revokeInvitation: () => ({ params: { id: 'i1' } }),
  readInvitation: () => ({ body: { token: 'none' } }),
  acceptInvitation: () => ({ body: { token: 'none' } }),
  signOut: () => ({}),
}

/** Pays the order at the sandbox. Returns the input of the call that settles it. */
async function paid({ owner, orderId }: Scene): Promise<CallOptions> {
  const { body } = await shop.call('createPaymentIntent', { as: owner, body: { orderId, amount: 40 } })
  const { intentId } = await payAtSandbox(shop, body.client_secret)
  return { params: { id: orderId }, body: { transactionId: intentId } }
}

const presentProduct = async ({ productId }: Scene) => ({
  'if-match': await readProductEtag(shop, await anAdmin(shop), productId),
})

/** Adds a page. Returns its id and its ETag as the input of a call. */
async function presentDocument() {
  const as = await anAdmin(shop)
  const { body, headers } = await shop.call('addDocument', { as, body: someDocument })
  return { params: { id: body.id }, headers: { 'if-match': headers.get('etag') ?? '' } }
}

/** Input with which a call succeeds, if it depends on the present state. */
const presentRequests: { [Name in RouteName]?: (scene: Scene) => Promise<CallOptions> } = {
  sendPaymentLink: async () => {
    const { id } = await aPhoneOrder(shop, await anAdmin(shop))
    return { params: { id }, body: {} }
  },
  payOrder: paid,
  confirmOrderPayment: paid,
  refundOrder: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    return requests.refundOrder(scene)
  },
  issueInvoice: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    return requests.issueInvoice(scene)
  },
  closeRefund: async (scene) => {
    const refund = {
      id: 'r1',
      provider: 'stripe',
      intent_id: 'pi_1',
      order_id: scene.orderId,
      amount_cents: 1,
    }
    await shop.db
      .insertInto('refunds')
      .values({ ...refund, reason: '', status: 'failed', next_attempt_at: new Date() })
      .execute()
    return requests.closeRefund(scene)
  },
  requestReturn: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    await shop.call('updateShipping', { as: await anAdmin(shop), ...requests.updateShipping(scene) })
    return requests.requestReturn(scene)
  },
  decideReturn: async (scene) => {
    const typed = { order_number: 'a1b2c3', email: 'ada@example.com', name: 'Ada' }
    await shop.db
      .insertInto('returns')
      .values({ id: 'r2', is_withdrawal: true, ...typed })
      .execute()
    return requests.decideReturn(scene)
  },
  removeNote: async ({ orderId, owner }) => {
    const note = { id: 'n1', order_id: orderId, email: null, body: 'x', author_id: owner.id }
    await shop.db.insertInto('staff_notes').values(note).execute()
    return { params: { id: 'n1' } }
  },
  shipOrder: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    return requests.shipOrder(scene)
  },
  editShipment: async (scene) => {
    await shop.db
      .insertInto('shipments')
      .values({ id: 's1', order_id: scene.orderId, is_partial: false })
      .execute()
    return requests.editShipment(scene)
  },
  setBackShipment: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    const { body } = await shop.call('shipOrder', { as: await anAdmin(shop), ...requests.shipOrder(scene) })
    return { ...requests.setBackShipment(scene), params: { id: body.id } }
  },
  resendInvitation: anInvitation,
  revokeInvitation: anInvitation,
  retryEmail: async (scene) => {
    await aFailedEmail(scene)
    return requests.retryEmail(scene)
  },
  deleteEmail: async (scene) => {
    await aFailedEmail(scene)
    return requests.deleteEmail(scene)
  },
  updateShipping: async (scene) => {
    await shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
    return requests.updateShipping(scene)
  },
  getDocument: presentDocument,
  archiveDocument: presentDocument,
  discardDraft: presentDocument,
  unscheduleDocument: presentDocument,
  publishDocument: async () => ({ ...(await presentDocument()), body: {} }),
  saveDocument: async () => ({ ...(await presentDocument()), body: editedDocument }),
  getDocumentVersion: async () => ({ params: { ...(await presentDocument()).params, number: '1' } }),
  deleteRedirect: async (scene) => {
    await shop.call('saveRedirect', { as: await anAdmin(shop), ...requests.saveRedirect(scene) })
    return requests.deleteRedirect(scene)
  },
  deleteTaxRate: async () => {
    await pricing.saveTaxRate(shop.db, 'f2', someTaxRate, null)
    return { params: { id: 'f2' } }
  },
  cancelImport: async ({ importId }) => {
    await shop.db.updateTable('product_imports').set({ scheduled_for: new Date() }).execute()
    return { params: { id: importId } }
  },
  exportWrongRows: async ({ importId }) => {
    const wrong = { import_id: importId, row: 2, cells: '[]', errors: '[]' }
    await shop.db.insertInto('wrong_import_rows').values(wrong).execute()
    return { params: { id: importId } }
  },
  getDeliveryNote: async ({ importId }) => {
    await shop.db.updateTable('product_imports').set({ mode: 'deliveries' }).execute()
    return { params: { id: importId } }
  },
  undoImport: async () => {
    const imported = { id: 'imported', file_name: 'a.csv', changed: 1, batch_count: 1, next_batch: 1 }
    await shop.db
      .insertInto('product_imports')
      .values({ ...imported, state: 'done' })
      .execute()
    return { params: { id: imported.id } }
  },
  editProduct: async (scene) => ({ ...requests.editProduct(scene), headers: await presentProduct(scene) }),
  saveCertificates: async (scene) => ({
    ...requests.saveCertificates(scene),
    headers: await presentProduct(scene),
  }),
  savePictures: async (scene) => ({
    ...requests.savePictures(scene),
    headers: await presentProduct(scene),
  }),
  saveProductAttributes: async (scene) => ({
    ...requests.saveProductAttributes(scene),
    headers: await presentProduct(scene),
  }),
  saveVariants: async (scene) => {
    const params = { id: scene.productId }
    const { headers } = await shop.call('listVariants', { as: await anAdmin(shop), params })
    return { ...requests.saveVariants(scene), headers: { 'if-match': headers.get('etag') ?? '' } }
  },
  assignPicture: async (scene) => {
    const { url, image } = requests.assignPicture(scene).body as { url: string; image: string }
    const hash = image.slice('/pictures/uploaded/'.length, -'-320.jpeg'.length)
    const download = { url, product_ids: [scene.productId], hosts: [], requested_by: scene.owner.id }
    await shop.db.insertInto('picture_downloads').values(download).execute()
    await shop.db.insertInto('pictures').values({ hash, widest: 320 }).execute()
    return requests.assignPicture(scene)
  },
  saveFitments: async ({ productId }) => {
    const { revision } = (await shop.call('listFitments', { params: { id: productId } })).body
    const k6 = { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }
    const body = { fitKind: 'vehicle', complete: false, fitments: [k6], revision }
    return { params: { id: productId }, body }
  },
  savePartNumbers: async ({ productId }) => {
    const as = await anAdmin(shop)
    const { revision } = (await shop.call('listPartNumbers', { as, params: { id: productId } })).body
    return {
      params: { id: productId },
      body: { numbers: [{ kind: 'supersedes', number: 'OLD-1' }], revision },
    }
  },
}

/** Creates a token for each kind of caller. */
const callers = {
  'no token': async () => undefined,
  'a malformed token': async () => ({ token: 'null.and.void' }),
  'a forged token': async ({ owner }: Scene) => {
    const forger = createAccessTokens({ secrets: ['another secret, which is just as long'] })
    return { token: await forger.sign({ customerId: owner.id, email: owner.email, tokenVersion: 1 }) }
  },
  'an unsigned token': async ({ owner }: Scene) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return {
      token: `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: owner.id, ver: 1, exp: 9_999_999_999 })}.`,
    }
  },
  'an ID token of our own': async ({ owner }: Scene) => ({
    token: await new SignJWT({ email: owner.email, ver: 1 })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(owner.id)
      .setExpirationTime('1 hour')
      .sign(new TextEncoder().encode(secret)),
  }),
  'an expired token': async ({ owner }: Scene) => {
    const past = createAccessTokens({ secrets: [secret], ttlSeconds: -1 })
    return { token: await past.sign({ customerId: owner.id, email: owner.email, tokenVersion: 1 }) }
  },
  'a token after the sign-out': async ({ owner }: Scene) => {
    await shop.call('signOut', { as: owner })
    return owner
  },
  'the customer': async ({ owner }: Scene) => owner,
  'another customer': async () => aCustomer(shop),
  // The first one owns the shop. The roles are compared below.
  'an admin': async () => anAdmin(shop),
  'an admin just demoted': async () => {
    const admin = await anAdmin(shop)
    await shop.db
      .updateTable('customers')
      .set({ role: null, is_owner: false })
      .where('id', '=', admin.id)
      .execute()
    return admin
  },
} satisfies Record<string, (scene: Scene) => Promise<{ token: string } | undefined>>

type CallerKind = keyof typeof callers

const thirdParties = ['another customer', 'an admin just demoted']
const unauthenticated: string[] = Object.keys(callers).slice(0, 7)

/** Adds an email about the order that has failed. */
async function aFailedEmail({ orderId }: Scene): Promise<void> {
  await shop.db
    .insertInto('mail_outbox')
    .values({
      id: 'm1',
      kind: 'order-received',
      email: 'ada@example.com',
      subject: orderId,
      expires_at: new Date(),
      failed_at: new Date(),
    })
    .execute()
}

/** Adds an open invitation. Returns the input of the calls that change it. */
async function anInvitation({ owner }: Scene): Promise<CallOptions> {
  const invitation = { id: 'i1', email: 'new@example.com', role: 'packer', invited_by: owner.id } as const
  await shop.db
    .insertInto('invitations')
    .values({ ...invitation, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  return { params: { id: invitation.id } }
}

/** Adds a checked import without rows. */
async function aCheckedFile(): Promise<string> {
  await shop.db
    .insertInto('product_imports')
    .values({ id: 'checked', file_name: 'a.csv', state: 'checked' })
    .execute()
  return 'checked'
}

/** Returns the status of the expected refusal, or null if the call is allowed. */
function toExpectedError(access: Access, caller: CallerKind): 401 | 403 | 404 | null {
  if (access === 'public') return null
  if (unauthenticated.includes(caller)) return 401
  const isThirdParty = thirdParties.includes(caller)
  const isAdmin = caller === 'an admin'
  switch (access) {
    case 'signed-in':
      return null
    case 'self':
      return isThirdParty || isAdmin ? 403 : null
    case 'self-or-staff':
      return isThirdParty ? 403 : null
    case 'owner':
    case 'owner-or-key':
      return isThirdParty || isAdmin ? 404 : null
    case 'owner-or-staff':
    case 'owner-staff-or-key':
      return isThirdParty ? 404 : null
    case 'staff':
      return isAdmin ? null : 403
  }
}

/** Empties the database and adds the records. */
async function makeScene(): Promise<Scene> {
  await shop.database.empty()
  const owner = await aCustomer(shop)
  const productId = await aProduct(shop, { options: 'standard' })
  const orderId = await anOrder(shop, owner, { productId })
  const addressId = await anAddress(shop, owner)
  await aSizeChart(shop, 'c1')
  await saveSynonyms(shop.db, 'e1', { phrases: ['sissy bar', 'backrest'] }, null)
  await pricing.saveShippingRate(shop.db, 'f1', { name: 'Standard', places: [], price: 0, position: 0 }, null)
  const bikeId = await aBike(shop)
  return { owner, productId, orderId, importId: await aCheckedFile(), addressId, bikeId }
}

/** Fresh records for the next call. */
let unchanged: Scene | undefined

describe.each(Object.keys(routes) as RouteName[])('%s', (name) => {
  const { access, method } = routes[name]

  test.each(Object.keys(callers) as CallerKind[])(`(${access}) by %s`, async (caller) => {
    const scene = unchanged ?? (await makeScene())
    unchanged = undefined
    const as = await callers[caller](scene)
    const error = toExpectedError(access, caller)
    const present = error === null ? presentRequests[name] : undefined
    const input = present ? await present(scene) : requests[name](scene)
    const { status, body } = await shop.call(name, { ...input, as })
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(error ?? toExpectedStatus(name, caller))
    const changesNothing = method === 'GET' || status >= 400
    if (changesNothing && caller !== 'a token after the sign-out') unchanged = scene
  })
})

/**
 * An allowed call succeeds. But `exchangeIdToken` rejects the invalid ID token in its body, `checkOut` needs a token or the
 * wish to order as a guest, this shop sends no email again, and the tokens of invitations are not valid.
 */
function toExpectedStatus(name: RouteName, caller: CallerKind): number {
  if (name === 'checkOut' && unauthenticated.includes(caller)) return 401
  if (name === 'retryEmail' || name === 'testEmail') return 503
  if (name === 'startTwoStep') return caller === 'an admin' ? 200 : 403
  // These callers have no two-step login.
  if (['confirmTwoStep', 'passTwoStep', 'removeTwoStep'].includes(name)) return 403
  if (name === 'readInvitation' || name === 'acceptInvitation') return 410
  return name === 'exchangeIdToken' ? 401 : 200
}

describe('the roles of staff', () => {
  const names = Object.keys(routes) as RouteName[]

  test('each call for staff needs the permission of the list, and no other call needs one', () => {
    const needed = names.flatMap((name) => {
      const { permission }: Route = routes[name]
      return [permission ?? []].flat().map((each) => `${each}: ${name}`)
    })
    const listed = Object.entries(callsByPermission).flatMap(([permission, calls]) =>
      calls.map((name) => `${permission}: ${name}`),
    )
    expect(needed.toSorted()).toEqual(listed.toSorted())
  })

  const mayCall = (name: RouteName, role: StaffRole) =>
    Object.entries(callsByPermission).some(
      ([permission, calls]) => calls.includes(name) && rolesByPermission[permission]?.includes(role),
    )

  const unknown: Record<string, string> = { email: 'nobody@example.com', name: 'x', kind: 'x', number: '0' }

  /** Input that no call carries out, so that only the access rule decides and nothing changes. */
  function toHopelessInput(name: RouteName): CallOptions {
    const { path, method, access, upload }: Route = routes[name]
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key)
    const params = Object.fromEntries(keys.map((key) => [key, unknown[key] ?? 'none']))
    const input = { params, query: { id: 'none', ...unknown } }
    if (method === 'GET' || method === 'DELETE') return input
    if (name === 'makeAdmin') return { ...input, body: { role: 'admin' } }
    if (upload) return { ...input, body: Buffer.from('none') }
    // The service decides about an order, after the input was read.
    return { ...input, body: access.startsWith('owner') ? {} : [] }
  }

  let staff: [StaffRole, TestCustomer][]
  beforeAll(async () => {
    await shop.database.empty()
    staff = await Promise.all(
      staffRoles.map(
        async (role): Promise<[StaffRole, TestCustomer]> => [role, await aStaffMember(shop, role)],
      ),
    )
  })

  test.each(names.filter((name) => 'permission' in routes[name]))(
    '%s is refused as in the list',
    async (name) => {
      const refusals = await Promise.all(
        staff.map(async ([role, as]) => {
          const { status, body } = await shop.call(name, { as, ...toHopelessInput(name) })
          return [role, status === 403 && body.code === 'NOT_ALLOWED']
        }),
      )
      expect(refusals).toEqual(staff.map(([role]) => [role, !mayCall(name, role)]))
    },
  )

  describe('before the second step', () => {
    /** Another sign-in of each person, who has two-step login. */
    let signIns: TestCustomer[]
    beforeAll(async () => {
      for (const [, as] of staff) await setUpTwoStep(shop, as)
      const again = async ({ email }: TestCustomer) =>
        signedIn(shop, await requireCustomerByEmail(shop.db, email))
      signIns = await Promise.all(staff.map(([, each]) => again(each)))
    })

    test.each(names.filter((name) => 'permission' in routes[name]))(
      '%s is refused to all of them',
      async (name) => {
        const replies = await Promise.all(
          signIns.map((as) => shop.call(name, { as, ...toHopelessInput(name) })),
        )
        expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
          signIns.map(() => [403, 'TWO_STEP_REQUIRED']),
        )
      },
    )
  })

  test('staff get the same status as customers from the other calls', async () => {
    const others = names.filter(
      (name) => !('permission' in routes[name]) && !['signOut', 'startTwoStep'].includes(name),
    )
    for (const name of others) {
      const [customer, ...replies] = await Promise.all(
        [await aCustomer(shop), ...staff.map(([, each]) => each)].map((as) =>
          shop.call(name, { as, ...toHopelessInput(name) }),
        ),
      )
      expect(replies.map(({ status }) => [name, status])).toEqual(replies.map(() => [name, customer?.status]))
    }
  })
})

describe('the key of a guest order', () => {
  beforeEach(() => shop.database.empty())

  const keyCalls = (Object.keys(routes) as RouteName[]).filter((name) =>
    routes[name].access.endsWith('-or-key'),
  )
  /** The header that each kind of guest sends, and whether it opens the order. */
  const guests: Record<
    string,
    { isAllowed: boolean; send: (order: GuestOrder) => Promise<Record<string, string>> }
  > = {
    'the key of the order': { isAllowed: true, send: async ({ headers }) => headers },
    'a wrong key': { isAllowed: false, send: async ({ key }) => ({ 'order-key': `${key.slice(0, -2)}AA` }) },
    'the key of another order': { isAllowed: false, send: async () => (await aGuestOrder(shop)).headers },
    'an expired key': {
      isAllowed: false,
      send: async ({ id, headers }) => {
        await shop.db.updateTable('orders').set({ key_version: 2 }).where('id', '=', id).execute()
        return headers
      },
    },
    'the key of an order that an account has claimed': {
      isAllowed: false,
      send: async ({ email, headers }) => {
        await shop.call('claimGuestOrders', { as: await aCustomer(shop, { email }) })
        return headers
      },
    },
    'a stale access token and the key': {
      isAllowed: true,
      send: async ({ headers }) => ({ ...headers, authorization: 'Bearer stale.stale.stale' }),
    },
  }
  type GuestOrder = Awaited<ReturnType<typeof aGuestOrder>>

  /** Sends the key of an order that a call can use in its state, if the key opens it. */
  const openWithKey = (name: RouteName, id: string, headers: Record<string, string>) =>
    shop.call(name, {
      params: { id },
      headers,
      ...(name === 'confirmOrderPayment' && { body: { transactionId: 'pi_invented' } }),
      ...(name === 'issueInvoice' && { body: {} }),
      ...(name === 'requestReturn' && { body: { lines: [{ line: 1, pieces: 1, reason: 'damaged' }] } }),
    })

  test.each(
    keyCalls.flatMap((name) => Object.entries(guests).map(([guest, kind]) => [name, guest, kind] as const)),
  )('%s with %s', async (name, _guest, { isAllowed, send }) => {
    const order = await aGuestOrder(shop)
    const { status } = await openWithKey(name, order.id, await send(order))
    // An order that is not shipped has nothing to return.
    expect(isAllowed ? [200, 409, 422] : [404]).toContain(status)
  })

  test.each(keyCalls)(
    "%s with the key of an account's order: only if it is an order by phone",
    async (name) => {
      const { email } = await aCustomer(shop)
      const { id, headers } = await aPhoneOrder(shop, await anAdmin(shop), { email })
      const order = { id, key_version: 1 }
      expect(headers['order-key']).toBe(shop.payments.orderKeys.sign(order))
      expect([200, 409, 422]).toContain((await openWithKey(name, id, headers)).status)
      await shop.db
        .updateTable('orders')
        .set({ placed_by: null, pay_by: null })
        .where('id', '=', id)
        .execute()
      expect((await openWithKey(name, id, headers)).status).toBe(404)
    },
  )

  test('opens no order of a customer, and no other call', async () => {
    const owner = await aCustomer(shop)
    const { headers, id } = await aGuestOrder(shop)
    const orderId = await anOrder(shop, owner)
    expect((await shop.call('getOrderDetails', { params: { id: orderId }, headers })).status).toBe(404)
    expect((await shop.call('getOrder', { query: { id }, headers })).status).toBe(401)
    expect((await shop.call('deleteOrder', { query: { id }, headers })).status).toBe(401)
  })

  test('is not needed by an admin, and other customers cannot do without it', async () => {
    const { id } = await aGuestOrder(shop)
    const open = async (as: TestCustomer) =>
      (await shop.call('getOrderDetails', { params: { id }, as })).status
    expect(await open(await anAdmin(shop))).toBe(200)
    expect(await open(await aCustomer(shop))).toBe(404)
  })
})
