import { expect, test } from 'vitest'
import { toEmailUrl, toPhoneUrl } from './contact-urls.ts'

test.each([
  ['+1 (555) 555-0100', 'tel:+15555550100'],
  ['+44 (0)20 7946 0958', 'tel:+442079460958'],
  ['(0)20 7946 0958', 'tel:02079460958'],
  ['555-0100 ext. 12', 'tel:5550100'],
  ['555-0100 x12', 'tel:5550100'],
  ['555-0100 #12', 'tel:5550100'],
])('the link of the phone number %s is %s', (phone, url) => {
  expect(toPhoneUrl(phone)).toBe(url)
})

test.each([
  ["o'neil+shop@example.com", "mailto:o'neil%2Bshop@example.com"],
  ['a?cc=b@example.com', 'mailto:a%3Fcc%3Db@example.com'],
])('the link of the email %s has no fields of its own', (email, url) => {
  expect(toEmailUrl(email)).toBe(url)
})
