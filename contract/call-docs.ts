import type { ErrorCode } from './errors.ts'
import { productsPerBatch } from './imports.ts'
import { couponProblems } from './quote.ts'
import { type Route, type RouteName, routes } from './routes.ts'
import { type CallSchema, schemas } from './schemas.ts'
import { openSteps } from './two-step.ts'

const codeErrors = ['TWO_STEP_CODE_WRONG', 'TOO_MANY_REQUESTS'] as const
const paymentErrors = ['PAYMENT_IN_PROGRESS', 'PAYMENT_PROVIDER_UNAVAILABLE'] as const

/**
 * One sentence for each call, and the errors that only this call returns. Not in `routes.ts`, because browsers load
 * that file.
 */
export const callDocs: Record<RouteName, { summary: string; errors?: readonly ErrorCode[] }> = {
  listProducts: { summary: 'Lists products.', errors: ['BIKE_NOT_FOUND'] },
  getProduct: { summary: 'Returns one product.', errors: ['PRODUCT_NOT_FOUND'] },
  getUser: { summary: 'Returns one user.', errors: ['USER_NOT_FOUND'] },
  exchangeIdToken: {
    summary: "Exchanges the identity provider's ID token for the shop's access token.",
    errors: ['NOT_SIGNED_IN', 'INVALID_ID_TOKEN', 'EMAIL_NOT_VERIFIED'],
  },
  updateProfile: { summary: "Updates the caller's profile. A blank field keeps its old value." },
  makeAdmin: {
    summary: 'Makes a user an admin.',
    errors: ['ROLE_CHANGE_REFUSED', 'ROLE_NOT_YOURS_TO_GIVE', 'USER_NOT_FOUND'],
  },
  listReviews: {
    summary: 'Lists the reviews with a text, newest first: a page, or the first 100.',
  },
  listOrders: {
    summary:
      'Lists the orders of one customer, or all orders if staff with `orders` send no email. Newest first. `q` searches for staff only.',
  },
  getOrder: { summary: 'Returns one order.' },
  confirmPurchase: {
    summary: 'Places an order and reduces the stock.',
    errors: [
      'PRODUCT_NOT_FOUND',
      'VARIANT_NOT_FOUND',
      'QUANTITY_NOT_MATCHED',
      'OUT_OF_STOCK',
      'ORDER_TOO_SMALL',
      'ORDER_TOO_LARGE',
      'PRICE_CHANGED',
      'CHECKOUT_REQUIRED',
      'GUEST_ORDER_TOO_LARGE',
      'TOO_MANY_OPEN_ORDERS',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  updateProduct: {
    summary: 'Sets a counted stock, or adds `delta` to the stock.',
    errors: ['PRODUCT_NOT_FOUND', 'VARIANT_NOT_FOUND', 'STOCK_BELOW_ZERO'],
  },
  deleteOrder: {
    summary: 'Cancels an unpaid order and returns its stock.',
    errors: ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'ORDER_REFUNDED', ...paymentErrors],
  },
  updateShipping: {
    summary: 'Ships all open lines of a paid order, without tracking.',
    errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'ORDER_REFUNDED'],
  },
  addReview: { summary: 'Adds a review.', errors: ['USER_NOT_FOUND', 'TOO_MANY_REVIEWS'] },
  listUsers: { summary: 'Lists all users.' },
  addProduct: { summary: 'Adds a product.', errors: ['SKU_TAKEN'] },
  deleteProduct: { summary: 'Deletes a product. Orders keep its data.' },
  createPaymentIntent: {
    summary: 'Opens the payment of an unpaid order, or returns the open one.',
    errors: [
      'AMOUNT_MISMATCH',
      'ORDER_ALREADY_PAID',
      'ORDER_ALREADY_SHIPPED',
      'ORDER_REFUNDED',
      'TOO_MANY_REQUESTS',
      ...paymentErrors,
    ],
  },
  payOrder: {
    summary: 'Asks the payment provider whether the order is paid, and records it.',
    errors: ['PAYMENT_NOT_CONFIRMED', 'TOO_MANY_REQUESTS', ...paymentErrors],
  },
  countProducts: {
    summary: 'Lists the filter values of the product list with their product counts.',
    errors: ['BIKE_NOT_FOUND'],
  },
  listAllProducts: {
    summary:
      'Lists the products that match the filters, hidden ones too, and deleted ones with `deleted`. The total is exact up to 100,000.',
  },
  changeProducts: {
    summary:
      'Checks one change of many products, without changing anything, as a new import. The products are selected once: running it changes those that still have the checked values. `SELECTION_CHANGED` has the present `total`.',
    errors: ['IMPORT_IN_PROGRESS', 'SELECTION_CHANGED', 'NOTHING_SELECTED', 'SELECTION_TOO_LARGE'],
  },
  getAnyProduct: {
    summary: 'Returns a product as its page shows it, even if it is hidden or deleted.',
    errors: ['PRODUCT_NOT_FOUND'],
  },
  hideProduct: {
    summary:
      'Hides a product, or shows it again. A hidden product is in no public list and cannot be bought. Its part numbers stay taken.',
    errors: ['PRODUCT_NOT_FOUND'],
  },
  restoreProduct: {
    summary:
      'Restores a deleted product as it was, with its variants. `SKU_TAKEN` has the `product` that has one of its part numbers now.',
    errors: ['PRODUCT_NOT_FOUND', 'SKU_TAKEN', 'IMPORT_IN_PROGRESS'],
  },
  getEditableProduct: {
    summary:
      'Returns a product as it can be edited, with its certificates, attributes and pictures. `ETag` changes with them, but not with the stock.',
    errors: ['PRODUCT_NOT_FOUND'],
  },
  editProduct: {
    summary:
      'Replaces all fields of a product except its stock. Missing fields are cleared, but missing `returns` stays: a blank one clears it. `PRODUCT_CHANGED` has the present `product` and its `etag`.',
    errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_CHANGED', 'SKU_TAKEN'],
  },
  listVariants: {
    summary:
      'Lists the variants of a product as they can be edited, and the removed ones that still have stock. `ETag` changes with them, but not with their stock.',
    errors: ['PRODUCT_NOT_FOUND'],
  },
  saveVariants: {
    summary:
      'Replaces the variants of a product in the order of display, except their stock. A missing variant is removed, and missing fields are cleared. But missing `shelf` and `lowStock` stay: a blank `shelf` and a `lowStock` of null clear them.',
    errors: [
      'PRODUCT_NOT_FOUND',
      'VARIANT_NOT_FOUND',
      'VARIANT_TAKEN',
      'VARIANT_HAS_STOCK',
      'VARIANTS_CHANGED',
      'SKU_TAKEN',
      'IMPORT_IN_PROGRESS',
    ],
  },
  listBrands: {
    summary: 'Lists the brands of the products with their manufacturer, those without data first.',
  },
  getBrand: { summary: 'Returns a brand with its manufacturer.', errors: ['NOT_FOUND'] },
  saveBrand: {
    summary:
      "Replaces the manufacturer of a brand. Missing fields are cleared. Without a revision, it overwrites other admins' changes.",
    errors: ['NOT_FOUND', 'RECORD_CHANGED'],
  },
  listAttributes: { summary: 'Lists the kinds of parts with attributes.' },
  saveAttributes: {
    summary:
      'Replaces the attributes of a kind of part. An empty list removes them. Products keep the values of a removed attribute, hidden.',
    errors: ['TOO_MANY_ATTRIBUTES', 'RECORD_CHANGED'],
  },
  saveProductAttributes: {
    summary:
      'Replaces the attribute values of a product. Its kind of part defines the attributes. `PRODUCT_CHANGED` has the present `product` and its `etag`.',
    errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_CHANGED'],
  },
  listSynonyms: {
    summary:
      'Lists the groups of words for the same thing: those that admins have added, and those that are part of the shop.',
  },
  saveSynonyms: {
    summary:
      "Replaces an added group of words for the same thing, or adds it if there is none with this id. Without a revision, it overwrites other admins' changes.",
    errors: ['TOO_MANY_SYNONYMS', 'RECORD_CHANGED'],
  },
  listDocuments: { summary: 'Lists pages and posts, the last saved first.' },
  addDocument: {
    summary: 'Adds a page or a post as a draft.',
    errors: ['SLUG_TAKEN', 'LEGAL_KIND_TAKEN', 'TOO_MANY_DOCUMENTS'],
  },
  getDocument: {
    summary: 'Returns a page or a post with its draft, its versions and its HTML.',
    errors: ['NOT_FOUND'],
  },
  saveDocument: {
    summary:
      'Saves the draft. The address and the legal kind change immediately, and the old address redirects.',
    errors: ['NOT_FOUND', 'DOCUMENT_CHANGED', 'SLUG_TAKEN', 'LEGAL_KIND_TAKEN'],
  },
  archiveDocument: {
    summary: 'Archives a page or a post: its address responds 410. Its versions stay.',
    errors: ['NOT_FOUND'],
  },
  discardDraft: {
    summary: 'Deletes the draft of a published page or post.',
    errors: ['NOT_FOUND', 'DOCUMENT_CHANGED'],
  },
  publishDocument: {
    summary:
      'Publishes the draft now or at a time. It replaces a scheduled version. An archived page is visible again.',
    errors: ['NOT_FOUND', 'DOCUMENT_CHANGED', 'DOCUMENT_INCOMPLETE', 'ALREADY_PUBLIC'],
  },
  unscheduleDocument: {
    summary: 'Makes a scheduled version the draft again.',
    errors: ['NOT_FOUND', 'DRAFT_EXISTS', 'ALREADY_PUBLIC'],
  },
  getDocumentVersion: { summary: 'Returns one version of a page or a post.', errors: ['NOT_FOUND'] },
  renderMarkdown: { summary: 'Renders a text as the shop shows it.' },
  listRedirects: { summary: 'Lists redirects by their path.' },
  saveRedirect: {
    summary: 'Adds or replaces a redirect from a path without a page.',
    errors: ['REDIRECT_REFUSED', 'TOO_MANY_REDIRECTS'],
  },
  deleteRedirect: { summary: 'Deletes a redirect.', errors: ['NOT_FOUND'] },
  deleteSynonyms: { summary: 'Deletes an added group of words for the same thing.', errors: ['NOT_FOUND'] },
  listShippingRates: { summary: 'Lists the shipping rates by position and name.' },
  saveShippingRate: {
    summary:
      "Replaces a shipping rate, or adds it if there is none with this id. Without a revision, it overwrites other admins' changes.",
    errors: ['TOO_MANY_RATES', 'RECORD_CHANGED'],
  },
  deleteShippingRate: {
    summary: 'Deletes a shipping rate. Orders keep what they cost.',
    errors: ['NOT_FOUND'],
  },
  listTaxRates: { summary: 'Lists the tax rates by place.' },
  saveTaxRate: {
    summary:
      "Replaces a tax rate, or adds it if there is none with this id. Without a revision, it overwrites other admins' changes.",
    errors: ['TAX_RATE_TAKEN', 'TOO_MANY_RATES', 'RECORD_CHANGED'],
  },
  deleteTaxRate: {
    summary: 'Deletes a tax rate. Orders keep what they cost.',
    errors: ['NOT_FOUND'],
  },
  previewCharges: { summary: 'Returns the shipping options and the charges of an order to a place.' },
  listCoupons: { summary: 'Lists the discount codes by code; `q` searches in the codes.' },
  saveCoupon: {
    summary:
      "Replaces a discount code, or adds it if there is none with this id. `endsAt` ends a code. Without a revision, it overwrites other admins' changes.",
    errors: ['COUPON_CODE_TAKEN', 'RECORD_CHANGED'],
  },
  listSizeCharts: { summary: 'Lists the size charts by brand and kind.' },
  getSizeChart: { summary: 'Returns a size chart.', errors: ['NOT_FOUND'] },
  saveSizeChart: {
    summary:
      "Replaces a size chart, or adds it if there is none with this id. Without a revision, it overwrites other admins' changes.",
    errors: ['SIZE_CHART_TAKEN', 'RECORD_CHANGED'],
  },
  deleteSizeChart: { summary: 'Deletes a size chart.', errors: ['NOT_FOUND'] },
  saveCertificates: {
    summary:
      'Replaces the safety certificates of a product. `PRODUCT_CHANGED` has the present `product` and its `etag`.',
    errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_CHANGED'],
  },
  savePictures: {
    summary:
      'Replaces the pictures of a product in the order of display. The first one becomes its `image`. `PRODUCT_CHANGED` has the present `product` and its `etag`.',
    errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_CHANGED'],
  },
  listPartNumbers: {
    summary: 'Lists the part numbers of other makers for a product, and the product that replaces it.',
    errors: ['PRODUCT_NOT_FOUND'],
  },
  savePartNumbers: {
    summary: 'Replaces the part numbers of other makers for a product, and the product that replaces it.',
    errors: ['PRODUCT_NOT_FOUND', 'PART_NUMBERS_CHANGED', 'REPLACEMENT_LOOP'],
  },
  addBikes: {
    summary: 'Adds the bikes of a model that the shop does not have, and other names of the model.',
  },
  removeBikes: {
    summary:
      'Removes bikes of a model that nothing refers to: all versions of the years, or one. A model and a make without bikes are removed too.',
    errors: ['BIKE_NOT_FOUND', 'BIKES_IN_USE'],
  },
  listBikes: {
    summary: 'Lists the makes of bikes, and the models of a make or the bikes of a model.',
    errors: ['BIKE_NOT_FOUND'],
  },
  saveMake: {
    summary: 'Renames a make. Returns its new slug; pages of the old one redirect.',
    errors: ['BIKE_NOT_FOUND'],
  },
  saveModel: {
    summary:
      "Renames a model, and replaces its other names. Returns its new slugs; pages of the old one redirect. `revision`: the name and the other names that were edited, separated by a semicolon and a space. Without a revision, it overwrites other admins' changes.",
    errors: ['BIKE_NOT_FOUND', 'RECORD_CHANGED'],
  },
  getFit: {
    summary:
      'Returns whether a product fits a bike. `needsNoBike`: the product has no kind and no fitments, so that nothing says that it depends on a bike.',
    errors: ['PRODUCT_NOT_FOUND', 'BIKE_NOT_FOUND'],
  },
  listFits: {
    summary: 'Returns for several products whether they fit a bike. Unknown products are left out.',
    errors: ['BIKE_NOT_FOUND'],
  },
  suggest: {
    summary:
      'Finds bikes, makes, lists of parts for them, kinds of part, brands and products for a typed text, at most eight. Names of bikes may be misspelled if nothing else matches.',
  },
  searchBikes: {
    summary:
      'Finds models by typed words such as "2009 r6": years, makes, models and other names. If the shop has no such model of that year, `years` has those that it has. Names may be misspelled if nothing else matches.',
  },
  listFitments: { summary: 'Lists the bikes that a product fits.', errors: ['PRODUCT_NOT_FOUND'] },
  saveFitments: {
    summary:
      'Replaces the list of bikes that a product fits. Without `fitments` only the rest is changed, for lists that are too long.',
    errors: ['PRODUCT_NOT_FOUND', 'FITMENTS_CHANGED', 'TOO_MANY_BIKES'],
  },
  listFitKinds: { summary: 'Lists the kinds of parts with the number of their products by fit kind.' },
  setFitKind: {
    summary:
      'Sets the fit kind of all products of a kind of part that have no fitments. Thousands of products take several seconds; after an interruption the request can be repeated.',
  },
  checkOut: {
    summary: 'Places an order of one or more lines, for a customer or a guest: all lines or none.',
    errors: [
      'NOT_SIGNED_IN',
      'CART_EMPTY',
      'CART_TOO_LARGE',
      'CART_CHANGED',
      'NO_SHIPPING',
      'ADDRESS_INCOMPLETE',
      ...couponProblems,
      'ORDER_TOO_SMALL',
      'ORDER_TOO_LARGE',
      'GUEST_ORDER_TOO_LARGE',
      'TOO_MANY_OPEN_ORDERS',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  placePhoneOrder: {
    summary:
      'Places an order for a caller, without the limits of guests, and emails the link that pays it. The order belongs to the account with this email if the email is verified. Its stock is reserved until `payBy`.',
    errors: [
      'CART_EMPTY',
      'CART_TOO_LARGE',
      'CART_CHANGED',
      'NO_SHIPPING',
      'ADDRESS_INCOMPLETE',
      ...couponProblems,
      'ORDER_TOO_SMALL',
      'ORDER_TOO_LARGE',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  sendPaymentLink: {
    summary:
      'Emails the link that pays an unpaid order by phone again, and can move its last day. Other orders are not found.',
    errors: ['ORDER_NOT_FOUND', 'ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'ORDER_REFUNDED'],
  },
  listWork: {
    summary:
      'Lists orders for the staff, by tab: those to ship oldest payment first, all others newest first. `X-Total-Count` is at most 10000, then with `X-Total-Estimated: true`.',
  },
  countWork: {
    summary:
      'Counts the orders of each tab with the same filters, and those that came into the tab after `since`.',
  },
  exportOrderLines: {
    summary:
      'Exports the lines and charges of orders as a CSV file, from one snapshot. The rows of an order add up to its amount.',
  },
  getOrderDetails: { summary: 'Returns an order with its lines and history, cancelled ones too.' },
  cancelOrder: {
    summary:
      'Cancels an order that is not shipped, and returns its stock. What is left of the amount of a paid one is refunded: `refunded`, in dollars.',
    errors: ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'CANCELLATION_NEEDS_REVIEW', ...paymentErrors],
  },
  refundOrder: {
    summary:
      'Refunds amounts of a paid order: of pieces that are not shipped (`cancellation`), of returned ones (`return`), or alone. The same `Idempotency-Key` refunds once. `REFUND_TOO_LARGE` has what is `left` in dollars.',
    errors: [
      'ORDER_NOT_FOUND',
      'ORDER_NOT_PAID',
      'PIECES_NOT_AVAILABLE',
      'REFUND_TOO_LARGE',
      'RETURN_CLOSED',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  requestReturn: {
    summary:
      'Requests the return of shipped items. The same `Idempotency-Key` requests once. `RETURN_NOT_POSSIBLE` has the `lines`.',
    errors: ['RETURN_NOT_POSSIBLE', 'IDEMPOTENCY_KEY_REUSED'],
  },
  listReturns: {
    summary: 'Lists returns and withdrawals: open withdrawals first, then the oldest open ones.',
  },
  decideReturn: {
    summary: 'Approves, rejects or closes a return, or assigns a withdrawal to an order.',
    errors: ['NOT_FOUND', 'ORDER_NOT_FOUND', 'RETURN_CLOSED', 'RETURN_NEEDS_ORDER'],
  },
  withdraw: {
    summary:
      'Records a withdrawal from the contract and confirms its receipt, the same for right and wrong numbers. For the owner of `orderId`, or with its key, items that are not shipped are cancelled and refunded; no one else may send `orderId`. The same `Idempotency-Key` withdraws once.',
    errors: ['TOO_MANY_REQUESTS', 'NOT_FOUND', 'NOT_SIGNED_IN', 'ORDER_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  },
  closeRefund: {
    summary:
      'Closes a failed refund: the customer got the money in another way. It still counts as refunded.',
    errors: [
      'NOT_FOUND',
      'REFUND_NOT_FAILED',
      'REFUND_NOT_COMPLETE',
      'PAYMENT_PROVIDER_REJECTED',
      ...paymentErrors,
    ],
  },
  issueInvoice: {
    summary:
      'Returns the invoice of a paid order, or the credit note of one of its refunds. The first call gives it its number.',
    errors: ['NOT_FOUND', 'ORDER_NOT_PAID', 'REFUND_NOT_COMPLETE'],
  },
  shipOrder: {
    summary:
      'Ships lines of a paid order, without `lines` all that are open. The order is shipped when no open piece is left.',
    errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'ORDER_REFUNDED', 'NOTHING_TO_SHIP'],
  },
  takePackingSlips: {
    summary:
      'Returns the packing slips of the `next` orders to ship whose slip was not printed yet, or of the orders with these `ids`, and records that they are printed. The next orders are without those with an open withdrawal of items to ship. With the `Idempotency-Key` of an earlier print they are the same orders again, if they are still to be shipped. The slip of an `order` that is packed is only read.',
    errors: ['ORDER_NOT_FOUND', 'ORDER_REFUNDED'],
  },
  editShipment: {
    summary:
      'Changes the carrier and the tracking numbers of a shipment. The first numbers are sent to the buyer, once. An order for pickup has neither. Without `before`, the tracking that was edited, it overwrites the changes of other admins.',
    errors: ['NOT_FOUND', 'RECORD_CHANGED'],
  },
  setBackShipment: {
    summary:
      'Sets a shipment back: its items are to be shipped again. Withdraws the email to the buyer, or needs a `reason` and sends a correction.',
    errors: ['NOT_FOUND', 'REASON_REQUIRED', 'SHIPMENT_HAS_RETURN', 'SHIPMENT_RETURNED'],
  },
  openOrderPayment: {
    summary: 'Opens the payment of an unpaid order, or returns the open one.',
    errors: [
      'ORDER_ALREADY_PAID',
      'ORDER_ALREADY_SHIPPED',
      'ORDER_REFUNDED',
      'TOO_MANY_REQUESTS',
      ...paymentErrors,
    ],
  },
  confirmOrderPayment: {
    summary: 'Asks the payment provider whether the order is paid, and records it.',
    errors: ['PAYMENT_NOT_CONFIRMED', 'TOO_MANY_REQUESTS', ...paymentErrors],
  },
  countGuestOrders: { summary: "Counts the guest orders with the caller's email, if it is verified." },
  claimGuestOrders: {
    summary: "Adds the guest orders with the caller's email to the account. Their links stop working.",
    errors: ['EMAIL_UNCONFIRMED'],
  },
  setOrderOptions: {
    summary: 'Saves the size and colour of an order that has not been shipped.',
    errors: ['ORDER_ALREADY_SHIPPED', 'OPTIONS_FIXED'],
  },
  addPhoto: {
    summary: 'Stores an image as the photo of your profile, cut to a square.',
    errors: [
      'TOO_MANY_REQUESTS',
      'PICTURE_KIND_REFUSED',
      'PICTURE_HAS_TOO_MANY_PIXELS',
      'PICTURE_UNREADABLE',
      'PICTURE_STORE_UNAVAILABLE',
    ],
  },
  addPicture: {
    summary: 'Stores an image in all required sizes and returns its URL.',
    errors: [
      'PICTURE_KIND_REFUSED',
      'PICTURE_HAS_TOO_MANY_PIXELS',
      'PICTURE_UNREADABLE',
      'PICTURE_STORE_UNAVAILABLE',
    ],
  },
  listPictureDownloads: {
    summary:
      'Counts the pictures of product files that are to be copied, were copied, or could not be copied. Lists those that could not, with the reason, or all with a file name that are not copied.',
    errors: [],
  },
  assignPicture: {
    summary: 'Uses an uploaded image in place of a picture that was not copied, in all its products.',
    errors: ['DOWNLOAD_NOT_FOUND', 'PICTURE_NOT_FOUND'],
  },
  retryPictureDownloads: {
    summary: 'Copies the pictures again that could not be copied.',
    errors: [],
  },
  searchPastOrders: {
    summary:
      'Lists the newest orders of an earlier shop by a whole email, or by a part of the number, the name or the email.',
  },
  listPastOrders: {
    summary: "Lists the newest orders of an earlier shop with the caller's verified email.",
    errors: ['EMAIL_UNCONFIRMED'],
  },
  listRefunds: {
    summary: 'Lists all refunds: of orders, and of payments without a matching order. Newest first.',
  },
  exportRefunds: {
    summary:
      'Exports refunds as a CSV file, from one snapshot, oldest first. `total` and `tax` are in dollars; the refund of a payment without a matching order has no tax.',
  },
  search: {
    summary:
      'Finds orders, cancelled ones too, and customers: by words of name, email, address, products and notes in any order, the end of a phone number, the beginning of an order number, a part number, GTIN or payment. Newest first.',
  },
  getCustomer: {
    summary:
      'Returns a person by email, with or without an account: newest orders, cancelled ones too, addresses, bikes and notes of the staff.',
    errors: ['USER_NOT_FOUND'],
  },
  addNote: {
    summary:
      'Adds a note of an order, or of a person by email, which only staff who read orders see. Words with # are tags.',
    errors: ['ORDER_NOT_FOUND', 'USER_NOT_FOUND'],
  },
  removeNote: { summary: 'Removes a note of the staff.', errors: ['NOT_FOUND'] },
  getToday: {
    summary: 'Returns the work of the day: what is to ship, what has failed, and what is in progress.',
  },
  scan: {
    summary:
      'Finds orders by the code of their packing slip or the beginning of their id, and items by GTIN or part number.',
  },
  listEmails: { summary: 'Lists the emails about orders that could not be sent, the last one first.' },
  retryEmail: { summary: 'Sends a failed email again.', errors: ['NOT_FOUND', 'MAIL_OFF'] },
  deleteEmail: { summary: 'Deletes a failed email.', errors: ['NOT_FOUND'] },
  listAudit: {
    summary:
      'Lists the changes of all areas, or of one `area`, with user, time and IP address. Newest first; `next` is the cursor of the next page.',
  },
  exportProducts: {
    summary: 'Exports all products, or those that match the filters, as a CSV file, from one snapshot.',
    errors: ['SELECTION_TOO_LARGE'],
  },
  exportFitments: { summary: 'Exports all fitments as a CSV file, from one snapshot.' },
  exportBikes: { summary: 'Exports all bikes as a CSV file, from one snapshot.' },
  exportPartNumbers: {
    summary: 'Exports the part numbers of other makers as a CSV file, from one snapshot.',
  },
  checkImport: {
    summary:
      'Checks a file of products, bikes, fitments, part numbers, redirects or ACES codes, an ACES file, or a product file of Shopify or WooCommerce, without changing anything, and reports its errors and changes.',
    errors: ['IMPORT_IN_PROGRESS'],
  },
  previewImport: {
    summary:
      'Reads the first 64 KiB of a file: its columns with the stored, equal or guessed columns of the shop, ten rows, and what would refuse it. Stores nothing.',
  },
  getImport: {
    summary: 'Returns the progress and the result of a check or an import.',
    errors: ['NOT_FOUND'],
  },
  runImport: {
    summary: `Imports a checked file, now or at a time. Wrong rows are left out with their products, if the call says so. Products change in batches of up to ${productsPerBatch}, each product completely or not at all, and a run that was interrupted continues. Pictures on the hosts that the call names are copied into the shop afterwards.`,
    errors: [
      'NOT_FOUND',
      'IMPORT_IN_PROGRESS',
      'IMPORT_NOT_READY',
      'WARNINGS_NOT_ACCEPTED',
      'HOST_NOT_IN_FILE',
      'IMPORT_NOT_SCHEDULABLE',
      'IMPORT_ALREADY_UNDONE',
    ],
  },
  cancelImport: {
    summary:
      'Cancels the time at which a checked file is imported. The file can still be imported, until eight days after its upload.',
    errors: ['NOT_FOUND', 'IMPORT_NOT_READY'],
  },
  exportWrongRows: {
    summary:
      'Exports the wrong rows of a file as a CSV file: the original cells with the original separator, then the reason.',
    errors: ['NOT_FOUND'],
  },
  listImports: { summary: 'Lists all imports with their results. Newest first.' },
  getDeliveryNote: {
    summary:
      'Lists the items of a checked delivery file, to compare with what has arrived. A receipt with its id as `deliveryNote` replaces the file.',
    errors: ['NOT_FOUND', 'IMPORT_NOT_READY', 'DELIVERY_TOO_LARGE'],
  },
  undoImport: {
    summary:
      'Checks how an import of products, fitments or part numbers can be undone, without changing anything, as a new import. Running it restores each value that is still the imported one, and moves the stock back by the imported difference.',
    errors: ['NOT_FOUND', 'IMPORT_IN_PROGRESS', 'IMPORT_ALREADY_UNDONE', 'IMPORT_NOT_UNDOABLE'],
  },
  listSuppliers: { summary: 'Lists the suppliers whose files have stored columns.' },
  saveSupplierFile: {
    summary: "Stores how a supplier's files of one kind are read: the column of the shop for each column.",
  },
  bookReceipt: {
    summary:
      'Books goods in or a stocktake: all lines or none, as an import that can be undone. The errors VARIANT_NOT_FOUND and STOCK_BELOW_ZERO name their `lines` by `variantId`. The same idempotency key books once. With a `deliveryNote`, its checked file is deleted: IMPORT_NOT_READY if it was booked or imported already.',
    errors: ['VARIANT_NOT_FOUND', 'STOCK_BELOW_ZERO', 'IDEMPOTENCY_KEY_REUSED', 'IMPORT_NOT_READY'],
  },
  listAddresses: { summary: "Lists the caller's saved addresses, oldest first." },
  getLastAddress: {
    summary: "Returns the delivery address of the caller's last paid order, if its parts are known.",
  },
  addAddress: {
    summary:
      "Saves an address and returns the caller's addresses. An address that is saved already is not saved again.",
    errors: ['TOO_MANY_ADDRESSES'],
  },
  updateAddress: { summary: "Replaces a saved address and returns the caller's addresses." },
  deleteAddress: {
    summary:
      "Deletes a saved address and returns the caller's addresses. The oldest one replaces a deleted default.",
  },
  quoteCart: {
    summary:
      'Prices the lines of a cart, with the problem of each line that cannot be ordered as it is, and with the charges for a destination.',
    errors: ['CART_TOO_LARGE'],
  },
  getCart: { summary: "Returns the caller's cart with its present prices, oldest line first." },
  setCartLine: {
    summary: "Sets the quantity of a line of the caller's cart; 0 removes it. Returns the cart.",
    errors: ['VARIANT_NOT_FOUND', 'CHOICE_REQUIRED', 'BIKE_NOT_FOUND', 'CART_TOO_LARGE'],
  },
  mergeCart: {
    summary:
      "Adds the cart of a guest to the caller's cart and returns it. A line of both gets the larger quantity, so a repeated call changes nothing. Variants and bikes that never existed are skipped.",
    errors: ['CART_TOO_LARGE'],
  },
  getGarage: { summary: "Returns the caller's bikes." },
  setGarageBike: {
    summary:
      "Adds a bike to the caller's garage, or makes it the current one. A new bike can replace another one. With `current: false` the call adds nothing, and the bike is no longer the current one.",
    errors: ['BIKE_NOT_FOUND', 'GARAGE_FULL'],
  },
  removeGarageBike: {
    summary: "Removes a bike from the caller's garage. If the bike is not in it, nothing changes.",
  },
  mergeGarage: {
    summary:
      "Adds the bikes of a guest to the caller's garage, as many as it can hold. A repeated call changes nothing. Unknown bikes are skipped.",
  },
  getSettings: {
    summary:
      'Returns the saved fields of a group of settings; the others have their defaults. `ETag` is its version.',
  },
  saveShopSettings: {
    summary:
      'Replaces name and contact of the shop. Blank and missing fields get their defaults. `SETTINGS_CHANGED` has the present `value` and its `etag`.',
    errors: ['SETTINGS_CHANGED'],
  },
  saveBrandSettings: {
    summary:
      'Replaces logo, icon and colours of the shop. A colour must have a contrast of 4.5 to 1; the message of its field names the nearest one that has. `SETTINGS_CHANGED` has the present `value` and its `etag`.',
    errors: ['SETTINGS_CHANGED', 'CONTRAST_TOO_LOW', 'PICTURE_NOT_FOUND'],
  },
  saveFooterSettings: {
    summary: 'Replaces the columns of the footer. `SETTINGS_CHANGED` has the present `value` and its `etag`.',
    errors: ['SETTINGS_CHANGED'],
  },
  saveHomeSettings: {
    summary:
      'Replaces titles, products, banners and figures of the home page. A chosen product that is not for sale is not shown. `SETTINGS_CHANGED` has the present `value` and its `etag`.',
    errors: ['SETTINGS_CHANGED', 'PICTURE_NOT_FOUND'],
  },
  saveEmailSettings: {
    summary:
      'Replaces the texts of emails. Placeholders such as `{orderNumber}` get their values when an email is sent; the message of a field names those that the email has. A changed subject has at most 120 characters, a text 1,000. `SETTINGS_CHANGED` has the present `value` and its `etag`.',
    errors: ['SETTINGS_CHANGED', 'PLACEHOLDER_UNKNOWN'],
  },
  resetSettings: {
    summary: 'Restores the defaults of a group of settings.',
    errors: ['SETTINGS_CHANGED'],
  },
  getSetup: { summary: 'Lists what the shop needs before it can sell, with the state of each item.' },
  removePlaceholders: {
    summary:
      'Removes the invented figures, the sample posts and the links without a target from all pages. Figures and posts of the shop stay.',
    errors: ['SETTINGS_CHANGED'],
  },
  previewEmail: {
    summary:
      'Returns an email with these texts and the values of an example. Missing texts have their defaults.',
    errors: ['PLACEHOLDER_UNKNOWN'],
  },
  testEmail: {
    summary:
      'Sends such an email to the caller. `MAIL_NOT_SENT` has the response of the mail server as `codes`.',
    errors: ['PLACEHOLDER_UNKNOWN', 'MAIL_OFF', 'MAIL_NOT_SENT'],
  },
  removeAdmin: {
    summary: "Removes another admin's role and revokes their access tokens.",
    errors: ['OWN_ADMIN_ROLE', 'ROLE_NOT_YOURS_TO_GIVE', 'USER_NOT_FOUND'],
  },
  listStaff: {
    summary:
      'Lists the people with a role, owners first, with the last change of each role, and the open invitations.',
  },
  changeRole: {
    summary:
      'Gives a user a role, or removes it with `null`, and revokes their access tokens. Only owners give the role of an owner and change an owner.',
    errors: ['OWN_ROLE', 'ROLE_NOT_YOURS_TO_GIVE', 'USER_NOT_FOUND'],
  },
  addInvitation: {
    summary:
      'Invites a person to become staff, with an email that has a link for 7 days. Without a mail server the response has the link, once.',
    errors: ['ALREADY_STAFF', 'INVITATION_OPEN', 'ROLE_NOT_YOURS_TO_GIVE', 'TOO_MANY_INVITATIONS'],
  },
  resendInvitation: {
    summary: 'Sends an open invitation again, with a new link for 7 days. The earlier link is void.',
    errors: ['INVITATION_OVER', 'ROLE_NOT_YOURS_TO_GIVE'],
  },
  revokeInvitation: {
    summary: 'Revokes an open invitation.',
    errors: ['INVITATION_OVER', 'ROLE_NOT_YOURS_TO_GIVE'],
  },
  readInvitation: {
    summary: 'Returns the name of the shop and the role that the link of an invitation offers.',
    errors: ['INVITATION_OVER', 'TOO_MANY_REQUESTS'],
  },
  acceptInvitation: {
    summary:
      "Gives the caller the role of an invitation to the caller's email. The inviter must still be allowed to give it.",
    errors: ['INVITATION_OVER', 'INVITATION_NOT_YOURS'],
  },
  getTwoStep: { summary: "Returns the state of the caller's two-step login." },
  startTwoStep: {
    summary:
      'Creates a key for an authenticator app of a member of the staff. It counts once it is confirmed.',
    errors: ['ADMIN_REQUIRED', 'TWO_STEP_IS_SET_UP'],
  },
  confirmTwoStep: {
    summary: 'Turns two-step login on with a code of the app. Returns the recovery codes, once.',
    errors: ['TWO_STEP_NOT_SET_UP', 'TWO_STEP_IS_SET_UP', 'TWO_STEP_UNREADABLE', ...codeErrors],
  },
  removeTwoStep: {
    summary: "Turns the caller's two-step login off.",
    errors: ['TWO_STEP_NOT_SET_UP', 'TWO_STEP_UNREADABLE', ...codeErrors],
  },
  passTwoStep: {
    summary: "Records that the caller's sign-in has passed the second step, for 30 days.",
    errors: ['TWO_STEP_NOT_SET_UP', 'TWO_STEP_UNREADABLE', ...codeErrors],
  },
  setTwoStepPolicy: {
    summary: 'Sets whether staff must have two-step login. To require it, the caller must have it.',
    errors: ['TWO_STEP_NOT_SET_UP', 'SETTINGS_CHANGED'],
  },
  resetTwoStep: {
    summary: 'Removes the two-step login of another member of the staff.',
    errors: ['OWN_TWO_STEP', 'USER_NOT_FOUND'],
  },
  signOut: { summary: 'Revokes all access tokens of the caller immediately.' },
}

/** Returns every error that a call may return, from its access rule, its schemas and the list above. */
export function errorCodes(name: RouteName): ErrorCode[] {
  const { access, permission, path, upload }: Route = routes[name]
  const { body }: CallSchema = schemas[name]
  const isOwned = access.startsWith('owner')
  const isAddress = path.startsWith('/v1/me/addresses')
  const hasBody = body !== undefined || upload !== undefined
  const codes: ErrorCode[] = [
    'INVALID_REQUEST',
    ...(access === 'public' ? [] : (['NOT_SIGNED_IN'] as const)),
    ...(access === 'self' ? (['NOT_YOURS'] as const) : []),
    ...(access === 'staff' || access === 'self-or-staff' ? (['ADMIN_REQUIRED'] as const) : []),
    ...(permission ? (['NOT_ALLOWED', ...openSteps] as const) : []),
    ...(isOwned ? ([isAddress ? 'ADDRESS_NOT_FOUND' : 'ORDER_NOT_FOUND'] as const) : []),
    ...(hasBody ? (['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(callDocs[name].errors ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}
