import type { EmailSender } from '../server/modules/mail/service.ts'

/** The shop without settings, as its emails show it. */
export const plainSender: EmailSender = {
  origin: 'https://shop.test',
  shopName: 'Torque Yard',
  logo: null,
  accent: null,
  accentOnDark: null,
  fromName: null,
  replyTo: null,
  seller: { name: 'Torque Yard', address: [] },
  contactEmail: null,
  texts: {},
}
