import type { ColumnType, Generated, Selectable } from 'kysely'
import type { CouponKind } from '../contract/coupons.ts'
import type { PhotoProblem } from '../contract/customers.ts'
import type { DocumentKind, LegalKind } from '../contract/documents.ts'
import type { orderEmailKinds } from '../contract/emails.ts'
import type { OrderLineFit } from '../contract/fit-answer.ts'
import type { InvoiceKind, Seller } from '../contract/invoices.ts'
import type { OrderStatus } from '../contract/order-status.ts'
import type { orderEventKinds } from '../contract/orders.ts'
import type { Refund } from '../contract/payments.ts'
import type { StaffRole } from '../contract/permissions.ts'
import type { ChargeKind } from '../contract/quote.ts'
import type { Return } from '../contract/returns.ts'
import type {
  BrandsTable,
  CertificatesTable,
  ChangedColumns,
  KindAttributesTable,
  PictureDownloadsTable,
  PictureFilesTable,
  PicturesTable,
  ProductChangesTable,
  ProductImportsTable,
  ProductPicturesTable,
  ProductsTable,
  RedirectImportRowsTable,
  ReplacedValuesTable,
  SitemapEntriesTable,
  SizeChartsTable,
  SupplierFilesTable,
  VariantsTable,
  WrongImportRowsTable,
} from './catalog-schema.ts'
import type { Json, NullableTimestamp, Timestamp } from './column-types.ts'
import type {
  BikeAliasesTable,
  BikesTable,
  FitmentsTable,
  GarageBikesTable,
  MakesTable,
  ModelsTable,
  PartNumbersTable,
} from './fitment-schema.ts'

export interface CustomersTable {
  id: string
  email: string
  name: Generated<string>
  phone: Generated<string>
  /** YYYY-MM-DD */
  birthday: string | null
  sex: 'Male' | 'Female' | 'Common' | null
  bio: Generated<string>
  photo: Generated<string>
  /** An owner is an admin with `is_owner`. */
  role: Exclude<StaffRole, 'owner'> | null
  is_owner: Generated<boolean>
  token_version: Generated<number>
  created_at: Timestamp
}

export interface ProfilePhotosTable {
  customer_id: string
  url: string
  hash: string | null
  problem: PhotoProblem | null
  attempts: Generated<number>
  due_at: NullableTimestamp
}

export interface CustomerIdentitiesTable {
  issuer: string
  subject: string
  customer_id: string
  email_verified: boolean
  /** The email that the identity provider reported. Null: stored by an older version. */
  email: string | null
  created_at: Timestamp
}

export interface AddressesTable {
  id: string
  customer_id: string
  label: string
  name: string
  phone: string
  line1: string
  line2: string
  city: string
  region: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country: string
  is_default: boolean
  created_at: Timestamp
}

export interface CartLinesTable {
  customer_id: string
  variant_id: string
  /** Empty unless chosen for a product with standard options. */
  size: string
  colour: string
  quantity: number
  /** When the line was added. */
  unit_price_cents: number
  bike_id: number | null
  /** The id of the last request that added pieces. */
  last_addition: Generated<string | null>
  /** The ids of at most four additions before the last one. */
  earlier_additions: Generated<string[]>
  added_at: Timestamp
}

interface SecretFingerprintTable {
  is_only: Generated<true>
  fingerprint: string
}

/** Changes of areas without a table of their own, see `server/modules/audit/service.ts`. */
interface ChangesTable {
  id: Generated<number>
  area: string
  subject: string
  name: string
  kind: 'added' | 'edited' | 'deleted'
  before: ColumnType<ChangedColumns, string, never>
  after: ColumnType<ChangedColumns, string, never>
  actor_id: string | null
  client_ip: string | null
  occurred_at: Timestamp
}

/** The token of the link is derived from id and version. */
export interface InvitationsTable {
  id: string
  email: string
  role: StaffRole
  version: Generated<number>
  /** The person who sent it last. */
  invited_by: string
  expires_at: ColumnType<Date, Date, Date>
  accepted_by: string | null
  revoked_at: Date | null
  created_at: Timestamp
}

