-- A sale changes the stock alone, and is no work for those who note and tell everything else of a product. So they name
-- the columns that they look at. A later column of `products` is to be added here: tests/product-columns.test.ts asks
-- for it.

drop trigger products_changed on products;
-- It compares by itself what was set with what was there.
create trigger products_changed
  after update of name, description, image, brand, kind, category, supplier, sku, gtin, price_cents, minimum_quantity,
    deleted_at on products
  for each row execute function note_product_change();

-- Postgres gives the rows before and after to no trigger that names its columns: here they are compared one by one.
create or replace function tell_products_updated() returns trigger language plpgsql as $$
declare
  many constant integer := 100;
begin
  if (select count(*) from (select from after limit many + 1) as counted) > many then
    perform tell_change('*');
    return null;
  end if;
  perform tell_change(
    string_agg('product:' || id, ' ')
      || case when bool_or(differs) then ' products' else '' end
      || case when bool_or(turns) then ' availability' else '' end
      || case when bool_or(moves) then ' stock' else '' end)
  from (
    select after.id,
      (before.name, before.description, before.image, before.brand, before.kind, before.category, before.supplier,
       before.sku, before.gtin, before.price_cents, before.minimum_quantity, before.created_at, before.deleted_at)
        is distinct from (after.name, after.description, after.image, after.brand, after.kind, after.category,
          after.supplier, after.sku, after.gtin, after.price_cents, after.minimum_quantity, after.created_at,
          after.deleted_at) as differs,
      (before.stock > 0, before.stock >= before.minimum_quantity)
        is distinct from (after.stock > 0, after.stock >= after.minimum_quantity) as turns,
      before.stock <> after.stock as moves
    from after join before using (id)
  ) as compared
  where differs or turns or moves;
  return null;
end $$;
