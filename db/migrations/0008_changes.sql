-- Tells every process of the shop what has changed, so that it shows no old page. A notification on the channel
-- `changes` is a list of tags, or `*` for everything:
--
--   product:<id>   something of this product
--   products       which products there are, or what orders and filters them: all but the stock
--   availability   a product can be bought, or cannot any more
--   stock          how many there are of some product
--   reviews        the reviews
--
-- Postgres delivers it when the transaction commits, and equal ones of one transaction once.

create function tell_change(tags text) returns void language sql as $$
  -- A notification holds 8000 bytes; what does not fit is everything.
  select pg_notify('changes', case when length(tags) < 7000 then tags else '*' end) where tags <> '';
$$;

-- For tables of which the pages show nothing but the whole: the trigger's argument is the tag.
create function tell_table_changed() returns trigger language plpgsql as $$
begin
  perform tell_change(tg_argv[0]);
  return null;
end $$;

create function tell_products_added_or_removed() returns trigger language plpgsql as $$
declare
  -- A page names at most some dozens; beyond, telling each apart costs more than making all anew.
  many constant integer := 100;
begin
  if (select count(*) from (select from changed limit many + 1) as counted) > many then
    perform tell_change('*');
  else
    perform tell_change(string_agg('product:' || id, ' ') || ' products availability stock') from changed;
  end if;
  return null;
end $$;

create function tell_products_updated() returns trigger language plpgsql as $$
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
      (to_jsonb(before) - 'stock') is distinct from (to_jsonb(after) - 'stock') as differs,
      (before.stock > 0, before.stock >= before.minimum_quantity)
        is distinct from (after.stock > 0, after.stock >= after.minimum_quantity) as turns,
      before.stock <> after.stock as moves
    from after join before using (id)
  ) as compared
  where differs or turns or moves;
  return null;
end $$;

create trigger tell_insert after insert on products referencing new table as changed
  for each statement execute function tell_products_added_or_removed();
create trigger tell_update after update on products referencing old table as before new table as after
  for each statement execute function tell_products_updated();
create trigger tell_delete after delete on products referencing old table as changed
  for each statement execute function tell_products_added_or_removed();
create trigger tell_truncate after truncate on products
  for each statement execute function tell_table_changed('*');

create trigger tell_change after insert or update or delete or truncate on reviews
  for each statement execute function tell_table_changed('reviews');
