import * as z from 'zod/mini'
import * as addresses from './addresses.ts'
import * as attributes from './attributes.ts'
import * as audit from './audit.ts'
import * as bikes from './bikes.ts'
import * as cart from './cart.ts'
import * as catalog from './catalog.ts'
import * as chargePreview from './charge-preview.ts'
import * as checkout from './checkout.ts'
import * as coupons from './coupons.ts'
import * as customers from './customers.ts'
import * as desk from './desk.ts'
import * as documents from './documents.ts'
import * as emails from './emails.ts'
import { IfMatch } from './fields.ts'
import * as fit from './fit.ts'
import * as fitments from './fitments.ts'
import * as garage from './garage.ts'
import * as gear from './gear.ts'
import * as imports from './imports.ts'
import * as invoices from './invoices.ts'
import * as notes from './notes.ts'
import * as orderFile from './order-file.ts'
import * as orders from './orders.ts'
import * as packing from './packing.ts'
import * as partNumbers from './part-numbers.ts'
import * as pastOrders from './past-orders.ts'
import * as payments from './payments.ts'
import * as downloads from './picture-downloads.ts'
import * as productChanges from './product-changes.ts'
import * as pictures from './product-pictures.ts'
import * as quote from './quote.ts'
import * as receipts from './receipts.ts'
import * as refundFile from './refund-file.ts'
import * as returns from './returns.ts'
import * as reviews from './reviews.ts'
import type { RouteName } from './routes.ts'
import * as scan from './scan.ts'
import * as settings from './settings.ts'
import * as shipments from './shipments.ts'
import * as shipping from './shipping.ts'
import * as staff from './staff.ts'
import * as suggestions from './suggestions.ts'
import * as supplierFiles from './supplier-files.ts'
import * as synonyms from './synonyms.ts'
import * as tax from './tax.ts'
import * as today from './today.ts'
import * as twoStep from './two-step.ts'
import * as variants from './variants.ts'
import * as workLists from './work-lists.ts'

const Inserted = z.object({ acknowledged: z.literal(true), insertedId: z.string() })
const Modified = z.object({ acknowledged: z.literal(true), modifiedCount: z.int() })
const Shipped = z.extend(Modified, { shipped: z.optional(shipments.Shipment) })
const Deleted = z.object({ acknowledged: z.literal(true), deletedCount: z.int() })
const SavedAddresses = z.array(addresses.SavedAddress)
/** The file as a stream. */
export const CsvFile = z.custom<AsyncIterable<Uint8Array>>()

/** The request parts that a call reads, and its response. */
export interface CallSchema {
  params?: z.ZodMiniType
  query?: z.ZodMiniObject
  headers?: z.ZodMiniType
  body?: z.ZodMiniType
  reply: z.ZodMiniType
}

