import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

export const password = 'secret-1'
export const newEmail = (): string => `rider-${randomUUID().slice(0, 8)}@example.com`

/** Fills the sign-up form that is on the page, and waits until it is gone. */
export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await page.getByLabel('Name').fill('Robin Rider')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Account created successfully')).toBeVisible()
  return email
}

/** Signs in on the login page, and waits until it is left. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Successfully Logged in')).toBeVisible()
  await expect(page).not.toHaveURL(/\/login/)
}

/** Types a card into the provider's frame. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe[title="Secure card payment input frame"]')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill('12 / 34')
  await frame.getByLabel('CVC').fill('123')
}
