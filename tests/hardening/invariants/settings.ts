import type { Invariant } from './invariant.ts'

export const settingRules: Invariant[] = [
  {
    rule: 'each version of a group of settings is one change in the audit',
    offenders: `select s.name, version, count(c.id) as changes
      from shop_settings s left join changes c on c.area = 'settings' and c.subject = s.name
      group by s.name, version having count(c.id) <> version`,
  },
  {
    rule: 'a colour of the brand is a colour',
    offenders: `select field, text from shop_settings s, jsonb_each_text(s.value) as saved (field, text)
      where name = 'brand' and field like 'accent%' and text !~ '^#[0-9a-f]{6}$'`,
  },
  {
    rule: 'a picture of the settings is in the shop',
    offenders: `select s.name, used.match[1] as hash
      from shop_settings s, regexp_matches(s.value::text, '/pictures/uploaded/([0-9a-f]{32})-', 'g') as used (match)
      where not exists (select from pictures where hash = used.match[1])`,
  },
  {
    rule: 'a text of an email has no line break in its subject',
    offenders: `select kind, texts->>'subject' as subject
      from shop_settings s, jsonb_each(s.value) as saved (kind, texts)
      where name = 'emails' and texts->>'subject' ~ '[[:cntrl:]]'`,
  },
  {
    rule: 'a recorded change has a value, and only values that it changed',
    offenders: `select id, area, subject from changes where after = '{}'
      or exists (select from jsonb_each(after) as current where before -> key = value)`,
  },
]