/** Request and response schemas of each call in `routes.ts`. */
export const schemas = {
  listProducts: { query: catalog.ProductQuery, reply: z.array(catalog.Product) },
  getProduct: { params: catalog.ProductId, reply: catalog.Product },
  getUser: { query: customers.UserEmail, reply: customers.User },
  exchangeIdToken: { params: customers.UserEmail, body: customers.IdTokenExchange, reply: customers.Session },
  updateProfile: { params: customers.UserEmail, body: customers.Profile, reply: Modified },
  makeAdmin: { params: customers.UserEmail, body: customers.MakeAdmin, reply: Modified },
  listReviews: { query: reviews.ReviewQuery, reply: z.array(reviews.Review) },
  listOrders: { query: orders.OrderQuery, reply: z.array(orders.Order) },
  getOrder: { query: orders.OrderId, reply: orders.Order },
  confirmPurchase: { headers: orders.PurchaseHeaders, body: orders.Purchase, reply: Inserted },
  updateProduct: { params: catalog.ProductId, body: catalog.StockChange, reply: catalog.StockChanged },
  deleteOrder: { query: orders.OrderId, reply: Deleted },
  updateShipping: { params: orders.OrderId, body: orders.Shipping, reply: Shipped },
  addReview: { body: reviews.NewReview, reply: Inserted },
  listUsers: { query: customers.UserQuery, reply: z.array(customers.User) },
  addProduct: { body: catalog.NewProduct, reply: Inserted },
  deleteProduct: { query: catalog.ProductId, reply: Deleted },
  createPaymentIntent: { body: payments.NewPaymentIntent, reply: payments.PaymentClientData },
  payOrder: { params: orders.OrderId, body: payments.PaymentHint, reply: Modified },
  countProducts: { query: catalog.ProductQuery, reply: catalog.ProductFacets },
  getEditableProduct: { params: catalog.ProductId, reply: catalog.EditableProduct },
  editProduct: {
    params: catalog.ProductId,
    headers: IfMatch,
    body: catalog.EditedProduct,
    reply: Modified,
  },
  listVariants: { params: catalog.ProductId, reply: variants.VariantList },
  saveVariants: {
    params: catalog.ProductId,
    headers: IfMatch,
    body: variants.EditedVariants,
    reply: variants.VariantList,
  },
  listBrands: { query: gear.BrandQuery, reply: z.array(gear.Brand) },
  getBrand: { params: gear.BrandName, reply: gear.Brand },
  saveBrand: { params: gear.BrandName, body: gear.EditedManufacturer, reply: gear.Brand },
  listAttributes: { reply: z.array(attributes.KindAttributes) },
  saveAttributes: {
    params: attributes.EditedKindName,
    body: attributes.EditedKindAttributes,
    reply: attributes.KindAttributes,
  },
  saveProductAttributes: {
    params: catalog.ProductId,
    headers: IfMatch,
    body: attributes.EditedAttributeValues,
    reply: attributes.SavedAttributeValues,
  },
  listSynonyms: { reply: synonyms.SynonymList },
  saveSynonyms: {
    params: synonyms.EditedSynonymsId,
    body: synonyms.EditedSynonyms,
    reply: synonyms.Synonyms,
  },
  deleteSynonyms: { params: synonyms.SynonymsId, reply: Deleted },
  listShippingRates: { reply: z.array(shipping.ShippingRate) },
  saveShippingRate: {
    params: shipping.EditedShippingRateId,
    body: shipping.EditedShippingRate,
    reply: shipping.ShippingRate,
  },
  deleteShippingRate: { params: shipping.ShippingRateId, reply: Deleted },
  listTaxRates: { reply: z.array(tax.TaxRate) },
  saveTaxRate: { params: tax.EditedTaxRateId, body: tax.EditedTaxRate, reply: tax.TaxRate },
  deleteTaxRate: { params: tax.TaxRateId, reply: Deleted },
  previewCharges: { body: chargePreview.ChargePreviewRequest, reply: chargePreview.ChargePreview },
  listCoupons: { query: coupons.CouponQuery, reply: z.array(coupons.Coupon) },
  saveCoupon: { params: coupons.EditedCouponId, body: coupons.EditedCoupon, reply: coupons.Coupon },
  listSizeCharts: { query: gear.BrandQuery, reply: z.array(gear.EditableSizeChart) },
  getSizeChart: { params: gear.SizeChartId, reply: gear.EditableSizeChart },
  saveSizeChart: {
    params: gear.EditedSizeChartId,
    body: gear.EditedSizeChart,
    reply: gear.EditableSizeChart,
  },
  deleteSizeChart: { params: gear.SizeChartId, reply: Deleted },
  saveCertificates: {
    params: catalog.ProductId,
    headers: IfMatch,
    body: gear.EditedCertificates,
    reply: gear.Certificates,
  },
  savePictures: {
    params: catalog.ProductId,
    headers: IfMatch,
    body: pictures.EditedPictures,
    reply: pictures.GalleryPictures,
  },
  listPartNumbers: { params: catalog.ProductId, reply: partNumbers.PartNumbers },
  savePartNumbers: {
    params: catalog.ProductId,
    body: partNumbers.EditedPartNumbers,
    reply: partNumbers.PartNumbers,
  },
  addBikes: { body: bikes.NewBikes, reply: bikes.AddedBikes },
  removeBikes: { query: bikes.BikesToRemove, reply: bikes.RemovedBikes },
  listBikes: { query: bikes.BikeQuery, reply: bikes.BikeList },
  saveMake: { params: bikes.MakeSlug, body: bikes.EditedMake, reply: bikes.MakeSlug },
  saveModel: { params: bikes.ModelSlugs, body: bikes.EditedModel, reply: bikes.ModelSlugs },
  getFit: { query: fit.FitQuery, reply: fit.FitResult },
  listFits: { query: fit.FitsQuery, reply: fit.Fits },
  suggest: { query: suggestions.SuggestionQuery, reply: suggestions.Suggestions },
  searchBikes: { query: bikes.BikeSearchQuery, reply: bikes.BikeMatches },
  listFitments: { params: catalog.ProductId, query: fitments.FitmentQuery, reply: fitments.FitmentList },
  saveFitments: { params: catalog.ProductId, body: fitments.EditedFitments, reply: fitments.FitmentList },
  listFitKinds: { reply: fitments.FitKindCounts },
  setFitKind: { body: fitments.NewFitKind, reply: fitments.FitKindChange },
  checkOut: { headers: checkout.CheckoutHeaders, body: checkout.Checkout, reply: checkout.PlacedOrder },
  placePhoneOrder: {
    headers: checkout.CheckoutHeaders,
    body: checkout.PhoneOrder,
    reply: checkout.PlacedPhoneOrder,
  },
  sendPaymentLink: {
    params: orders.OrderId,
    body: checkout.NewPaymentLink,
    reply: checkout.PaymentLink,
  },
  listWork: { query: workLists.WorkListQuery, reply: z.array(workLists.WorkOrder) },
  countWork: { query: workLists.OrderCountQuery, reply: workLists.OrderCounts },
  exportOrderLines: { query: orderFile.OrderFileQuery, reply: CsvFile },
  getOrderDetails: {
    params: orders.OrderId,
    headers: checkout.OrderKeyHeaders,
    reply: checkout.OrderDetails,
  },
  cancelOrder: {
    params: orders.OrderId,
    headers: checkout.OrderKeyHeaders,
    reply: z.object({ cancelled: z.boolean(), refunded: z.optional(z.number()) }),
  },
  refundOrder: {
    params: orders.OrderId,
    headers: checkout.CheckoutHeaders,
    body: payments.NewRefund,
    reply: payments.Refund,
  },
  requestReturn: {
    params: orders.OrderId,
    headers: checkout.BuyerRequestHeaders,
    body: returns.NewReturn,
    reply: returns.Return,
  },
  listReturns: { query: returns.ReturnQuery, reply: z.array(returns.Return) },
  decideReturn: { params: returns.ReturnId, body: returns.ReturnDecision, reply: returns.Return },
  withdraw: {
    headers: checkout.BuyerRequestHeaders,
    body: returns.NewWithdrawal,
    reply: returns.WithdrawalReceipt,
  },
  closeRefund: { params: payments.RefundId, body: payments.ClosedRefund, reply: payments.Refund },
  issueInvoice: {
    params: orders.OrderId,
    headers: checkout.OrderKeyHeaders,
    body: invoices.NewInvoice,
    reply: invoices.Invoice,
  },
  shipOrder: { params: orders.OrderId, body: shipments.NewShipment, reply: shipments.Shipment },
  takePackingSlips: {
    headers: packing.SlipHeaders,
    body: packing.SlipRequest,
    reply: packing.PackingSlips,
  },
  editShipment: { params: shipments.ShipmentId, body: shipments.EditedTracking, reply: shipments.Shipment },
  setBackShipment: {
    params: shipments.ShipmentId,
    body: shipments.SetBackShipment,
    reply: shipments.RestoredShipment,
  },
  openOrderPayment: {
    params: orders.OrderId,
    headers: checkout.OrderKeyHeaders,
    reply: checkout.OrderPayment,
  },
  confirmOrderPayment: {
    params: orders.OrderId,
    headers: checkout.OrderKeyHeaders,
    body: payments.PaymentHint,
    reply: z.object({ paid: z.boolean() }),
  },
  countGuestOrders: { reply: z.object({ count: z.int() }) },
  claimGuestOrders: { reply: z.object({ claimed: z.int() }) },
  setOrderOptions: { params: orders.OrderId, body: orders.OrderOptions, reply: Modified },
  /** `image` is the URL for the product's `image`. */
  addPicture: { reply: z.object({ image: z.string() }) },
  listPictureDownloads: { query: downloads.DownloadQuery, reply: downloads.PictureDownloads },
  assignPicture: { body: downloads.AssignedPicture, reply: downloads.PictureDownloads },
  retryPictureDownloads: { reply: downloads.PictureDownloads },
  /** `photo` is the new value of the profile's `photo`. */
  addPhoto: { reply: z.object({ photo: z.string() }) },
  listDocuments: { query: documents.DocumentQuery, reply: z.array(documents.ListedDocument) },
  addDocument: { body: documents.NewDocument, reply: documents.StoredDocument },
  getDocument: { params: documents.DocumentId, reply: documents.StoredDocument },
  saveDocument: {
    params: documents.DocumentId,
    headers: IfMatch,
    body: documents.EditedDocument,
    reply: documents.StoredDocument,
  },
  archiveDocument: { params: documents.DocumentId, reply: documents.StoredDocument },
  discardDraft: { params: documents.DocumentId, headers: IfMatch, reply: documents.StoredDocument },
  publishDocument: {
    params: documents.DocumentId,
    headers: IfMatch,
    body: documents.Publication,
    reply: documents.StoredDocument,
  },
  unscheduleDocument: { params: documents.DocumentId, reply: documents.StoredDocument },
  getDocumentVersion: { params: documents.VersionId, reply: documents.DocumentVersion },
  renderMarkdown: { body: documents.Markdown, reply: documents.Html },
  listRedirects: { query: documents.RedirectQuery, reply: z.array(documents.Redirect) },
  saveRedirect: { body: documents.EditedRedirect, reply: documents.Redirect },
  deleteRedirect: { query: documents.RedirectPath, reply: Deleted },
  searchPastOrders: { query: pastOrders.PastOrderQuery, reply: pastOrders.PastOrders },
  listPastOrders: { reply: pastOrders.PastOrders },
  listRefunds: { query: payments.RefundQuery, reply: z.array(payments.Refund) },
  exportRefunds: { query: refundFile.RefundFileQuery, reply: CsvFile },
  search: { query: desk.SearchQuery, reply: desk.SearchResults },
  getCustomer: { params: desk.CustomerEmail, reply: desk.DeskCustomer },
  addNote: { body: notes.NewNote, reply: notes.StaffNote },
  removeNote: { params: notes.NoteId, reply: Deleted },
  getToday: { reply: today.Today },
  scan: { query: scan.ScanQuery, reply: scan.ScanResult },
  listEmails: { query: emails.EmailQuery, reply: z.array(emails.FailedEmail) },
  retryEmail: { params: emails.EmailId, reply: Modified },
  deleteEmail: { params: emails.EmailId, reply: Deleted },
  listAudit: { query: audit.AuditQuery, reply: audit.AuditPage },
  exportProducts: { query: productChanges.ProductExportQuery, reply: CsvFile },
  exportFitments: { query: imports.FitmentExportQuery, reply: CsvFile },
  exportBikes: { query: imports.ExportQuery, reply: CsvFile },
  exportPartNumbers: { query: imports.ExportQuery, reply: CsvFile },
  checkImport: { query: imports.ImportName, reply: imports.ImportId },
  previewImport: { query: supplierFiles.PreviewQuery, reply: supplierFiles.FilePreview },
  getImport: { params: imports.ImportId, reply: imports.ProductImport },
  runImport: {
    params: imports.ImportId,
    query: imports.ImportRun,
    body: downloads.ImportedPictures,
    reply: imports.ProductImport,
  },
  cancelImport: { params: imports.ImportId, reply: imports.ProductImport },
  exportWrongRows: { params: imports.ImportId, reply: CsvFile },
  listImports: { query: imports.ImportQuery, reply: z.array(imports.ImportSummary) },
  getDeliveryNote: { params: imports.ImportId, reply: receipts.DeliveryNote },
  undoImport: { params: imports.ImportId, reply: imports.ImportId },
  listSuppliers: { reply: z.array(supplierFiles.Supplier) },
  saveSupplierFile: {
    params: supplierFiles.SupplierFileId,
    body: supplierFiles.EditedSupplierFile,
    reply: supplierFiles.SupplierFile,
  },
  bookReceipt: { headers: checkout.CheckoutHeaders, body: receipts.Receipt, reply: imports.ImportSummary },
  changeProducts: { body: productChanges.ProductChanges, reply: imports.ImportId },
  listAllProducts: { query: productChanges.ListedProductQuery, reply: z.array(productChanges.ListedProduct) },
  getAnyProduct: { params: catalog.ProductId, reply: productChanges.ListedProduct },
  hideProduct: {
    params: catalog.ProductId,
    body: productChanges.Visibility,
    reply: productChanges.ListedProduct,
  },
  restoreProduct: { params: catalog.ProductId, reply: productChanges.ListedProduct },
  listAddresses: { reply: SavedAddresses },
  getLastAddress: { reply: addresses.LastAddress },
  addAddress: { body: addresses.NewAddress, reply: SavedAddresses },
  updateAddress: { params: addresses.AddressId, body: addresses.NewAddress, reply: SavedAddresses },
  deleteAddress: { params: addresses.AddressId, reply: SavedAddresses },
  quoteCart: { body: quote.QuoteRequest, reply: quote.Quote },
  getCart: { reply: quote.Quote },
  setCartLine: { params: cart.CartLineId, body: cart.CartLineChange, reply: quote.Quote },
  mergeCart: { body: cart.CartLines, reply: quote.Quote },
  getGarage: { reply: garage.Garage },
  setGarageBike: { params: garage.GarageBikeId, body: garage.GarageBike, reply: garage.Garage },
  removeGarageBike: { params: garage.GarageBikeId, reply: garage.Garage },
  mergeGarage: { body: garage.GuestGarage, reply: garage.MergedGarage },
  getSettings: { params: settings.SettingName, reply: settings.SavedSettings },
  saveShopSettings: { headers: IfMatch, body: settings.ShopGroup, reply: settings.ShopGroup },
  saveBrandSettings: { headers: IfMatch, body: settings.BrandGroup, reply: settings.BrandGroup },
  saveFooterSettings: { headers: IfMatch, body: settings.FooterGroup, reply: settings.FooterGroup },
  saveHomeSettings: { headers: IfMatch, body: settings.HomeGroup, reply: settings.HomeGroup },
  saveEmailSettings: { headers: IfMatch, body: settings.EditedEmails, reply: settings.EditedEmails },
  resetSettings: { params: settings.SettingName, headers: IfMatch, reply: settings.SavedSettings },
  getSetup: { reply: settings.Setup },
  removePlaceholders: { reply: Modified },
  previewEmail: { body: settings.EmailDraft, reply: settings.EmailPreview },
  testEmail: { body: settings.EmailDraft, reply: emails.TestedEmail },
  removeAdmin: { params: customers.UserEmail, reply: Modified },
  getTwoStep: { reply: twoStep.TwoStepState },
  startTwoStep: { reply: twoStep.TwoStepSetup },
  confirmTwoStep: { body: twoStep.TwoStepCode, reply: twoStep.RecoveryCodes },
  removeTwoStep: { body: twoStep.TwoStepCode, reply: Modified },
  passTwoStep: { body: twoStep.TwoStepCode, reply: Modified },
  setTwoStepPolicy: { body: twoStep.TwoStepPolicy, reply: twoStep.TwoStepPolicy },
  resetTwoStep: { params: customers.UserEmail, reply: Modified },
  listStaff: { reply: staff.StaffList },
  changeRole: { params: customers.UserEmail, body: staff.RoleChange, reply: Modified },
  addInvitation: { body: staff.NewInvitation, reply: staff.SentInvitation },
  resendInvitation: { params: staff.InvitationId, reply: staff.SentInvitation },
  revokeInvitation: { params: staff.InvitationId, reply: Deleted },
  readInvitation: { body: staff.InvitationToken, reply: staff.InvitationOffer },
  acceptInvitation: { body: staff.InvitationToken, reply: staff.AcceptedInvitation },
  signOut: { reply: Modified },
} satisfies Record<RouteName, CallSchema>

export type Schemas = typeof schemas
