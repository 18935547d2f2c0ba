import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { emailImage } from '../contract/pictures.ts'
import type { Database } from '../db/schema.ts'
import { openGoogleSandbox } from '../sandboxes/google/google.ts'
import { openMailbox } from '../sandboxes/mailbox/mailbox.ts'
import type { ShopDatabase } from './compose-database.ts'
import { openPayments } from './compose-payments.ts'
import type { Config } from './config/config.ts'
import { deleteAddresses } from './modules/addresses/service.ts'
import { emptyCart } from './modules/cart/service.ts'
import * as customers from './modules/customers/service.ts'
import {
  deriveStorageKeys,
  encryptSecretsAgain,
  twoStepLimits,
} from './modules/customers/two-step/service.ts'
import { removeBikes } from './modules/garage/service.ts'
import { openIdentity, realGoogle } from './modules/identity/service.ts'
import { type EmailSender, openMail, openSmtpMailer } from './modules/mail/service.ts'
import { createOrderKeys, moveNotes, openOrderEmails, orderEmailLimits } from './modules/orders/service.ts'
import { type PaymentServices, paymentLimits } from './modules/payments/service.ts'
import { countStoreRequests, openPostgresStore, openS3Store } from './modules/pictures/service.ts'
import { couponLimits } from './modules/pricing/service.ts'
import { openReturnEmails, type ReturnServices, returnLimits } from './modules/returns/service.ts'
import { reviewLimits } from './modules/reviews/service.ts'
import { createSettingsReader, type SettingsReader } from './modules/settings/service.ts'
import { openRateLimiter } from './platform/rate-limiter.ts'

export type ShopServices = Awaited<ReturnType<typeof openServices>>

/** Opens what the modules share: mail, accounts, payments and pictures. Each external service may be a sandbox. */
export async function openServices(
  config: Config,
  { connections, writePool, databaseUrl, secrets }: ShopDatabase,
  log: FastifyBaseLogger,
  cleanup: AsyncDisposableStack,
) {
  const { read, write, background } = connections
  // The cookie after a change lasts a second longer than a page that has the earlier settings.
  const maxAgeMs = Math.min(config.cacheSeconds, 1) * 1000
  const settings = createSettingsReader({ maxAgeMs, seller: config.seller })
  // A process that has read them shows them while the database is unavailable.
  await settings.read(read, true)

  const mailer =
    config.mail === 'mailbox' ? openMailbox(background) : config.mail && openSmtpMailer(config.mail)
  const senderReader = createSenderReader(settings, config.origin)
  const mail = mailer && openMail({ db: background, mailer, readSender: senderReader(false), log })
  if (mail) cleanup.defer(mail.close)

  const google =
    config.google === 'sandbox'
      ? openGoogleSandbox({ origin: config.origin, secrets, verifiesEmails: config.isPrivate })
      : config.google && realGoogle(config.google)
  const identity = await openIdentity({
    ...config,
    google,
    pool: writePool,
    db: write,
    secrets,
    outbox: mail?.outbox ?? null,
    voidAccessTokens: customers.voidTokensOfIdentity,
    clearCustomer,
    changeCustomerEmail: (tx, identity, email) =>
      customers.changeEmailOfIdentity(tx, identity, email, moveNotes),
    log,
  })
  const rateLimiter = openRateLimiter(write, secrets[0], {
    ...customers.photoLimits,
    ...twoStepLimits,
    ...customers.invitationLimits,
    ...reviewLimits(config.reviewsPerDay),
    ...orderEmailLimits,
    ...paymentLimits(config.paymentCallsPerNetwork),
    ...couponLimits,
    ...returnLimits,
  })

  const twoStepKeys = deriveStorageKeys(secrets)
  await encryptSecretsAgain(write, twoStepKeys)

  const invitations: customers.InvitationServices = {
    links: customers.createInvitationLinks(config.origin, secrets),
    outbox: mail?.outbox ?? null,
    rateLimiter,
    readShopName: async (db) => (await settings.read(db)).face.name,
  }

  const provider = await openPayments({ config, databaseUrl, secret: secrets[0], log }, cleanup)
  const orderKeys = createOrderKeys(secrets)
  const orderEmails =
    mail && openOrderEmails({ ...config, rateLimiter, terms: config, orderKeys, outbox: mail.outbox, log })
  const payments: PaymentServices = { gateway: provider.gateway, log, orderEmails, orderKeys, terms: config }

  const returnEmails =
    mail &&
    orderEmails &&
    openReturnEmails({
      outbox: mail.outbox,
      readAddress: async (db) => (await settings.read(db)).seller.address,
      findOrder: orderEmails.findOrder,
    })
  const returns: ReturnServices = { ...payments, returnEmails, returnTerms: config }

  const { store, s3 } = config.pictures
  const pictureStore = countStoreRequests(
    store === 's3' && s3 ? openS3Store(s3, log) : openPostgresStore(write, read),
  )
  return {
    settings,
    /** Null if the shop does not send email. */
    mail,
    /** Reads the shop as emails show it, with all earlier commits. */
    readSender: senderReader(true),
    identity,
    invitations,
    rateLimiter,
    /** They encrypt the keys of authenticator apps. */
    twoStepKeys,
    provider,
    payments,
    returns,
    pictureStore,
  }
}

/** Deletes what an account's customer has saved, except the name. Orders and reviews stay. */
async function clearCustomer(
  tx: Kysely<Database>,
  identity: { issuer: string; subject: string },
): Promise<void> {
  const id = await customers.clearProfile(tx, identity)
  if (id === null) return
  await emptyCart(tx, id)
  await deleteAddresses(tx, id)
  await removeBikes(tx, id)
}

/** Returns functions that read the shop as emails show it: as others see it, or with all earlier commits. */
const createSenderReader =
  (settings: SettingsReader, origin: string) =>
  (fresh: boolean) =>
  async (db: Kysely<Database>): Promise<EmailSender> => {
    const { face, details, seller, contactEmail, savedName, replyTo, emails } = await settings.read(db, fresh)
    const { logo, accent, accentOnDark } = details
    return {
      origin,
      shopName: face.name,
      logo: logo && emailImage(origin, logo),
      accent,
      accentOnDark,
      fromName: savedName,
      replyTo,
      seller,
      contactEmail,
      texts: emails,
    }
  }
