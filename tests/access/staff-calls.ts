import type { RouteName } from '../../contract/routes.ts'

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
    listRefunds search addNote removeNote getToday scan placePhoneOrder sendPaymentLink
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
