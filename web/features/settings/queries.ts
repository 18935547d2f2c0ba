import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { EmailDraft, SettingGroup, SettingValue } from '../../../contract/settings.ts'
import { call, callForVersion, type Versioned } from '../../api.ts'
import { storeInTab } from '../../tab-storage.ts'

/** The saved fields of a group; the others have their defaults. */
export const settingsQuery = <Group extends SettingGroup>(name: Group) =>
  queryOptions({
    queryKey: ['settings', name],
    queryFn: async ({ signal }): Promise<Versioned<SettingValue<Group>>> => {
      const { value, etag } = await callForVersion('getSettings', { params: { name }, signal })
      return { value: value as SettingValue<Group>, etag }
    },
  })

export interface IfMatch {
  'if-match': string
}

const saves: {
  [Group in SettingGroup]: (body: SettingValue<Group>, headers: IfMatch) => Promise<unknown>
} = {
  shop: (body, headers) => call('saveShopSettings', { body, headers }),
  brand: (body, headers) => call('saveBrandSettings', { body, headers }),
  footer: (body, headers) => call('saveFooterSettings', { body, headers }),
  home: (body, headers) => call('saveHomeSettings', { body, headers }),
  emails: (body, headers) => call('saveEmailSettings', { body, headers }),
}

/** Replaces a group of settings if it still has this version. */
export const saveSettings = <Group extends SettingGroup>(
  name: Group,
  body: SettingValue<Group>,
  headers: IfMatch,
): Promise<unknown> => saves[name](body, headers)

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => call('getSetup', { signal }),
})

/** Set in the tab until the page that was loaded again has shown it. */
export const savedKey = 'settings-saved'

/** Loads the document again, because header, footer and colours are parts of it. Never resolves. */
export function showSaved(): Promise<never> {
  storeInTab(savedKey, true)
  window.location.reload()
  return new Promise(() => {})
}

/** An email with texts that need not be saved. */
export const emailPreviewQuery = (draft: EmailDraft) =>
  queryOptions({
    queryKey: ['email-preview', draft],
    queryFn: ({ signal }) => call('previewEmail', { body: draft, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
