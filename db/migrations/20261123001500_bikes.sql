-- works with: 20261122205500_job_failures.sql
-- Bikes and the parts that fit them (decision 49). Older versions work with the result, but their queries of products wait
-- while this file rewrites the products for the new search terms.

-- Fitment: bikes --------------------------------------------------------------------------------------------------

-- Makes, models and bikes are never deleted, because orders and garages refer to them.
create table makes (
  id smallint generated always as identity primary key,
  name text not null unique check (length(name) between 1 and 60),
  -- For URLs, as `toSlug` makes it of the name.
  slug text not null unique
);

create table models (
  id integer generated always as identity primary key,
  make_id smallint not null references makes,
  name text not null check (length(name) between 1 and 80),
  slug text not null,
  unique (make_id, slug)
);

-- A model in one year. Who adds bikes locks their models `for update`, who adds fitments locks them `for key share`,
-- both before they lock products: neither misses what the other one adds.
create table bikes (
  id integer generated always as identity primary key,
  model_id integer not null references models,
  year smallint not null check (year between 1900 and 2100),
  -- '': not stated. Each model and year has such a bike.
  version text not null default '' check (length(version) <= 40),
  engine_cc smallint check (engine_cc between 20 and 3000),
  source text not null check (length(source) between 1 and 80)
);
create unique index bikes_key on bikes (model_id, year, lower(version collate "C"));

-- Other names of models in the search box, such as 'r6': lower case, only letters and digits.
create table bike_aliases (
  alias_key text primary key check (length(alias_key) between 1 and 40),
  model_id integer not null references models
);

-- The ids of ACES, a format for fitments. The shop loads them under its own license; the project has none.
create table aces_codes (
  kind text check (kind in ('base_vehicle', 'submodel', 'position')),
  id integer,
  model_id integer references models,
  year smallint,
  value text,
  primary key (kind, id)
);

-- Fitment: fitments -----------------------------------------------------------------------------------------------

-- A product fits a range of years of a model, in one version or in all.
create table fitments (
  id bigint generated always as identity primary key,
  product_id text not null references products,
  model_id integer not null references models,
  year_from smallint not null check (year_from >= 1900),
  year_to smallint not null check (year_to between year_from and 2100),
  -- Null: every version.
  version text check (length(version) between 1 and 40),
  position text check (length(position) between 1 and 40),
  -- Per bike.
  pieces smallint check (pieces between 1 and 99),
  note text check (length(note) between 1 and 300),
  source text not null check (length(source) between 1 and 80),
  confirmed_on date,
  unique nulls not distinct (product_id, model_id, year_from, year_to, version, position, source)
);
create index fitments_of_model on fitments (model_id, year_from, year_to);

-- Numbers of the vehicle maker and of other parts makers. Own part numbers and GTINs are in variants.
create table part_numbers (
  product_id text not null references products,
  kind text not null check (kind in ('oem', 'interchange', 'supersedes')),
  maker text not null default '' check (length(maker) <= 80),
  number text not null check (length(number) <= 40 and number ~ '[A-Za-z0-9]'),
  number_key text collate "C" not null generated always as (upper(regexp_replace(number, '[^A-Za-z0-9]', '', 'g'))) stored,
  primary key (product_id, kind, maker, number_key)
);
create index part_numbers_key on part_numbers (number_key, product_id);

alter table products
  add column fit_kind text not null default 'vehicle' check (fit_kind in ('vehicle', 'universal', 'gear')),
  -- Whether the manufacturer names every bike that the part fits.
  add column fit_complete boolean not null default false,
  -- Derived by `refresh_fits`: the bikes that the fitments cover.
  add column fits integer[] not null default '{}',
  -- Derived as well: the bikes without a version of which the fitments cover only some versions.
  add column fits_some integer[] not null default '{}',
  -- Derived from the certificates: standard and class, such as 'EN 17092 AA'.
  add column certificate_values text[] not null default '{}';
-- New columns are null, so that no row is checked. The same holds for those of carts and orders below.
-- squawk-ignore adding-foreign-key-constraint
alter table products add column replaced_by text references products check (replaced_by <> id);

-- Fitment: search -------------------------------------------------------------------------------------------------

-- The filter terms of bikes. They are in the document, because a product has too many of them for the combinations of
-- `product_counts`. No word begins with a colon.
create function product_fit_terms(fit_kind text, fit_complete boolean, fits integer[], fits_some integer[])
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(select ':bike:' || bike from unnest(fits) as bike)
    || array(select ':some:' || bike from unnest(fits_some) as bike)
    || case when fit_kind <> 'vehicle' then array[':fit:' || fit_kind] when fit_complete then '{}'
      else array[':fit:open'] end) $$;

-- A product has few certificates, so they are filter terms like its kind and its brand (decision 50).
create function product_certificate_terms(certificate_values text[])
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(select 'certificate:' || value from unnest(certificate_values) as value)) $$;