interface RoleChangesTable {
  id: Generated<number>
  customer_id: string
  /** Null: the role was removed. */
  role: StaffRole | null
  /** At the time of the change. Null: a process of an earlier version made it. */
  email: string | null
  changed_by: string | null
  granted_by: 'settings' | 'command' | null
  client_ip: string | null
  created_at: Timestamp
}

export interface OrdersTable {
  id: string
  /** Null: a guest ordered it. */
  customer_id: string | null
  status: OrderStatus
  amount_cents: number
  customer_email: string
  customer_name: string
  customer_phone: string
  shipping_address: string
  ship_line1: string | null
  ship_line2: string | null
  ship_city: string | null
  ship_region: string | null
  ship_postal_code: string | null
  ship_country: string | null
  note: Generated<string>
  request_hash: Buffer | null
  key_version: Generated<number>
  /** Total quantity of its lines. */
  pieces: number
  line_count: number
  payment_provider: string | null
  transaction_id: string | null
  idempotency_key: string | null
  /** The idempotency key of a guest, which stays when an account claims the order. */
  guest_request_key: string | null
  /** The IP of a buyer who counts for its network. Null: an account with a verified email. */
  counted_ip: string | null
  placed_at: NullableTimestamp
  paid_at: NullableTimestamp
  shipped_at: NullableTimestamp
  cancelled_at: NullableTimestamp
  expiry_checked_at: NullableTimestamp
  /** Whether the order is cancelled when it is not paid in time. */
  expires: Generated<boolean>
  /** Whether the buyer collects the order. */
  is_pickup: Generated<boolean>
  /** The sum of its refunds. */
  refunded_cents: Generated<number>
  /** When its packing slip was printed last. */
  slip_printed_at: NullableTimestamp
  /** The idempotency key of the print that took the order among the next ones. */
  slip_run: string | null
  /** Until when an order by phone can be paid. Null: the usual time after it was placed. */
  pay_by: NullableTimestamp
  /** The admin who placed the order for a caller. */
  placed_by: string | null
  coupon_id: string | null
  /** Whether its coupon could be used once for each buyer. */
  coupon_once: Generated<boolean>
  /** Whether its coupon is released at the commit. Null: it is in use, or an earlier version has released it. */
  has_released_coupon: boolean | null
  /** Whether it has a row in `order_documents`. Not yet if an earlier version placed it. */
  is_indexed: Generated<boolean>
}

/** The search terms of an order. The type of `document` is tsvector. */
interface OrderDocumentsTable {
  order_id: string
  placed_at: Date | null
  document: string
}

/** A note of an order, or of a person by email. */
interface StaffNotesTable {
  id: string
  order_id: string | null
  email: string | null
  body: string
  author_id: string
  created_at: Timestamp
  removed_at: NullableTimestamp
  removed_by: string | null
}

interface OrderLinesTable {
  order_id: string
  line_number: number
  product_id: string
  variant_id: string
  product_name: string
  product_image: string
  unit_price_cents: number
  quantity: number
  /** The product's options when it was ordered. */
  options: Generated<Selectable<ProductsTable>['options']>
  size: string | null
  colour: string | null
  sku: string | null
  bike_id: number | null
  /** Whether the product fitted the bike when it was ordered. Null without a bike. */
  fit_answer: OrderLineFit | null
  /** Where the part belongs on the bike, if it fits. */
  fit_position: string | null
  /** The amount that the buyer pays for the line, with its shares of discount and added tax. Null: unit price times quantity. */
  total_cents: number | null
  tax_cents: Generated<number>
  /** Whether the product had special return terms when it was ordered. Null: an earlier version placed the order. */
  has_return_note: boolean | null
  /** The shipment of its pieces that are not cancelled. Null: not shipped, or by an earlier version. */
  shipment_id: string | null
}

interface ShipmentsTable {
  id: string
  order_id: string
  carrier: string | null
  tracking_numbers: Generated<string[]>
  /** Whether pieces of the order were still open afterwards. */
  is_partial: boolean
  shipped_at: Timestamp
  /** When the email about numbers that were added later was queued. */
  tracking_emailed_at: Generated<Date | null>
}

