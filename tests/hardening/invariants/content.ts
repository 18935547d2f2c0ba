import type { Invariant } from './invariant.ts'

export const contentRules: Invariant[] = [
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
]
