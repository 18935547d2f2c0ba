/** Reads, formats and checks card input. Does not use the DOM. */

/** Returns only the digits of a text. */
export function toDigits(text) {
  return text.replace(/\D/g, '')
}

/** Returns the brand by the first digits, with Stripe's names. */
export function detectBrand(number) {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'amex'
  return 'unknown'
}

/** Returns the number of digits of card number and security code. */
export function getLengths(brand) {
  return brand === 'amex' ? { number: 15, cvc: 4 } : { number: 16, cvc: 3 }
}

/** Returns the digits in groups as on the card. */
export function showNumber(number) {
  const groups =
    detectBrand(number) === 'amex'
      ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/
      : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/
  return (groups.exec(number) ?? []).slice(1).filter(Boolean).join(' ')
}

/** Reads `1234`, `12/34`, `1/34`, `12 / 2034`. Returns up to four digits, month first. */
export function readExpiry(text) {
  const digits = toDigits(text)
  const hasShortMonth = /^\s*[1-9]\s*\//.test(text) || /^[2-9]/.test(digits) || /^1[3-9]/.test(digits)
  const padded = hasShortMonth ? `0${digits}` : digits.replace(/^00+/, '0')
  return (/^\d{2}20\d{2}$/.test(padded) ? padded.slice(0, 2) + padded.slice(4) : padded).slice(0, 4)
}

/** @param isDeleting omits the separator, so that it can be deleted */
export function showExpiry(digits, isDeleting) {
  if (digits.length < 2 || (digits.length === 2 && isDeleting)) return digits
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

/** Returns the problem of a card number, or null. */
export function refuseNumber(number, testNumbers) {
  if (number.length < getLengths(detectBrand(number)).number) {
    return { code: 'incomplete_number', message: 'Your card number is incomplete.' }
  }
  if (!hasCheckDigit(number)) return { code: 'invalid_number', message: 'Your card number is invalid.' }
  if (testNumbers.includes(number)) return null
  return {
    code: 'test_mode_live_card',
    message: 'Only test cards are accepted here: never type a real card.',
  }
}

/** Returns the problem of a month and year in four digits, or null. */
export function refuseExpiry(digits, today) {
  if (digits.length < 4) {
    return { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." }
  }
  const month = Number(digits.slice(0, 2))
  const year = 2000 + Number(digits.slice(2))
  const thisYear = today.getFullYear()
  if (year < thisYear) {
    return { code: 'invalid_expiry_year_past', message: "Your card's expiration year is in the past." }
  }
  if (year > thisYear + 50) {
    return { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." }
  }
  if (year > thisYear || month > today.getMonth()) return null
  return { code: 'invalid_expiry_month_past', message: "Your card's expiration date is in the past." }
}

/** Returns the problem of a security code, or null. */
export function refuseCvc(cvc, brand) {
  if (cvc.length >= getLengths(brand).cvc) return null
  return { code: 'incomplete_cvc', message: "Your card's security code is incomplete." }
}

/** Verifies the last digit, which is a Luhn checksum of the others. */
function hasCheckDigit(number) {
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
