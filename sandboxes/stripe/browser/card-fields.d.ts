export type Brand = 'visa' | 'mastercard' | 'amex' | 'unknown'

export interface Problem {
  code: string
  message: string
}

export function toDigits(text: string): string
export function detectBrand(number: string): Brand
export function getLengths(brand: Brand): { number: number; cvc: number }
export function showNumber(number: string): string
export function readExpiry(text: string): string
export function showExpiry(digits: string, isDeleting: boolean): string
export function refuseNumber(number: string, testNumbers: readonly string[]): Problem | null
export function refuseExpiry(digits: string, today: Date): Problem | null
export function refuseCvc(cvc: string, brand: Brand): Problem | null
