/** Returns the link that dials a typed phone number, without the `(0)` of calls inside the country and without an extension. */
export function toPhoneUrl(phone: string): string {
  const [number = ''] = phone.split(/ext|x|#/i)
  const dialled = number.startsWith('+') ? number.replace('(0)', '') : number
  return `tel:${dialled.replaceAll(/[^+\d]/g, '')}`
}

/** Returns the link that writes to an email. A question mark in an email must not begin fields such as `cc`. */
export const toEmailUrl = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`