alter table products
  alter column document set expression as (
    product_document(name, brand, kind, category, supplier)
    || product_fit_terms(fit_kind, fit_complete, fits, fits_some)),
  alter column terms set expression as (
    product_terms(category, kind, brand, price_cents, stock >= minimum_quantity)
    || product_certificate_terms(certificate_values));

create or replace function add_facet_lexemes(kinds text[], brands text[], documents tsvector[]) returns void
language sql as $$
  insert into facet_lexemes
  select * from (
    select distinct facet, coalesce(value, '') as value, lexeme
    from unnest(kinds, brands, documents) as product (kind, brand, document),
      unnest(tsvector_to_array(document)) as lexeme,
      lateral (values ('kind', kind), ('brand', brand)) as facets (facet, value)
    where not starts_with(lexeme, ':')) as added
  -- A subquery per row: a join would read all of the table for the few words of one product.
  where (
    select true from facet_lexemes as known
    where (known.lexeme, known.facet, known.value) = (added.lexeme, added.facet, added.value) limit 1) is null $$;

-- A change of the fitments changes the document, but none of its words.
create or replace trigger products_words_update after update on products for each row
  when ((old.name, old.brand, old.kind, old.category, old.supplier)
    is distinct from (new.name, new.brand, new.kind, new.category, new.supplier))
  execute function add_changed_words();

-- The document is long, and changes only together with other columns.
create or replace function differs_beyond_stock(old products, new products) returns boolean
language plpgsql immutable as $$
begin
  new.stock := old.stock;
  new.terms := old.terms;
  new.document := null;
  old.document := null;
  return new is distinct from old;
end $$;

-- Recomputes the bikes of products after a change of their fitments or of the bikes. It locks the products in the order
-- of their ids, and writes those that change.
create function refresh_fits(product_ids text[]) returns void language plpgsql as $$
begin
  perform from products where id = any(product_ids) order by id for no key update;
  -- A new statement, which sees what was committed while this one waited for the locks.
  update products set fits = derived.fits, fits_some = derived.fits_some
  from (
    select product.id,
      coalesce(array_agg(covered.bike order by covered.bike) filter (where covered.fits), '{}') as fits,
      coalesce(array_agg(covered.bike order by covered.bike) filter (where not covered.fits and covered.version = ''), '{}')
        as fits_some
    from products as product left join lateral (
      select bikes.id as bike, bikes.version,
        bool_or(fitments.version is null or lower(fitments.version collate "C") = lower(bikes.version collate "C")) as fits
      from fitments join bikes on bikes.model_id = fitments.model_id and year between year_from and year_to
      where product_id = product.id and product.fit_kind = 'vehicle'
      group by bikes.id) as covered on true
    where product.id = any(product_ids)
    group by product.id) as derived
  where products.id = derived.id and (products.fits, products.fits_some) is distinct from (derived.fits, derived.fits_some);
end $$;

-- Audit -----------------------------------------------------------------------------------------------------------

-- The fitments and certificates, which `fits` and `certificate_values` are derived from, have changes of their own.
create or replace function unaudited_product_columns() returns text[] language sql stable as $$
  select '{id, stock, created_at, fits, fits_some, certificate_values}'::text[] || array_agg(attname::text)
  from pg_attribute where attrelid = 'public.products'::regclass and attgenerated <> '' $$;

create or replace function log_added_products() returns trigger language plpgsql as $$
declare
  -- Long texts are in the product until an edit logs their previous values, and no product is added with fitments.
  excluded text[] := unaudited_product_columns()
    || '{deleted_at, description, image, fit_kind, fit_complete, replaced_by}'::text[];
  actor text := nullif(current_setting('shop.actor_id', true), '');
  ip inet := nullif(current_setting('shop.client_ip', true), '')::inet;
begin
  insert into product_changes (product_id, kind, before, after, actor_id, client_ip)
  select added.id, 'added', '{}',
    to_jsonb(added) - excluded || coalesce(jsonb_strip_nulls(audited_variant_columns(first)), '{}'), actor, ip
  from added left join variants as first on first.id = added.id;
  return null;
end $$;

-- Customers: garages, carts, orders -----------------------------------------------------------------------------------

create table garage_bikes (
  customer_id text references customers,
  bike_id integer references bikes,
  is_current boolean not null default false,
  added_at timestamptz not null default now(),
  primary key (customer_id, bike_id)
);
create unique index garage_current on garage_bikes (customer_id) where is_current;

-- squawk-ignore adding-foreign-key-constraint
alter table cart_lines add column bike_id integer references bikes;
-- The bike that a line was ordered for, and whether the shop said that the part fits it.
-- squawk-ignore adding-foreign-key-constraint
alter table order_lines add column bike_id integer references bikes, add column fit_answer text;
alter table order_lines add constraint order_lines_fit check (
  (bike_id is null) = (fit_answer is null)
  and fit_answer in ('fits', 'fits_some', 'does_not_fit', 'not_confirmed', 'universal')) not valid;