interface OrderChargesTable {
  order_id: string
  number: number
  kind: ChargeKind
  label: string
  amount_cents: number
  is_included: Generated<boolean>
}

interface TwoStepLoginsTable {
  customer_id: string
  secret: string
  last_step: Generated<number>
  confirmed_at: NullableTimestamp
  recovery_hashes: Generated<string[]>
}

interface TwoStepSignInsTable {
  issuer: string
  sid: string
  customer_id: string
  confirmed_at: Timestamp
}

interface ShopSettingsTable {
  name: string
  value: Json<Record<string, unknown>>
  version: Generated<number>
  changed_at: Timestamp
}

export interface DocumentsTable {
  id: string
  kind: DocumentKind
  slug: string
  legal_kind: LegalKind | null
  archived_at: NullableTimestamp
  /** When an archived document is visible again. */
  restores_at: NullableTimestamp
  created_at: Timestamp
}

interface DocumentVersionsTable {
  document_id: string
  number: number
  title: string
  summary: Generated<string>
  category: Generated<string>
  image: string | null
  body: string
  saved_by: string | null
  saved_at: Timestamp
  published_at: NullableTimestamp
}

export interface RedirectsTable {
  path: string
  product_id: string | null
  document_id: string | null
  target: string | null
  source: 'renamed' | 'file' | 'admin'
  created_at: Timestamp
}

interface SynonymsTable {
  id: string
  phrases: string[]
}

export interface ShippingRatesTable {
  id: string
  position: number
  name: string
  note: Generated<string>
  places: Generated<string[]>
  max_grams: number | null
  price_cents: number
  free_from_cents: number | null
  /** Null: the order is shipped. */
  pickup_place: string | null
}

export interface TaxRatesTable {
  id: string
  place: string
  label: string
  rate_ppm: number
  is_included: boolean
  taxes_shipping: boolean
}

export interface CouponsTable {
  id: string
  code: string
  /** The form in which codes are compared: capitals and digits. */
  code_key: string
  kind: CouponKind
  /** Only of a percentage. */
  rate_ppm: number | null
  /** Only of an amount. */
  amount_cents: number | null
  min_goods_cents: Generated<number>
  product_kind: string | null
  brand: string | null
  starts_at: NullableTimestamp
  ends_at: NullableTimestamp
  max_uses: number | null
  once_per_buyer: Generated<boolean>
  /** Its orders that are not cancelled. */
  used: Generated<number>
}

export interface OrderEventsTable {
  id: Generated<number>
  order_id: string
  kind: (typeof orderEventKinds)[number]
  actor_id: string | null
  by_guest: Generated<boolean>
  client_ip: string | null
  /** Why a shipment was set back, for the customer. */
  reason: string | null
  occurred_at: Timestamp
}

interface StockMovementsTable {
  id: Generated<number>
  variant_id: string
  kind: 'sale' | 'release' | 'return' | 'restock' | 'count'
  quantity: number
  order_id: string | null
  /** Only of a return. */
  refund_id: string | null
  moved_by: string | null
  by_guest: Generated<boolean>
  client_ip: string | null
  created_at: Timestamp
  /** The import that made the movement. */
  import_id: string | null
}

