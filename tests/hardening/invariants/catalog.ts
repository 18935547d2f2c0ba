import type { Invariant } from './invariant.ts'

export const catalogRules: Invariant[] = [
  {
    rule: 'the sitemap lists exactly the products that are for sale',
    offenders: `select id, deleted_at, hidden, is_listed from products left join sitemap_entries on product_id = id
      where is_listed is distinct from (deleted_at is null and not hidden)`,
  },
  {
    rule: 'facet_lexemes contains each word of a product for its kind and its brand',
    offenders: `select id, facet, value, lexeme from products,
      unnest(tsvector_to_array(document)) as lexeme,
      lateral (values ('kind', coalesce(kind, '')), ('brand', coalesce(brand, ''))) as own (facet, value)
      where not starts_with(lexeme, ':') and (facet, value, lexeme) not in (select * from facet_lexemes)`,
  },
  {
    rule: 'every product has 1 to 200 variants: with own options each has a size or colour, else the only one has none',
    offenders: `select p.id, options, count(v.id) as variants from products p
      left join variants v on v.product_id = p.id and v.removed_at is null
      where p.deleted_at is null group by p.id
      having count(v.id) not between 1 and case options when 'variants' then 200 else 1 end
        or options <> 'variants' and bool_or(v.id <> p.id or coalesce(v.size, v.colour, v.swatch, v.image) is not null)
        or options = 'variants' and bool_or(coalesce(v.size, v.colour) is null)`,
  },
  {
    rule: 'the variants of a product all have a size or none has, and likewise a colour',
    offenders: `select product_id, count(size) as sizes, count(colour) as colours, count(*) as variants from variants
      where removed_at is null group by product_id
      having count(size) not in (0, count(*)) or count(colour) not in (0, count(*))`,
  },
  {
    rule: 'a product with own options has a minimum order of 1, and no variant is between two values',
    offenders: `select p.id, v.id as variant from products p join variants v on v.product_id = p.id
      where options = 'variants' and minimum_quantity <> 1 or v.removed_at = 'infinity'`,
  },
  {
    rule: 'the price of a product is the lowest of its variants, and at least one variant has it from the product',
    offenders: `select p.id, p.price_cents from products p
      join variants v on v.product_id = p.id and v.removed_at is null where p.deleted_at is null
      group by p.id having min(v.price_cents) < p.price_cents or bool_and(v.price_cents is not null)`,
  },
  {
    rule: 'the pictures of a product after the first one have the positions from 2 without gaps',
    offenders: `select product_id, array_agg(position order by position) from product_pictures
      where position > 1 group by product_id having count(*) <> max(position) - 1`,
  },
  {
    rule: 'a live product of a finished download shows the copy, and the shop has it',
    offenders: `select url, p.id from picture_downloads d join products p on p.id = any(product_ids) and deleted_at is null
      where d.state = 'done' and (p.image = url
        or exists (select from variants v where v.product_id = p.id and removed_at is null and v.image = url)
        or exists (select from product_pictures o where o.product_id = p.id and o.image = url)
        or not exists (select from pictures where hash = substring(d.image from '^/pictures/uploaded/([0-9a-f]{32})')))`,
  },
  {
    rule: 'the attributes of a kind have different names, and only choices have choices',
    offenders: `select kind from kind_attributes, jsonb_array_elements(attributes) as definition
      group by kind having count(*) > count(distinct lower(definition ->> 'name'))
        or bool_or((definition ->> 'type' = 'choice') <> (definition ? 'choices'))`,
  },
  {
    rule: 'each attribute of a product is a number with at most three decimals, or a text',
    offenders: `select id, key, value from products, jsonb_each(attributes)
      where jsonb_typeof(value) not in ('number', 'string')
        or (jsonb_typeof(value) = 'number' and (value::numeric <> round(value::numeric, 3) or abs(value::numeric) >= 1000000))`,
  },
  {
    rule: 'the certificate values of a product are those of its certificates, and the filter terms are the values',
    offenders: `select p.id, certificate_values, own from products p
      cross join lateral (select array(select distinct case
          when class = '' or standard like 'ECE %' or standard = 'EN 13634' then standard
          else standard || ' ' || class end
        from certificates where product_id = p.id) as own) c
      where not (certificate_values <@ own and own <@ certificate_values)
        or not (array(select 'certificate:' || value from unnest(own) as value) <@ tsvector_to_array(terms))`,
  },
  {
    rule: 'each row of a size chart has a range for each of its measures, or none',
    offenders: `select id, row ->> 'size' as size from size_charts, jsonb_array_elements(rows) as row
      where jsonb_array_length(row -> 'values') <> jsonb_array_length(columns)
        or exists (select from jsonb_array_elements(row -> 'values') as range
          where jsonb_typeof(range) = 'array' and (range ->> 0)::numeric > (range ->> 1)::numeric)`,
  },
]
