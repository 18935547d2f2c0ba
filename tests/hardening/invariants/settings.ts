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
    rule: 'a document has at most one draft, which is its newest version, and at most one scheduled version',
    offenders: `select document_id, count(*) from document_versions group by document_id
      having count(*) filter (where published_at is null) > 1
        or count(*) filter (where published_at > now()) > 1
        or max(number) <> coalesce(max(number) filter (where published_at is null), max(number))`,
  },
  {
    rule: 'no redirect has the path of a document, and none leads to another redirect',
    offenders: `select path from redirects
      join documents on path = case kind when 'page' then '/pages/' else '/blogs/' end || slug
      union all
      select redirects.path from redirects
      join redirects next on next.path = lower(regexp_replace(redirects.target, '/?([?#].*)?$', ''))`,
  },
  {
    rule: 'a recorded change has a value, and only values that it changed',
    offenders: `select id, area, subject from changes where after = '{}'
      or exists (select from jsonb_each(after) as current where before -> key = value)`,
  },
]
