-- Sitemap and product feed read the whole catalogue in parts, and ask often whether anything is new: decision 25.

-- One row for each product that ever was, beside it: none of this is a change of the product.
create table catalogue_entries (
  product_id text primary key references products on delete cascade,
  -- Counts the products as they come in. It never changes, so a product stays in its part of the catalogue.
  number bigint generated always as identity,
  is_listed boolean not null default true,
  -- When what a stranger reads of it last changed: its page's words, and whether it can be bought, but not how many
  -- there are.
  changed_at timestamptz not null default clock_timestamp()
);

-- The parts begin with 1. A sitemap holds 50,000 addresses at most: half of that keeps each part quick.
create function catalogue_part(number bigint) returns integer language sql immutable strict parallel safe
  as $$ select ((number - 1) / 25000 + 1)::integer $$;

create unique index catalogue_entries_of_part on catalogue_entries ((catalogue_part(number)), number) where is_listed;
-- With those that were deleted: a deletion is a change of the part.
create index catalogue_entries_changed on catalogue_entries ((catalogue_part(number)), changed_at);

insert into catalogue_entries (product_id, is_listed, changed_at)
select id, deleted_at is null, greatest(created_at, deleted_at) from products order by created_at, id;

create function enter_products() returns trigger language plpgsql as $$
begin
  insert into catalogue_entries (product_id, is_listed) select id, deleted_at is null from added;
  return null;
end $$;
create trigger catalogue_entered after insert on products referencing new table as added
  for each statement execute function enter_products();

create function note_entry_changed() returns trigger language plpgsql as $$
begin
  update catalogue_entries set changed_at = clock_timestamp(), is_listed = new.deleted_at is null
  where product_id = new.id;
  return null;
end $$;
-- A sale that leaves enough goes by without a call.
create trigger catalogue_entry_changed after update on products for each row
  when ((old.name, old.description, old.image, old.brand, old.kind, old.category, old.supplier, old.sku, old.gtin,
         old.price_cents, old.minimum_quantity, old.stock >= old.minimum_quantity, old.deleted_at)
    is distinct from (new.name, new.description, new.image, new.brand, new.kind, new.category, new.supplier, new.sku,
         new.gtin, new.price_cents, new.minimum_quantity, new.stock >= new.minimum_quantity, new.deleted_at))
  execute function note_entry_changed();
