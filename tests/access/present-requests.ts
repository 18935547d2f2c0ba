import type { RouteName } from '../../contract/routes.ts'
import * as pricing from '../../server/modules/pricing/service.ts'
import type { CallOptions } from '../call.ts'
import { anAdmin, aPhoneOrder, payAtSandbox, readProductEtag } from '../factories.ts'
import { editedDocument, requests, type Scene, someDocument, someTaxRate } from './requests.ts'

/** Adds an email about the order that has failed. */
async function aFailedEmail({ shop, orderId }: Scene): Promise<void> {
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
async function anInvitation({ shop, owner }: Scene): Promise<CallOptions> {
  const invitation = { id: 'i1', email: 'new@example.com', role: 'packer', invited_by: owner.id } as const
  await shop.db
    .insertInto('invitations')
    .values({ ...invitation, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  return { params: { id: invitation.id } }
}

/** Pays the order at the sandbox. Returns the input of the call that settles it. */
async function paid({ shop, owner, orderId }: Scene): Promise<CallOptions> {
  const { body } = await shop.call('createPaymentIntent', { as: owner, body: { orderId, amount: 40 } })
  const { intentId } = await payAtSandbox(shop, body.client_secret)
  return { params: { id: orderId }, body: { transactionId: intentId } }
}

async function pay(scene: Scene): Promise<void> {
  await scene.shop.call('payOrder', { as: scene.owner, ...(await paid(scene)) })
}

const presentProduct = async ({ shop, productId }: Scene) => ({
  'if-match': await readProductEtag(shop, await anAdmin(shop), productId),
})

/** Adds a page. Returns its id and its ETag as the input of a call. */
async function presentDocument({ shop }: Scene) {
  const as = await anAdmin(shop)
  const { body, headers } = await shop.call('addDocument', { as, body: someDocument })
  return { params: { id: body.id }, headers: { 'if-match': headers.get('etag') ?? '' } }
}

/** Input with which a call succeeds, if it depends on the present state. */
export const presentRequests: { [Name in RouteName]?: (scene: Scene) => Promise<CallOptions> } = {
  sendPaymentLink: async ({ shop }) => {
    const { id } = await aPhoneOrder(shop, await anAdmin(shop))
    return { params: { id }, body: {} }
  },
  payOrder: paid,
  confirmOrderPayment: paid,
  refundOrder: async (scene) => {
    await pay(scene)
    return requests.refundOrder(scene)
  },
  issueInvoice: async (scene) => {
    await pay(scene)
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
    await scene.shop.db
      .insertInto('refunds')
      .values({ ...refund, reason: '', status: 'failed', next_attempt_at: new Date() })
      .execute()
    return requests.closeRefund(scene)
  },
  requestReturn: async (scene) => {
    await pay(scene)
    await scene.shop.call('updateShipping', {
      as: await anAdmin(scene.shop),
      ...requests.updateShipping(scene),
    })
    return requests.requestReturn(scene)
  },
  decideReturn: async (scene) => {
    const typed = { order_number: 'a1b2c3', email: 'ada@example.com', name: 'Ada' }
    await scene.shop.db
      .insertInto('returns')
      .values({ id: 'r2', is_withdrawal: true, ...typed })
      .execute()
    return requests.decideReturn(scene)
  },
  removeNote: async ({ shop, orderId, owner }) => {
    const note = { id: 'n1', order_id: orderId, email: null, body: 'x', author_id: owner.id }
    await shop.db.insertInto('staff_notes').values(note).execute()
    return { params: { id: 'n1' } }
  },
  shipOrder: async (scene) => {
    await pay(scene)
    return requests.shipOrder(scene)
  },
  editShipment: async (scene) => {
    await scene.shop.db
      .insertInto('shipments')
      .values({ id: 's1', order_id: scene.orderId, is_partial: false })
      .execute()
    return requests.editShipment(scene)
  },
  setBackShipment: async (scene) => {
    await pay(scene)
    const { body } = await scene.shop.call('shipOrder', {
      as: await anAdmin(scene.shop),
      ...requests.shipOrder(scene),
    })
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
    await pay(scene)
    return requests.updateShipping(scene)
  },
  getDocument: presentDocument,
  archiveDocument: presentDocument,
  discardDraft: presentDocument,
  unscheduleDocument: presentDocument,
  publishDocument: async (scene) => ({ ...(await presentDocument(scene)), body: {} }),
  saveDocument: async (scene) => ({ ...(await presentDocument(scene)), body: editedDocument }),
  getDocumentVersion: async (scene) => ({
    params: { ...(await presentDocument(scene)).params, number: '1' },
  }),
  deleteRedirect: async (scene) => {
    await scene.shop.call('saveRedirect', { as: await anAdmin(scene.shop), ...requests.saveRedirect(scene) })
    return requests.deleteRedirect(scene)
  },
  deleteTaxRate: async ({ shop }) => {
    await pricing.saveTaxRate(shop.db, 'f2', someTaxRate, null)
    return { params: { id: 'f2' } }
  },
  cancelImport: async ({ shop, importId }) => {
    await shop.db.updateTable('product_imports').set({ scheduled_for: new Date() }).execute()
    return { params: { id: importId } }
  },
  exportWrongRows: async ({ shop, importId }) => {
    const wrong = { import_id: importId, row: 2, cells: '[]', errors: '[]' }
    await shop.db.insertInto('wrong_import_rows').values(wrong).execute()
    return { params: { id: importId } }
  },
  getDeliveryNote: async ({ shop, importId }) => {
    await shop.db.updateTable('product_imports').set({ mode: 'deliveries' }).execute()
    return { params: { id: importId } }
  },
  undoImport: async ({ shop }) => {
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
    const { headers } = await scene.shop.call('listVariants', { as: await anAdmin(scene.shop), params })
    return { ...requests.saveVariants(scene), headers: { 'if-match': headers.get('etag') ?? '' } }
  },
  assignPicture: async (scene) => {
    const { url, image } = requests.assignPicture(scene).body as { url: string; image: string }
    const hash = image.slice('/pictures/uploaded/'.length, -'-320.jpeg'.length)
    const download = { url, product_ids: [scene.productId], hosts: [], requested_by: scene.owner.id }
    await scene.shop.db.insertInto('picture_downloads').values(download).execute()
    await scene.shop.db.insertInto('pictures').values({ hash, widest: 320 }).execute()
    return requests.assignPicture(scene)
  },
  saveFitments: async ({ shop, productId }) => {
    const { revision } = (await shop.call('listFitments', { params: { id: productId } })).body
    const k6 = { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }
    const body = { fitKind: 'vehicle', complete: false, fitments: [k6], revision }
    return { params: { id: productId }, body }
  },
  savePartNumbers: async ({ shop, productId }) => {
    const as = await anAdmin(shop)
    const { revision } = (await shop.call('listPartNumbers', { as, params: { id: productId } })).body
    return {
      params: { id: productId },
      body: { numbers: [{ kind: 'supersedes', number: 'OLD-1' }], revision },
    }
  },
}
