-- A variant that is added to a product changes its public page. Products of this transaction have a new date already.

create function touch_sitemap_of_new_variants() returns trigger language plpgsql as $$
begin
  update sitemap_entries set changed_at = clock_timestamp()
  where product_id in (select product_id from added where id <> product_id) and changed_at < now();
  return null;
end $$;
create trigger variants_sitemap_insert after insert on variants referencing new table as added
  for each statement execute function touch_sitemap_of_new_variants();
