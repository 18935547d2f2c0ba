import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import type { CallOptions } from '../call.ts'

const words = (text: string) => text.trim().split(/\s+/) as RouteName[]

/** The permission of each call for staff, written down a second time, so that a change of one route is noticed. */
export const callsByPermission: Record<string, RouteName[]> = {
  catalog: words(`
    updateProduct addProduct deleteProduct listAllProducts changeProducts getAnyProduct hideProduct
    restoreProduct getEditableProduct editProduct listVariants saveVariants listBrands getBrand
    saveBrand listAttributes saveAttributes saveProductAttributes listSynonyms saveSynonyms
    deleteSynonyms listSizeCharts getSizeChart saveSizeChart deleteSizeChart saveCertificates
    savePictures listPartNumbers savePartNumbers addBikes removeBikes saveMake saveModel saveFitments
    listFitKinds setFitKind addPicture exportProducts exportFitments exportBikes exportPartNumbers
    checkImport previewImport getImport runImport cancelImport exportWrongRows listImports undoImport
    listSuppliers saveSupplierFile bookReceipt scan getDeliveryNote listPictureDownloads
    assignPicture retryPictureDownloads`),
  content: words(`
    listDocuments addDocument getDocument saveDocument archiveDocument discardDraft publishDocument
    unscheduleDocument getDocumentVersion renderMarkdown listRedirects saveRedirect deleteRedirect`),
  orders: words(`
    listOrders getOrder listWork countWork exportOrderLines getOrderDetails listReturns issueInvoice
    listRefunds exportRefunds search addNote removeNote getToday scan placePhoneOrder sendPaymentLink
    searchPastOrders`),
  ship: words(`
    updateShipping shipOrder takePackingSlips editShipment setBackShipment`),
  cancel: words(`
    deleteOrder cancelOrder`),
  refunds: words(`
    refundOrder decideReturn closeRefund`),
  customers: words(`
    getUser listUsers getCustomer listEmails retryEmail deleteEmail`),
  shop: words(`
    listShippingRates saveShippingRate deleteShippingRate listTaxRates saveTaxRate deleteTaxRate
    previewCharges listCoupons saveCoupon getSettings saveShopSettings saveBrandSettings
    saveFooterSettings resetSettings getSetup listAudit saveHomeSettings
    saveEmailSettings removePlaceholders previewEmail testEmail`),
  owners: words(`
    setTwoStepPolicy resetTwoStep`),
  staff: words(`
    makeAdmin removeAdmin listStaff changeRole addInvitation resendInvitation revokeInvitation`),
}

/** The roles that have a permission, as decision 91 lists them. */
export const rolesByPermission: Record<string, string[]> = {
  catalog: ['owner', 'admin', 'editor'],
  content: ['owner', 'admin', 'editor'],
  orders: ['owner', 'admin', 'packer', 'support'],
  ship: ['owner', 'admin', 'packer'],
  cancel: ['owner', 'admin', 'support'],
  refunds: ['owner', 'admin'],
  customers: ['owner', 'admin', 'support'],
  shop: ['owner', 'admin'],
  staff: ['owner', 'admin'],
  owners: ['owner'],
}

/** The calls for staff. */
export const staffCalls = (Object.keys(routes) as RouteName[]).filter((name) => 'permission' in routes[name])

const unknown: Record<string, string> = { email: 'nobody@example.com', name: 'x', kind: 'x', number: '0' }

/** Input that no call carries out, so that only the access rule decides and nothing changes. */
export function toHopelessInput(name: RouteName): CallOptions {
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
