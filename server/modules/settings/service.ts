import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { readUploaded } from '../../../contract/pictures.ts'
import {
  type BrandGroup,
  EmailsGroup,
  type HomeGroup,
  type SettingGroup,
  type SettingValue,
} from '../../../contract/settings.ts'
import { TwoStepPolicy } from '../../../contract/two-step.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { Tagged } from '../../platform/http/etag.ts'
import { parsed } from '../../platform/http/parse-request.ts'
import { recordChange } from '../audit/service.ts'
import { holdPicture } from '../pictures/service.ts'
import * as repository from './repository.ts'
import {
  describeValue,
  dropBlank,
  dropDefaultTexts,
  hasInventedStats,
  refuseColors,
  refuseTexts,
  type SavedValue,
} from './rules.ts'

export { createSettingsReader, getSavedShop, type SettingsReader } from './reader.ts'
export type { PublishedSettings } from './rules.ts'

const tag = (found: Pick<repository.SavedGroup, 'value' | 'version'> | undefined): Tagged<SavedValue> => ({
  value: found?.value ?? {},
  etag: `"${found?.version ?? 0}"`,
})

/** Returns a group as it is saved. */
export const getSettings = async (db: Kysely<Database>, name: SettingGroup): Promise<Tagged<SavedValue>> =>
  tag(await repository.findSettings(db, name))

interface Save<Group extends SettingGroup> {
  name: Group
  value: SettingValue<Group>
  /** The ETag of the edited values. */
  etag: string
  savedBy: Actor
}

/**
 * Replaces a group of settings. Nothing is saved if it is unchanged, with any ETag: a client that did not get the response
 * repeats its save.
 *
 * @throws SETTINGS_CHANGED with the present values; CONTRAST_TOO_LOW, INVALID_REQUEST, PLACEHOLDER_UNKNOWN,
 * PICTURE_NOT_FOUND with a message for each field
 */
export async function saveSettings<Group extends SettingGroup>(
  db: Kysely<Database>,
  { name, value: typed, etag, savedBy }: Save<Group>,
): Promise<Tagged<SavedValue>> {
  const value = name === 'emails' ? dropDefaultTexts(typed as EmailsGroup) : dropBlank(typed)
  return inTransaction(db, async (tx) => {
    const current = await repository.findSettings(tx, name)
    const present = tag(current)
    const isUnchanged = isDeepStrictEqual(value, present.value)
    if (present.etag !== etag && !isUnchanged) {
      throw new ShopError('SETTINGS_CHANGED', { details: { ...present } })
    }
    await checkValue(tx, name, value, present.value)
    if (isUnchanged) return present
    const version = await repository.saveSettings(tx, name, value, current?.version ?? 0)
    if (version === undefined) {
      throw new ShopError('SETTINGS_CHANGED', { details: { ...(await getSettings(tx, name)) } })
    }
    await recordChange(tx, {
      area: 'settings',
      subject: name,
      before: describeValue(present.value),
      after: describeValue(value),
      actor: savedBy,
    })
    return tag({ value, version })
  })
}

/** Returns whether staff must have two-step login. */
export async function readTwoStepPolicy(db: Kysely<Database>): Promise<TwoStepPolicy> {
  const saved = await repository.findSettings(db, 'two_step')
  return TwoStepPolicy.safeParse(saved?.value).data ?? { staff: 'off' }
}

/** Saves whether staff must have two-step login. The caller checks who may. */
export async function saveTwoStepPolicy(
  db: Kysely<Database>,
  policy: TwoStepPolicy,
  savedBy: Actor,
): Promise<TwoStepPolicy> {
  return inTransaction(db, async (tx) => {
    const before = await readTwoStepPolicy(tx)
    if (before.staff === policy.staff) return policy
    const current = await repository.findSettings(tx, 'two_step')
    const version = await repository.saveSettings(tx, 'two_step', policy, current?.version ?? 0)
    if (version === undefined) throw new ShopError('SETTINGS_CHANGED')
    await recordChange(tx, { area: 'settings', subject: 'two_step', before, after: policy, actor: savedBy })
    return policy
  })
}

/** @throws CONTRAST_TOO_LOW, INVALID_REQUEST, PLACEHOLDER_UNKNOWN, PICTURE_NOT_FOUND */
async function checkValue(
  tx: Kysely<Database>,
  name: SettingGroup,
  value: SavedValue,
  saved: SavedValue,
): Promise<void> {
  if (name === 'brand') return checkBrand(tx, value)
  if (name === 'home') return checkPictures(tx, listHomePictures(value))
  if (name === 'emails') checkTexts(leaveOutUnchanged(value, saved))
}

/** @throws INVALID_REQUEST, PLACEHOLDER_UNKNOWN */
function checkTexts(changed: SavedValue): void {
  const fields = refuseTexts(parsed(EmailsGroup, changed) as EmailsGroup)
  if (fields) throw new ShopError('PLACEHOLDER_UNKNOWN', { fields })
}

/** Unchanged texts are not checked: an earlier version of the shop may have saved them. */
const leaveOutUnchanged = (value: SavedValue, saved: SavedValue): SavedValue =>
  Object.fromEntries(Object.entries(value).filter(([kind, texts]) => !isDeepStrictEqual(texts, saved[kind])))

const pictureFields = ['logo', 'logoOnDark', 'icon', 'shareImage'] as const

/** @throws CONTRAST_TOO_LOW, PICTURE_NOT_FOUND */
async function checkBrand(tx: Kysely<Database>, brand: BrandGroup): Promise<void> {
  const fields = refuseColors(brand)
  if (fields) throw new ShopError('CONTRAST_TOO_LOW', { fields })
  await checkPictures(tx, Object.fromEntries(pictureFields.map((field) => [field, brand[field] ?? ''])))
}

const listHomePictures = ({ picture = '', banners = [] }: HomeGroup): Record<string, string> => ({
  picture,
  ...Object.fromEntries(banners.map((banner, index) => [`banners.${index}.picture`, banner.picture])),
})

/**
 * @param pictures URLs by the path of their field, perhaps blank
 * @throws PICTURE_NOT_FOUND
 */
async function checkPictures(tx: Kysely<Database>, pictures: Record<string, string>): Promise<void> {
  for (const [field, url] of Object.entries(pictures)) {
    const picture = readUploaded(url)
    if (picture && !(await holdPicture(tx, picture))) {
      throw new ShopError('PICTURE_NOT_FOUND', { fields: { [field]: 'Upload this picture again.' } })
    }
  }
}

/**
 * Removes the invented figures, the sample posts and the links without a target from all pages.
 *
 * @returns whether the shop had them
 * @throws SETTINGS_CHANGED if an admin saves the home page at the same time
 */
export async function removePlaceholders(db: Kysely<Database>, savedBy: Actor): Promise<boolean> {
  const { value, etag } = await getSettings(db, 'home')
  const { stats, ...others } = value as HomeGroup
  const home = hasInventedStats(value) ? others : { ...others, stats }
  const saved = await saveSettings(db, {
    name: 'home',
    value: { ...home, placeholders: false },
    etag,
    savedBy,
  })
  return saved.etag !== etag
}