export interface PaymentsTable {
  provider: string
  intent_id: string
  order_id: string
  attempt: number
  amount_cents: number
  currency: 'usd'
  status: 'open' | 'processing' | 'succeeded' | 'cancelled' | 'unmatched'
  checked_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface RefundsTable {
  id: string
  provider: string
  intent_id: string
  order_id: string
  amount_cents: number
  kind: Generated<Refund['kind']>
  reason: string
  idempotency_key: string | null
  return_id: string | null
  /** How it was closed. */
  note: Generated<string>
  status: Generated<Refund['status']>
  attempt: Generated<number>
  provider_refund_id: string | null
  failure: string | null
  next_attempt_at: NullableTimestamp
  /** Set while a process requests it from the provider. */
  requested_until: NullableTimestamp
  /** When the provider was last asked whether it has failed after its success. */
  checked_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

/** Line 0 is the shipping. */
export interface RefundLinesTable {
  refund_id: string
  line_number: number
  pieces: Generated<number>
  /** Pieces that went back to the stock. */
  restocked: Generated<number>
  amount_cents: number
  /** The tax in the amount. */
  tax_cents: number
}

export interface ReturnsTable {
  id: string
  /** Null: a withdrawal that is not assigned to an order yet. */
  order_id: string | null
  is_withdrawal: boolean
  status: Generated<Return['status']>
  order_number: string
  email: string
  name: string
  note: Generated<string>
  /** The reason or the next step, for the customer. */
  reply: Generated<string>
  requested_at: Timestamp
  /** Only withdrawals have one. */
  idempotency_key: string | null
}

export interface ReturnLinesTable {
  return_id: string
  line_number: number
  pieces: number
  reason: Return['lines'][number]['reason'] | null
}

export interface InvoicesTable {
  kind: InvoiceKind
  number: number
  order_id: string
  /** Only of a credit note. */
  refund_id: string | null
  /** As it was when the document was issued. */
  seller: Json<Seller>
  issued_at: Timestamp
}

export interface ReviewsTable {
  id: string
  customer_id: string | null
  name: string
  photo: Generated<string>
  email: Generated<string>
  designation: Generated<string>
  review: Generated<string>
  created_at: Timestamp
}

export interface MailOutboxTable {
  id: string
  kind:
    | (typeof orderEmailKinds)[number]
    | 'password-reset'
    | 'email-verification'
    | 'email-change'
    | 'email-changed'
    | 'password-changed'
    | 'invitation'
  email: string
  /** The id of the order, the refund, the return, the shipment, the event or the invitation; of the account, or empty, for other emails. */
  subject: Generated<string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  attempts: Generated<number>
  next_attempt_at: Timestamp
  /** Not tried again. */
  failed_at: NullableTimestamp
  /** The reason of the last failed attempt, as codes. */
  failure: string | null
}

/** The shop's tables, as created by `db/migrations`, except tables that only triggers and plain SQL use. */
export interface Database {
  products: ProductsTable
  variants: VariantsTable
  product_changes: ProductChangesTable
  changes: ChangesTable
  brands: BrandsTable
  shipping_rates: ShippingRatesTable
  synonyms: SynonymsTable
  shop_settings: ShopSettingsTable
  two_step_logins: TwoStepLoginsTable
  two_step_sign_ins: TwoStepSignInsTable
  documents: DocumentsTable
  document_versions: DocumentVersionsTable
  redirects: RedirectsTable
  kind_attributes: KindAttributesTable
  tax_rates: TaxRatesTable
  coupons: CouponsTable
  size_charts: SizeChartsTable
  certificates: CertificatesTable
  product_pictures: ProductPicturesTable
  sitemap_entries: SitemapEntriesTable
  customers: CustomersTable
  customer_identities: CustomerIdentitiesTable
  profile_photos: ProfilePhotosTable
  addresses: AddressesTable
  cart_lines: CartLinesTable
  role_changes: RoleChangesTable
  invitations: InvitationsTable
  orders: OrdersTable
  order_documents: OrderDocumentsTable
  staff_notes: StaffNotesTable
  order_lines: OrderLinesTable
  order_charges: OrderChargesTable
  order_events: OrderEventsTable
  shipments: ShipmentsTable
  stock_movements: StockMovementsTable
  payments: PaymentsTable
  refunds: RefundsTable
  refund_lines: RefundLinesTable
  returns: ReturnsTable
  return_lines: ReturnLinesTable
  invoices: InvoicesTable
  secret_fingerprint: SecretFingerprintTable
  reviews: ReviewsTable
  mail_outbox: MailOutboxTable
  product_imports: ProductImportsTable
  wrong_import_rows: WrongImportRowsTable
  replaced_values: ReplacedValuesTable
  supplier_files: SupplierFilesTable
  redirect_import_rows: RedirectImportRowsTable
  pictures: PicturesTable
  picture_files: PictureFilesTable
  picture_downloads: PictureDownloadsTable
  makes: MakesTable
  models: ModelsTable
  bikes: BikesTable
  bike_aliases: BikeAliasesTable
  fitments: FitmentsTable
  part_numbers: PartNumbersTable
  garage_bikes: GarageBikesTable
}
