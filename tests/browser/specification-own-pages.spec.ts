import sharp from 'sharp'
import { callAs, expectError, expectLongest, failing, field } from './specification-steps.ts'
import { enterAsNewRider, pauseToasts } from './steps.ts'
import { expect, test } from './test.ts'

test('a customer edits the profile', async ({ page, expectConsole }) => {
  expectConsole(/status of 500|ERR_FAILED/)
  const email = await enterAsNewRider(page)
  await page.goto('/dashboard')

  await test.step('my profile is shown, edited and hidden again, and a blank field keeps the old value', async () => {
    const detail = (name: string) =>
      page
        .getByRole('main')
        .locator('dl > div')
        .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
        .getByRole('definition')
    await expect(detail('Name')).toHaveText('Robin Rider')
    await expect(detail('Email')).toHaveText(email)
    await expect(page.getByRole('main').locator('img').first()).toHaveAttribute('src', /avatar/)
    await expect(field(page, 'Full Name')).toHaveCount(0)

    const edit = page.getByRole('button', { name: 'Edit Profile' })
    await edit.click()
    await expect(field(page, 'Full Name')).toBeFocused()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(edit).toBeFocused()
    await edit.click()
    await expect(field(page, 'Full Name')).toHaveValue('Robin Rider')
    await expect(field(page, 'Sex').locator('option')).toContainText(['Male', 'Female', 'Common'])
    await expect(field(page, 'Sex').locator('option[value]')).toHaveCount(1)
    const photo = '/pictures/chain/336699.svg'
    const values = {
      'Full Name': 'Robin R.',
      'Date of Birth': '1990-04-30',
      Contact: '555 01',
      Bio: 'Rides.',
    }
    for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
    await field(page, 'Sex').selectOption('Common')
    await field(page, 'Profile picture link').fill(photo)
    const sent = page.waitForRequest('**/api/create-user/*')
    await field(page, 'Full Name').press('Enter')
    const { name, birthday, phone, sex, bio } = (await sent).postDataJSON()
    expect([name, birthday, phone, sex, bio]).toEqual([
      'Robin R.',
      '1990-04-30',
      '555 01',
      'Common',
      'Rides.',
    ])
    await expect(page.getByText('Profile Successfully Updated')).toBeVisible()
    await pauseToasts(page)
    await expect(field(page, 'Full Name')).toHaveCount(0)

    // The toast covers the button.
    await page.getByRole('button', { name: 'close', exact: true }).last().click()
    const details = { Name: 'Robin R.', Birthday: /1990/, Phone: '555 01', Sex: 'Common', Bio: 'Rides.' }
    for (const [name, value] of Object.entries(details)) await expect(detail(name)).toHaveText(value)
    await expect(page.getByRole('main').locator('img').first()).toHaveAttribute('src', photo)
    await expect(page.getByRole('button', { name: 'Account' }).locator('img')).toHaveAttribute('src', photo)

    await edit.click()
    for (const label of [...Object.keys(values), 'Profile picture link']) await field(page, label).fill('')
    await field(page, 'Sex').selectOption('')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(field(page, 'Full Name')).toHaveCount(0)
    for (const [name, value] of Object.entries(details)) await expect(detail(name)).toHaveText(value)
  })

  await test.step('my profile shows an error at a field that is too long or not a URL, and keeps the input after a failure', async () => {
    // Without the toast, which covers the button.
    await page.reload()
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const update = page.getByRole('button', { name: 'Update', exact: true })
    await expectLongest(page, update, { 'Full Name': 120, Contact: 40, Bio: 2000 })
    await field(page, 'Profile picture link').fill('ftp://example.com/me.png')
    await update.click()
    await expectError(page, 'Profile picture link', 'Enter an image URL that starts with http or https')
    await field(page, 'Profile picture link').fill('')

    const failure = await failing(page, '**/api/create-user/*')
    await update.click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'Something went wrong on our side' }),
    ).toBeVisible()
    expect(failure.asked()).toBe(1)
    await expect(field(page, 'Contact')).toHaveValue('x'.repeat(40))
    await failure.end()
    await update.click()
    await expect(page.getByText('Profile Successfully Updated')).toBeVisible()
  })

  await test.step('with reduced motion a toast stays as long as without', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(page.getByText('Profile Successfully Updated').last()).toBeVisible()
    await expect(page.getByRole('progressbar').last()).toHaveCSS('animation-duration', '5s')
  })

  await test.step('an uploaded photo is shown at once, cut to a square', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3366aa' } })
      .png()
      .toBuffer()
    const chooser = page.getByLabel('Choose a profile picture')
    await chooser.focus()
    await chooser.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo })
    await expect(field(page, 'Profile picture link')).toHaveValue(/^\/pictures\/uploaded\//)
    await expect(page.getByRole('status').filter({ hasText: 'Uploaded' })).toBeVisible()
    await expect(chooser).toBeFocused()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.locator('img[width="160"]')).toHaveAttribute('src', /^\/pictures\/uploaded\//)
  })

  await test.step('a linked photo is never requested from its server by the browser, and the helmet replaces it', async () => {
    const photo = 'http://127.0.0.1:9/gone.jpg'
    const strange: string[] = []
    page.on('request', (request) => {
      if (request.url() === photo) strange.push(request.url())
    })
    await callAs(page, 'PUT', `/create-user/${email}`, { photo })
    await page.reload()
    const photos = page.locator('img[width="160"], img[width="44"]')
    await expect(photos).toHaveCount(2)
    for (const each of await photos.all()) await expect(each).toHaveAttribute('src', /\/assets\/avatar/)
    expect(strange).toEqual([])
  })
})

test('add a review has no validation, keeps the input after Failed, and links the review after Review Submitted', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of [45]00|ERR_FAILED/)
  await enterAsNewRider(page)
  await page.goto('/dashboard/add-review')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a Review')
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(2)
  const submit = page.getByRole('button', { name: 'Submit' })
  await field(page, 'Review').fill('x'.repeat(10_001))
  await submit.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'A review can have at most 10,000 characters.' }),
  ).toBeVisible()
  await field(page, 'Designation').fill('Commuter')
  for (const how of [500, 'away'] as const) {
    const failure = await failing(page, '**/api/add-review', how)
    await submit.click()
    // The message of the attempt before may still be visible.
    await expect.poll(failure.asked).toBe(1)
    await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible()
    await expect(field(page, 'Designation')).toHaveValue('Commuter')
    await expect(field(page, 'Review')).toHaveValue('x'.repeat(10_001))
    await failure.end()
  }
  await field(page, 'Review').fill('Two chains, one clear price each.')
  const sent = page.waitForRequest('**/api/add-review')
  await submit.click()
  expect((await sent).postDataJSON()).toMatchObject({
    designation: 'Commuter',
    review: 'Two chains, one clear price each.',
  })
  await expect(page.getByText('Review Submitted')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'See your review' })).toBeFocused()
  await page.getByRole('button', { name: 'Write another review' }).click()
  await expect(field(page, 'Designation')).toBeFocused()
  await expect(field(page, 'Designation')).toHaveValue('')
  await expect(field(page, 'Review')).toHaveValue('')
  await submit.click()
  await expect(page.getByText('It has no text, so it is not on the Reviews page.')).toBeVisible()
  await page.getByRole('button', { name: 'Write another review' }).click()
  // Other stories read each part of the newest review.
  await field(page, 'Designation').fill('Commuter')
  await field(page, 'Review').fill('Two chains again.')
  await submit.click()

  await page.getByRole('link', { name: 'See your review' }).click()
  await expect(page).toHaveURL(/\/reviews#review-/)
  await expect(page.locator(new URL(page.url()).hash)).toContainText('Two chains again.')
  const card = page.locator('figure').nth(1)
  for (const text of ['Robin Rider', 'Commuter', 'Two chains, one clear price each.']) {
    await expect(card.getByText(text)).toBeVisible()
  }
})
